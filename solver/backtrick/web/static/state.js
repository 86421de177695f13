// The state of the page, and how it stands in the address: after #, so that the server never sees it.
//
//   game   face_to_face or take_that
//   start  the position at the beginning, in notation
//   turns  the turns since then
//   n      how many of them are played; the others can be redone
//   laid   the plays of the turn that is being laid
//   seats  human, perfect, or a player of the game: the seat that began, and the other one
//   mode   look, play, puzzles, enter, share
//   cards  all, or own: while playing, the opponent's hand and the draw piles lie face down
//   values on or off: whether values are shown while playing; odds or longer: those of your turns, while cards are hidden, and in
//          the review those of the turns before the endgame, each with two seconds or with eight
//   list   all: the list of outcomes is open
//   only   the filter of outcomes: cards, and names of piles
//   why    the turn whose reasons are shown
//   draft  the position that is being entered
//   puzzle the number of the puzzle that is being solved
//
// Not in the address: the day whose puzzle it is, if it was opened as that, else 0.

/** @typedef {{
 *   game: string, start: string, turns: string[], n: number, laid: string, seats: string[], mode: string, cards: string, values: string,
 *   list: string, only: string[], why: string, draft: string, puzzle: string, day: number,
 * }} State
 */

import { plain, spelled, FACE, TAKE } from "./notation.js";

export const MODES = ["look", "play", "puzzles", "enter", "share"];
const EXAMPLES = {
  [FACE]: "52^6v:16,18,19,57 53^15v:4,7,29,44",
  [TAKE]: "15,43,44 21,53 51-62-35",
};

export const BETWEEN = "~"; // between turns
const same = (text) => text;
const text = (read = same, write = same) => ({ read, write });
const list = (read = same, write = same) => ({
  read: (joined) => joined.split(BETWEEN).filter(Boolean).map(read),
  write: (values) => values.map(write).join(BETWEEN),
});
const FIELDS = {
  game: text(),
  start: text(plain, spelled),
  turns: list(plain, spelled),
  n: text((digits) => Number.parseInt(digits, 10) || 0, String),
  laid: text(plain, spelled),
  seats: list(),
  mode: text(),
  cards: text(),
  values: text(),
  list: text(),
  only: list(),
  why: text(plain, spelled),
  draft: text(readDraft, writeDraft),
  puzzle: text(),
};

const AS_TYPED = "=";

/** What is typed need not be a notation. Then it stands in the address as it is. */
function writeDraft(typed) {
  return plain(spelled(typed)) === typed && !typed.startsWith(AS_TYPED) ? spelled(typed) : AS_TYPED + typed;
}

function readDraft(written) {
  return written.startsWith(AS_TYPED) ? written.slice(1) : plain(written);
}

/** The state of a game at its beginning. @param {string} game @param {string} [start] @returns {State} */
export const begin = (game, start = EXAMPLES[game]) => ({
  game, start, turns: [], n: 0, laid: "", seats: ["human", "human"], mode: "look", cards: "all", values: "on", list: "", only: [], why: "", draft: "", puzzle: "", day: 0,
});

/** The state of a puzzle at its beginning; without a number, of that of the day. @param {string} game @param {string} [puzzle] @returns {State} */
export const beginPuzzle = (game, puzzle = "") => ({ ...begin(game), mode: "puzzles", puzzle, seats: ["human", "perfect"], values: "off" });

/** True if an address names a state, and no element of the page. @param {string} hash */
export const isState = (hash) => hash.length < 2 || hash.includes("=");

/** The games in paths. @type {Record<string, string>} */
export const SHORT = { [FACE]: "f2f", [TAKE]: "tt" };

/** True if an address names a game that is not here. @param {string} hash */
export function namesOther(hash) {
  const [, name] = /[#&]game=([^&]*)/.exec(hash) || [];
  return name !== undefined && !Object.hasOwn(EXAMPLES, decode(name));
}

/** The state that an address names. What it does not name is as at the beginning. A link that is shared has the position at the
 *  beginning in its path, where a server can see it. @param {string} hash @param {string} [path] @returns {State} */
export function read(hash, path = "") {
  /** @type {any} */
  const named = {};
  const [, isPuzzle, short, rest] = /\/(p\/)?(f2f|tt)\/([^/#?]+)\/?$/.exec(path) || [];
  if (short) named.game = short === SHORT[TAKE] ? TAKE : FACE;
  if (isPuzzle) Object.assign(named, { ...beginPuzzle(named.game, rest), n: undefined });
  else if (short) named.start = plain(decode(rest));
  for (const part of hash.replace(/^#/, "").split("&")) {
    const [, name, value] = /^(\w+)=(.*)$/s.exec(part) || [];
    if (Object.hasOwn(FIELDS, name)) named[name] = FIELDS[name].read(decode(value));
  }
  if (!Object.keys(named).length) return beginPuzzle(FACE); // the first screen asks
  const state = Object.assign(begin(named.game === TAKE ? TAKE : FACE), named);
  if (![FACE, TAKE].includes(state.game)) state.game = FACE;
  if (!MODES.includes(state.mode)) state.mode = "look";
  if (state.mode === "enter" && named.draft === undefined) state.draft = state.start;
  if (!/^\d{1,9}$/.test(state.puzzle)) state.puzzle = "";
  state.seats = [0, 1].map((seat) => (/^[\w-]+$/.test(state.seats[seat] || "") ? state.seats[seat] : "human"));
  state.n = Math.max(0, Math.min(named.n ?? state.turns.length, state.turns.length));
  return state;
}

function decode(escaped) {
  try {
    return decodeURIComponent(escaped);
  } catch {
    return escaped;
  }
}

/** The link to a state that can be shared: the path names the puzzle, or else the position at the beginning, and what is behind # the
 *  rest. @param {State} state */
export function linkTo(state) {
  const isPuzzle = state.mode === "puzzles" && state.puzzle;
  const usual = isPuzzle ? beginPuzzle(state.game, state.puzzle) : begin(state.game);
  const rest = parts({ ...usual, n: state.turns.length, start: state.start }, state).join("&");
  return `/${isPuzzle ? "p/" : ""}${SHORT[state.game]}/${isPuzzle ? state.puzzle : spelled(state.start)}${rest && `#${rest}`}`;
}

/** The address of a state. @param {State} state */
export function write(state) {
  const isPuzzle = state.mode === "puzzles" && state.puzzle; // its number says where it begins
  return `#${parts({ ...begin(state.game), start: isPuzzle ? state.start : null, game: null, n: state.turns.length }, state).join("&")}`;
}

/** The fields of a state that differ from those of another one; null differs from all. */
function parts(usual, state) {
  return Object.entries(FIELDS)
    .map(([name, field]) => [name, field.write(state[name]), usual[name] === null ? null : field.write(usual[name])])
    .filter(([, value, otherwise]) => value !== otherwise)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
}
