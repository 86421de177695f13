// What may be laid where, and what it is worth: a row for each card in hand, a column for each place. A click lays the card.

import { button, make } from "./dom.js";
import { choicesOf, layChoice } from "./laying.js";
import { FACE, playsOf } from "./notation.js";
import { ALL, missing } from "./parts.js";
import { zoneOf } from "./table.js";
import { seatOf, worthOf } from "./view.js";
import { playWords, said, valueWords, WORDS } from "./words.js";

const COLUMNS = { face_to_face: ["^", "v", "^'", "v'"], take_that: ["line", "twist"] };

/** @param {import("./main.js").Page} page */
export function drawGrid(page) {
  const { view } = page;
  if (!view.answer?.value?.outcomes || !view.look?.choices.length || view.over || seatOf(view) !== "human") return null;
  const { game } = view.state;
  const cards = [...new Set(view.look.choices.map((choice) => choice.card))].filter(Boolean);
  const columns = COLUMNS[game].filter((place) => view.look.choices.some((choice) => choice.place === place));
  const take = view.look.choices.find((choice) => choice.place === "take");
  const row = (card) => make("tr", { key: card }, make("th", { scope: "row" }, String(card)),
    columns.map((place) => cell(page, choicesOf(view, card).find((choice) => choice.place === place))));
  const { completions } = view;
  return [make("table", { class: "grid", key: "grid" },
    make("caption", {}, make("h3", {}, WORDS.grid), button(WORDS.signs, () => page.set({ rules: ALL }), { class: "link note", "aria-haspopup": "dialog", data: { key: "signs" } })),
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, make("span", { class: "unseen" }, WORDS.hand)), columns.map((place) => head(view, place)))),
    make("tbody", {}, cards.map(row), take && make("tr", { key: "take" }, make("th", { scope: "row" }, WORDS.take), cell(page, take, columns.length)))),
  completions?.state === "failed" && missing(page, completions)];
}

/** The head of a column: a pile with its top, by the colour of its owner; or what is done with the card. */
function head(view, place) {
  const { state: { game }, table, look } = view;
  if (game !== FACE) return make("th", { scope: "col" }, WORDS.places[place === "line" ? "lay" : place]);
  const seat = zoneOf(game, table.mover, place)[5];
  const top = look.places.find((one) => one.name === place)?.cards[0];
  const name = `${WORDS.seat[seat]}: ${WORDS.piles[place[0]]} ${top}`;
  return make("th", { scope: "col", class: `by-${seat}` }, make("span", { class: "unseen" }, name), make("span", { "aria-hidden": "true" }, `${place[0] === "^" ? "\u25b2" : "\u25bc"} ${top}`));
}

function cell(page, choice, span = null) {
  const { view } = page;
  if (!choice) return make("td", {}, "");
  const worth = choice.problem ? null : worthOf(view, choice.play);
  const { kind, sign, words } = worth ? valueWords(worth, view.table.mover) : { kind: choice.problem ? "blocked" : "open", sign: choice.problem ? "\u2715" : "\u2026", words: "" };
  const refused = choice.problem ? said(choice.problem) : "";
  const act = () => (choice.problem ? page.set({ refusal: [choice] }) : layChoice(page, choice));
  return make("td", { colspan: span }, make("button", {
    type: "button", class: `cell ${kind}`, title: refused, "aria-label": [playWords(view.state.game, playsOf(view.state.game, choice.play)[0]), refused || (words && `${sign}: ${WORDS.then(words)}`)].filter(Boolean).join(": "),
    data: { key: `cell-${choice.play}` }, on: { click: act },
  }, make("span", { class: `worth ${kind}`, "aria-hidden": "true" }, sign)));
}
