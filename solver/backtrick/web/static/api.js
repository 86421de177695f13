// The addresses of the server's answers, and how one is fetched.

import { spelled } from "./notation.js";
import { Failed } from "./store.js";
import { WORDS } from "./words.js";

const ROOT = "/api/v1";
const PATIENCE = 3;

/** Fetches an answer. Throws `Failed`. @param {string} path @param {AbortSignal} [signal] */
export async function fetchAnswer(path, signal, patience = PATIENCE) {
  let response;
  try {
    response = await fetch(path, { cache: "default", signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Failed({ detail: WORDS.no_server }, true);
  }
  if ([429, 503].includes(response.status) && patience) {
    await new Promise((later) => setTimeout(later, 1000 * (Number(response.headers.get("Retry-After")) || 1)));
    signal?.throwIfAborted();
    return fetchAnswer(path, signal, patience - 1);
  }
  const body = response.headers.get("Content-Type")?.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Failed(typeof body === "string" ? { detail: body } : body, response.status >= 429);
  return body;
}

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
  draft: (game, text) => path(game, "look", { position: text }), // as it was typed, so that a refusal quotes it so
  completions: (game, position, laid = "") => path(game, "completions", at(position, laid ? { laid: spelled(laid) } : {})),
  play: (game, position, turn) => path(game, "play", at(position, { turn: spelled(turn) })),
  solve: (game, position) => path(game, "solve", at(position, { all: 1 })),
  value: (game, position, seconds) => path(game, "solve", at(position, { seconds })),
  best: (game, position) => path(game, "best", at(position)),
  grade: (game, position, turn) => path(game, "grade", at(position, { turn: spelled(turn) })),
  why: (game, position, turn) => path(game, "why", at(position, { turn: spelled(turn) })),
  move: (game, position, player) => path(game, "move", at(position, { player })),
  odds: (game, position) => path(game, "odds", at(position)),
  deal: (game) => path(game, "deal"),
  games: () => ROOT,
  random: (game, source) => path(game, "random", source ? { source } : {}),
  puzzle: (game, query) => path(game, "puzzle", query),
  symbols: () => "/cards.svg",
  image: (path) => `${path}.svg`,
};
