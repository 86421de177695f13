// The panel beside the table: what is known of the position, the turns so far, and the other things that can be done.

import { api } from "./api.js";
import { tableOf } from "./notation.js";
import { button, make } from "./dom.js";
import { winnerOf } from "./derive.js";
import { drawDeck } from "./enter.js";
import { drawOutcomes } from "./outcomes.js";
import { drawPuzzle } from "./puzzles.js";
import { drawShare } from "./share.js";
import { isHidden } from "./play.js";
import { turnElement, valueElement } from "./turnview.js";
import { gradeWords, WORDS } from "./words.js";

const QUICK = "tuned"; // the player of a whole game unless another one is chosen: it answers at once

export function drawPanel(page) {
  const { mode } = page.state;
  if (mode === "enter") return drawDeck(page);
  if (!page.view) return [];
  if (mode === "share") return drawShare(page);
  if (mode === "puzzles") return drawPuzzle(page);
  const values = mode === "look" || (page.state.values === "on" && !isHidden(page));
  return [
    make("h2", { class: "unseen" }, WORDS.modes[mode]),
    headline(page, values),
    mode === "play" && seats(page),
    values && bestLine(page),
    history(page),
    values && drawOutcomes(page),
  ];
}

/** What is known of the position on the table: the record of its answer, or why there is none; undefined as long as it is asked. */
export function answerOf(page) {
  const { view, state } = page;
  return view.position === null ? {} : page.ask(`solve ${state.game} ${view.position}`, () => api.solve(state.game, view.position));
}

/** Who is to move, and what the position is worth. */
export function headline(page, values) {
  const { view } = page;
  if (view.over) return over(page);
  const who = make("span", { class: "who" }, WORDS.is_to_move[view.table.mover]);
  const answer = values ? answerOf(page) : {};
  const refused = answer.problem && make("span", { class: "note" }, answer.problem.detail);
  const value = !values ? null : answer.value ? valueElement(answer.value) : refused || WORDS.loading;
  const source = values && answer.value?.source && answer.value.source !== "search" ? make("small", {}, WORDS.source(answer.value.source)) : null;
  return make("p", { class: "headline" }, who, " ", value, " ", source);
}

function over(page) {
  const { view } = page;
  const winner = winnerOf(view);
  const words = `${WORDS.over} ${winner === null ? WORDS.nobody_won : WORDS.has_won[winner]}`;
  return make("p", { class: "headline over" }, make("span", { class: "who" }, words));
}

function bestLine(page) {
  const { value } = answerOf(page);
  if (!value?.line?.length) return null;
  const { state } = page;
  const follow = () => page.go({ turns: [...state.turns.slice(0, state.n), ...value.line], n: state.n + 1, laid: "", why: "" });
  return make("section", { class: "best-line" }, make("h3", {}, WORDS.best_line), turnList(state.game, value.line, state.n),
    button(WORDS.follow, follow, { data: { key: "follow" } }));
}

/** Turns one after another, each with the name of its seat. */
export function turnList(game, turns, n) {
  return make("ol", { class: "line-turns" }, turns.map((turn, place) =>
    make("li", { class: `by-${(n + place) % 2}` }, make("span", { class: "unseen" }, `${WORDS.seat[(n + place) % 2]}: `), turnElement(game, turn))));
}

function seats(page) {
  const { state } = page;
  const players = page.ask("games", api.games).value?.games.find((one) => one.name === state.game)?.players || {};
  const kinds = [...new Set(["human", "perfect", ...Object.keys(players), ...state.seats])];
  const select = (seat) => make("label", {}, `${WORDS.played_by[seat]} `, make("select", {
    data: { key: `seat-${seat}` },
    on: { change: (event) => page.go({ seats: state.seats.map((kind, place) => (place === seat ? event.target.value : kind)) }) },
  }, kinds.map((kind) => option(kind, players[kind], state.seats[seat] === kind))));
  const shown = state.values === "on";
  const values = button(shown ? WORDS.values_off : WORDS.values_on, () => page.go({ values: shown ? "off" : "on" }), { data: { key: "values" } });
  const own = state.cards === "own";
  const cards = button(own ? WORDS.all_cards : WORDS.own_cards, () => page.go({ cards: own ? "all" : "own" }), { data: { key: "cards" } });
  const whole = button(WORDS.whole_game, () => wholeGame(page, QUICK in players ? QUICK : "perfect"), { data: { key: "whole-game" } });
  return make("div", { class: "seats" }, select(0), select(1), !isHidden(page) && values, cards, whole);
}

/** Who may play a seat. about: of a player of the game; undefined for human and perfect. */
function option(kind, about, selected) {
  return make("option", { value: kind, selected, title: about || "" }, about ? kind : WORDS[kind] || kind);
}

/** Deals a whole game against a player of the game: the own cards lie open, and nothing else. */
async function wholeGame(page, player) {
  const { seats } = page.state;
  const other = seats.find((kind) => kind !== "human" && kind !== "perfect") || player;
  const { position } = await api.deal(page.state.game);
  await page.begin(position, { mode: "play", seats: ["human", other], values: "off", cards: "own" });
}

/** The turns so far, each with its grade; a click goes back to it. */
export function history(page) {
  const { state, view } = page;
  if (!state.turns.length) return state.mode === "play" ? make("p", { class: "note" }, WORDS.no_history) : null;
  const item = (n, ...content) => make("li", {}, make("button", {
    type: "button", class: "step", "aria-current": n === state.n ? "step" : null, data: { key: `step-${n}` },
    on: { click: () => page.go({ n, laid: "", why: "" }) },
  }, content));
  const items = view.steps.slice(1).map((step, place) => item(place + 1, make("span", { class: `who by-${place % 2}` }, `${WORDS.seat[place % 2]} `),
    turnElement(state.game, step.turn), step.points ? ` ${WORDS.points(step.points)} ` : " ", grade(page, view.steps[place].position, step.turn)));
  return make("section", { class: "history" }, make("h3", {}, WORDS.history), make("ol", {}, item(0, WORDS.beginning), items));
}

export function grade(page, position, turn) {
  const { game } = page.state;
  if (isHidden(page) && hasPile(game, position)) return null; // a grade says something of hidden cards, and may take long
  const { value } = page.ask(`grade ${game} ${position} ${turn}`, () => api.grade(game, position, turn));
  if (!value) return null;
  const { kind, sign, words } = gradeWords(value);
  return make("span", { class: `grade ${kind}` }, make("span", { "aria-hidden": "true" }, `${sign} `), words);
}

/** True if cards are still to be drawn. */
function hasPile(game, position) {
  const table = tableOf(game, position);
  return table.pile.length + table.seats[0].pile.length + table.seats[1].pile.length > 0;
}
