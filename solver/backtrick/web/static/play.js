// Playing: turns that were played, undo and redo, and what the page does by itself.

import { paths } from "./api.js";
import { overWords, reasonOf } from "./headline.js";
import { FACE } from "./notation.js";
import { KEYS } from "./parts.js";
import { hasEnded, seatOf } from "./view.js";
import { gradeWords, refused, turnWords, WORDS } from "./words.js";

/** @typedef {import("./main.js").Page} Page */

/** The player of a whole game unless another one is chosen: it answers at once. */
export const QUICK = "tuned";
const THINKS = 650; // milliseconds, so that one sees what happens

/** Plays a whole turn. If it is the one that could be redone, the turns after it stay.
 *  @param {Page} page @param {string} turn @param {{replace?: boolean, say?: string}} [how] */
export function turnPlayed(page, turn, how = {}) {
  const { turns, n } = page.state;
  const same = turns[n] === turn;
  page.go({ turns: same ? turns : [...turns.slice(0, n), turn], n: n + 1, laid: "", why: "", only: [] }, how);
}

/** Goes to the position after n turns. @param {Page} page @param {number} n */
export const goTo = (page, n) => page.go({ n, laid: "", why: "" });

/** The number of turns that are played after a key, or after a step that it stands for. Against another player one goes from own turn to
 *  own turn; in a game that is over, from turn to turn. @param {string} key @param {import("./state.js").State} state @param {boolean} isOver */
export function placeFor(key, { n, turns, mode, seats }, isOver) {
  const far = mode === "play" && !isOver && seats[1 - (n % 2)] !== "human" ? 2 : 1;
  const place = { ArrowLeft: n - far, ArrowRight: n + far, Home: 0, End: turns.length }[key];
  return place === undefined ? n : Math.max(0, Math.min(place, turns.length));
}

/** Goes where a key leads. @param {Page} page @param {string} key */
export const step = (page, key) => goTo(page, placeFor(key, page.state, hasEnded(page.view)));

/** The keys of the page, where no card and no text has the focus: `?` shows them, others go back and forth. In the review the focus goes along,
 *  so that a whole game is seen, and heard, by one key. @param {Page} page @param {KeyboardEvent} event */
export function keyed(page, event) {
  const target = /** @type {Element} */ (event.target);
  if (event.ctrlKey || event.altKey || event.metaKey || target.closest("input, select, textarea, dialog")) return;
  if (event.key === "?") page.set({ rules: KEYS });
  const { mode, n } = page.state;
  const place = placeFor(event.key, page.state, hasEnded(page.view));
  if (mode === "enter" || target.closest(".board") || place === n) return;
  event.preventDefault();
  /** @type {HTMLElement} */ (document.querySelector(`[data-key="review-${place}"]`))?.focus({ preventScroll: true });
  goTo(page, place);
}

/** The turns that are known are played by themselves, card by card, until something else is done. @param {Page} page */
function followOn(page) {
  const { state } = page;
  const { turns, n, laid, game } = state;
  if (n >= turns.length) return page.set({ following: false });
  const plays = turns[n].split(" ");
  const done = laid ? laid.split(" ").length : 0;
  const isLaid = game !== FACE || done === plays.length;
  page.go(isLaid ? { n: n + 1, laid: "", why: "" } : { laid: plays.slice(0, done + 1).join(" ") }, { replace: true, following: true });
}

/** Deals a whole game against a player of the game: your cards lie open, and nothing else. @param {Page} page @param {string} player */
export async function wholeGame(page, player) {
  const { seats, game } = page.state;
  const other = seats.find((kind) => kind !== "human" && kind !== "perfect") || player;
  const dealt = await page.fetch(paths.deal(game));
  if (dealt) page.begin(dealt.position, { mode: "play", seats: ["human", other], values: "off", cards: "own" });
}

/** What the page does by itself: a turn ends when nothing more can be laid in it, and a seat that is not human plays.
 *  The step back then leads to the turn before. @param {Page} page */
export function goOnPlaying(page) {
  const { state, view } = page;
  clearTimeout(page.timer);
  if (page.ui.following) {
    page.timer = setTimeout(() => page.ui.following && page.state === state && followOn(page), THINKS);
    return;
  }
  if (state.laid && view.look?.ends && !view.look.choices.length && seatOf(view) === "human") return turnPlayed(page, state.laid, { replace: true });
  const { move } = view;
  if (!move || state.laid || move.state === "waiting") return;
  const turn = move.value && (move.value.best || move.value.turn);
  if (!turn) {
    const words = move.problem ? refused(move.problem) : WORDS.not_solved;
    if (page.ui.note !== words) page.tell(words);
    return;
  }
  const words = `${WORDS.seat[state.n % 2]}: ${turnWords(state.game, turn)}.`;
  page.timer = setTimeout(() => page.state === state && turnPlayed(page, turn, { replace: true, say: words }), THINKS);
}

/** Says what has happened to those who hear the page: the end of the game with its reason, and the grade of the last own turn.
 *  @param {Page} page @param {import("./view.js").View} before */
export function announce(page, before) {
  const { view } = page;
  if (view.over && !before?.over) page.say(`${overWords(view)} ${reasonOf(view)}`);
  const { n, turns, mode, seats } = view.state;
  const last = n === turns.length ? n : 0;
  const grade = last && view.grades[last]?.value;
  if (grade && mode === "play" && seats[1 - (n % 2)] === "human" && !before?.grades?.[last]?.value) page.say(`${turnWords(view.state.game, turns[last - 1])}: ${gradeWords(grade).words}.`);
}
