// The addresses of the answers, as the HTTP API has them.

import { spelled } from "./notation.js";

const ROOT = "/api/v1";
/** Where the pictures of the cards are, as the page has said: read at once, since the path of the page changes with the position. */
const SYMBOLS = /** @type {HTMLLinkElement} */ (globalThis.document?.querySelector("link[rel=preload]"))?.href;

/** @param {string} game @param {string} name @param {Record<string, string | number>} [query] */
const path = (game, name, query = {}) => {
  const named = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return `${ROOT}/${game.replaceAll("_", "-")}/${name}${named.length ? `?${named.join("&")}` : ""}`;
};

/** @param {string} position @param {object} [more] */
const at = (position, more = {}) => ({ position: spelled(position), ...more });

/** The address of each answer. */
export const paths = {
  look: (game, position, laid = "") => path(game, "look", at(position, laid ? { laid: spelled(laid) } : {})),
  check: (game, text) => path(game, "check", { text }), // as it was typed, so that a refusal quotes it so
  completions: (game, position, laid = "") => path(game, "completions", at(position, laid ? { laid: spelled(laid) } : {})),
  play: (game, position, turn) => path(game, "play", at(position, { turn: spelled(turn) })),
  solve: (game, position) => path(game, "solve", at(position, { all: 1 })),
  value: (game, position, seconds) => path(game, "solve", at(position, { seconds })),
  best: (game, position) => path(game, "best", at(position)),
  grade: (game, position, turn) => path(game, "grade", at(position, { turn: spelled(turn) })),
  why: (game, position, turn) => path(game, "why", at(position, { turn: spelled(turn) })),
  move: (game, position, player) => path(game, "move", at(position, { player })),
  odds: (game, position, seconds, turn = "") => path(game, "odds", at(position, { seconds, ...(turn && { turn: spelled(turn) }) })),
  oddsOfView: (game, view, seconds) => path(game, "odds", { view, seconds }),
  equilibrium: (game, view, seconds) => path(game, "equilibrium", { state: view, seconds }),
  deal: (game) => path(game, "deal"),
  games: () => ROOT,
  random: (game, source) => path(game, "random", source ? { source } : {}),
  puzzle: (game, query) => path(game, "puzzle", query),
  puzzles: (game, theme) => path(game, "puzzles", theme ? { theme } : {}),
  symbols: () => SYMBOLS,
  image: (path, isPlain = false) => `${path}.svg${isPlain ? "?plain=1" : ""}`,
};
