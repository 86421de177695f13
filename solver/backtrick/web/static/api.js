// Questions to the server. An answer never changes, so each is asked once.

import { spelled } from "./notation.js";
import { WORDS } from "./words.js";

const ROOT = "/api/v1";
const known = new Map();
const KEPT = 500;

/** A question that the server refuses: `problem` are its problem details (RFC 9457). */
export class Refused extends Error {
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

async function get(path, keep = true) {
  if (keep && known.has(path)) return known.get(path);
  const asked = ask(path);
  if (keep) {
    known.set(path, asked);
    if (known.size > KEPT) known.delete(known.keys().next().value);
    asked.catch(() => known.delete(path));
  }
  return asked;
}

async function ask(path, patience = 3) {
  let response;
  try {
    response = await fetch(path, { cache: "default" });
  } catch {
    throw new Refused({ detail: WORDS.no_server });
  }
  if ([429, 503].includes(response.status) && patience) {
    await new Promise((later) => setTimeout(later, 1000 * (Number(response.headers.get("Retry-After")) || 1)));
    return ask(path, patience - 1);
  }
  const body = response.headers.get("Content-Type")?.includes("json") ? await response.json() : await response.text();
  if (!response.ok) throw new Refused(typeof body === "string" ? { detail: body } : body);
  return body;
}

const path = (game, name, query = {}) => {
  const named = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return `${ROOT}/${game.replaceAll("_", "-")}/${name}${named.length ? `?${named.join("&")}` : ""}`;
};

const at = (position, more = {}) => ({ position: spelled(position), ...more });

export const api = {
  look: (game, position, laid = "") => get(path(game, "look", at(position, laid ? { laid: spelled(laid) } : {}))),
  play: (game, position, turn) => get(path(game, "play", at(position, { turn: spelled(turn) }))),
  solve: (game, position) => get(path(game, "solve", at(position, { all: 1 }))),
  best: (game, position) => get(path(game, "best", at(position))),
  line: (game, position) => get(path(game, "line", at(position))),
  grade: (game, position, turn) => get(path(game, "grade", at(position, { turn: spelled(turn) }))),
  why: (game, position, turn) => get(path(game, "why", at(position, { turn: spelled(turn) }))),
  move: (game, position, player) => get(path(game, "move", at(position, { player }))),
  deal: (game) => get(path(game, "deal"), false),
  games: () => get(ROOT),
  random: (game) => get(path(game, "random"), false),
  puzzle: (game, query) => get(path(game, "puzzle", query), "number" in query),
  drawing: async (game, position) => (await get(path(game, "drawing", at(position)))).svg,
  symbols: () => get("cards.svg"),
  jsonOf: (game, position) => path(game, "solve", at(position, { all: 1 })),
};
