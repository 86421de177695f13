// The head of the page: its name, the games, and what can be done.

import { paths } from "./api.js";
import { button, make } from "./dom.js";
import { isRight } from "./headline.js";
import { textOf } from "./notation.js";
import { ALL, link } from "./parts.js";
import { begin, beginPuzzle, MODES } from "./state.js";
import { WORDS } from "./words.js";

/** @param {import("./main.js").Page} page */
export function drawHead(page) {
  const { state } = page;
  const games = Object.entries(WORDS.games).map(([game, title]) => link(page, title, state.mode === "puzzles" ? beginPuzzle(game) : begin(game), inRow(game === state.game, `game-${game}`)));
  const modes = MODES.map((mode) => link(page, WORDS.modes[mode], { ...state, ...entering(page, mode) }, inRow(mode === state.mode, `mode-${mode}`)));
  return [
    make("h1", {}, WORDS.name, " ", make("small", {}, WORDS.tagline)),
    make("nav", { class: "games", "aria-label": WORDS.choose_game, on: { keydown: along } }, games),
    make("nav", { class: "modes", "aria-label": WORDS.what_to_do, on: { keydown: along } }, modes),
    button(WORDS.rules, () => page.set({ rules: ALL }), { class: "random", "aria-haspopup": "dialog", data: { key: "rules" } }),
    button([WORDS.random[0], make("span", { class: "more" }, WORDS.random[1])], () => anyPosition(page), { class: "random", data: { key: "random" } }),
  ];
}

const inRow = (current, key) => ({ class: current ? "current" : "", "aria-current": current ? "page" : null, tabindex: current ? null : "-1", data: { key } });

/** What changes with the mode. Entering begins with the position on the table, so every position can be changed. Playing begins
 *  against the perfect player, and without values. A puzzle starts again. */
function entering(page, mode) {
  const { state, view } = page;
  if (mode === "play" && !["play", "puzzles"].includes(state.mode)) {
    return { mode, draft: "", values: "off", seats: state.n % 2 ? ["perfect", "human"] : ["human", "perfect"] };
  }
  if (mode === "puzzles" && mode !== state.mode) return beginPuzzle(state.game, state.puzzle || page.ui.puzzle);
  if (mode === "look") return { mode, draft: "", puzzle: "" };
  if (mode !== "enter") return { mode, draft: "" };
  return { mode, draft: state.draft || (view?.table && view.table.mover !== null ? textOf(view.table) : state.start) };
}

/** The arrow keys go along the links of a row, of which Tab stops at the current one alone. @param {KeyboardEvent} event */
function along(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const row = /** @type {HTMLElement} */ (event.currentTarget);
  if (!step) return;
  event.preventDefault();
  event.stopPropagation();
  const links = [...row.querySelectorAll("a")];
  links[(links.indexOf(/** @type {any} */ (event.target)) + step + links.length) % links.length].focus();
}

const TRIES = 8;
const SOURCE = { face_to_face: "tight", take_that: "hard" };
const MOST_RIGHT = 0.2; // of the turns: otherwise there is nothing to find
const LEAST_TURNS = 3; // that the game goes on

/** Draws a position in which there is something to find. @param {import("./main.js").Page} page */
async function anyPosition(page) {
  const { state } = page;
  let drawn = null;
  for (let tries = 0; tries < TRIES && !drawn; tries += 1) {
    const one = await page.fetch(paths.random(state.game, SOURCE[state.game]));
    if (!one || page.state !== state) return;
    const path = paths.solve(state.game, one.position);
    const answer = await page.fetch(path);
    if (answer) page.store.put(path, answer);
    if (answer && isWorthwhile(state.game, answer)) drawn = one;
  }
  drawn ||= await page.fetch(paths.puzzle(state.game, {})); // there something is to be found
  if (!drawn || page.state !== state) return;
  const mode = ["look", "play"].includes(state.mode) ? state.mode : "look";
  page.begin(drawn.position, { mode, seats: state.seats, values: state.values });
}

function isWorthwhile(game, { outcomes, line }) {
  const right = outcomes.filter((one) => isRight(game, one, outcomes[0])).length;
  return line.length >= LEAST_TURNS && right && right <= Math.max(1, MOST_RIGHT * outcomes.length);
}
