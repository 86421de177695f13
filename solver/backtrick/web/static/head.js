// The head of the page: its name, the games, and what can be done.

import { api } from "./api.js";
import { button, make } from "./dom.js";
import { begin, MODES, write } from "./state.js";
import { textOf } from "./notation.js";
import { WORDS } from "./words.js";

export function drawHead(page) {
  const { state } = page;
  const games = Object.entries(WORDS.games).map(([game, title]) => link(page, title, begin(game), game === state.game, `game-${game}`));
  const modes = MODES.map((mode) => link(page, WORDS.modes[mode], { ...state, ...entering(page, mode) }, mode === state.mode, `mode-${mode}`));
  return [
    make("h1", {}, make("span", { class: "brand" }, WORDS.name), " ", make("small", {}, WORDS.tagline)),
    make("nav", { class: "games", "aria-label": WORDS.choose_game }, games),
    make("nav", { class: "modes", "aria-label": WORDS.what_to_do }, modes),
    button([WORDS.random, make("span", { class: "more" }, ` ${WORDS.position}`)], () => anyPosition(page), { class: "random", data: { key: "random" } }),
  ];
}

/** What changes with the mode. Entering begins with the position on the table, so every position can be changed. Playing begins
 *  against the perfect player, and without values. */
export function entering(page, mode) {
  const { state, view } = page;
  if (mode === "play" && !["play", "puzzles"].includes(state.mode)) {
    return { mode, draft: "", values: "off", seats: state.n % 2 ? ["perfect", "human"] : ["human", "perfect"] };
  }
  if (mode !== "enter") return { mode, draft: "" };
  return { mode, draft: state.draft || (view && view.table.mover !== null ? textOf(view.table) : state.start) };
}

function link(page, text, state, current, key) {
  const attributes = { href: write(state), class: current ? "current" : "", "aria-current": current ? "page" : null, data: { key } };
  const go = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    page.go(state);
  };
  return make("a", { ...attributes, on: { click: go } }, text);
}

const TRIES = 10; // a game in seven ends before both draw piles are empty

/** Draws a position in which the game goes on. */
async function anyPosition(page) {
  const { game } = page.state;
  let drawn = await api.random(game);
  for (let tries = 1; tries < TRIES && (await api.look(game, drawn.position)).over; tries += 1) drawn = await api.random(game);
  const mode = ["look", "play"].includes(page.state.mode) ? page.state.mode : "look";
  page.begin(drawn.position, { mode, seats: page.state.seats, values: page.state.values });
}
