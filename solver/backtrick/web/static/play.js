// Playing: whose turn it is, turns that were played, undo and redo, and the perfect player.

import { api } from "./api.js";
import { WORDS } from "./words.js";

const THINKS = 650; // milliseconds, so that one sees what happens

/** Who plays the seat that is to move. In a puzzle one turn is played. */
export function seatOf(page) {
  const { mode, puzzle, seats } = page.state;
  const { n } = page.view.state;
  if (mode === "puzzles" && puzzle) return n ? "perfect" : "human";
  return mode === "play" ? seats[n % 2] : "human";
}

/** Plays a whole turn. If it is the one that could be redone, the turns after it stay. */
export function turnPlayed(page, turn, how = {}) {
  const { turns, n } = page.state;
  const same = turns[n] === turn;
  return page.go({ turns: same ? turns : [...turns.slice(0, n), turn], n: n + 1, laid: "", why: "", only: [] }, how);
}

/** True if the cards that a player cannot see lie face down. */
export const isHidden = (page) => page.state.mode === "play" && page.state.cards === "own" && !page.view.over;

/** True if a zone lies face down: the draw piles, and the hands of all seats but the human ones. */
export function liesDown(page, zone) {
  if (!isHidden(page)) return false;
  return zone.startsWith("draw") || (zone.startsWith("hand-") && page.state.seats[zone[5]] !== "human");
}

const isHuman = (page, n) => page.state.mode !== "play" || page.state.seats[n % 2] === "human";

/** One turn back; against a perfect player, back to the last own turn. */
export function undo(page) {
  const { n } = page.state;
  const to = n >= 2 && !isHuman(page, n - 1) ? n - 2 : n - 1;
  return page.go({ n: Math.max(to, 0), laid: "", why: "" });
}

/** One turn forth; against a perfect player, up to the next own turn. */
export function redo(page) {
  const { n, turns } = page.state;
  const to = n + 2 <= turns.length && !isHuman(page, n + 1) ? n + 2 : n + 1;
  return page.go({ n: Math.min(to, turns.length), laid: "", why: "" });
}

/** Lets the perfect player, or another one, move if it is their turn. The step back then leads to the turn before. */
export async function goOnPlaying(page) {
  const { state, view } = page;
  if (state.mode !== "play" || !view.look || view.over || state.laid || state.n < state.turns.length || seatOf(page) === "human") return;
  const seat = WORDS.seat[state.n % 2];
  const player = seatOf(page);
  const asked = player === "perfect" ? api.best(state.game, view.position) : api.move(state.game, view.position, player);
  const [found] = await Promise.all([asked.catch((error) => ({ error })), new Promise((later) => setTimeout(later, THINKS))]);
  if (page.state !== state) return;
  const turn = found.best || found.turn;
  if (!turn) return page.tell(found.error ? found.error.message : WORDS.not_solved);
  await turnPlayed(page, turn, { replace: true, say: `${seat}: ${turn}` });
}
