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

/** Lets the perfect player move if it is their turn. The step back then leads to the turn before. */
export async function goOnPlaying(page) {
  const { state, view } = page;
  if (state.mode !== "play" || !view.look || view.over || state.laid || state.n < state.turns.length || seatOf(page) !== "perfect") return;
  const seat = WORDS.seat[state.n % 2];
  const [found] = await Promise.all([api.best(state.game, view.position).catch(() => null), new Promise((later) => setTimeout(later, THINKS))]);
  if (page.state !== state) return;
  if (!found?.best) return page.say(WORDS.not_solved);
  await turnPlayed(page, found.best, { replace: true, say: `${seat}: ${found.best}` });
}
