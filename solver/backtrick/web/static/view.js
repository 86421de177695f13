// What follows from the state of the page and from the answers that are known: the positions of the game so far, the table, what may
// be laid next, values, grades. And which answers are still wanted, the most urgent first. Nothing is asked for here.

import { paths } from "./api.js";
import { SERVED } from "./ask.js";
import { FACE, lay, playsOf, seenOf, tableOf, tidied } from "./notation.js";
import { dayOf, puzzleOfDay } from "./remembered.js";
import { WORDS } from "./words.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./store.js").Entry} Entry */
/** @typedef {import("./store.js").Question} Question */
/** @typedef {import("./notation.js").Table} Table */
/** @typedef {{problem: string, rule: string, winner: "mover" | "opponent" | null}} Ending  winner: null if points decide */
/** @typedef {{position: string | null, points?: number, turn?: string, over?: Ending | null}} Step */
/** @typedef {{
 *   state: State, wanted: Question[], symbols: Entry, ready: boolean, failed: Entry | null, steps: Step[], position: string | null,
 *   table: Table | null, look: any, over: Ending | null, won: number[], answer: Entry | null, why: Entry | null, ending: Entry | null,
 *   last: {seat: number, plays: import("./notation.js").Play[], drawn: number[]}[], grades: (Entry | null)[], completions: Entry | null, odds: Entry | null, plan: Entry | null, shares: (Entry | null)[], others: Entry | null, refuted: Entry | null, loss: Entry | null, games: Entry | null, puzzle: Entry | null, move: Entry | null, draft: Entry | null,
 * }} View
 */

const SOLVABLE = SERVED ? 12 : 0; // cards to be drawn: of a larger deal only the value is asked for, and not for long
export const COMPLETED = 1000; // outcomes of a position of which the value of every next card is asked for
const BRIEFLY = 2; // seconds
/** Seconds for the odds of a position. @type {Record<string, number>} */
const ODDS_SECONDS = { odds: 2, longer: 8 };
const PLANNED = 4; // cards in each draw pile: with more there is no exact plan
const ODDS_MOST = 24; // cards to be drawn: of a larger deal too few worlds are solved while one waits
const STRONG = SERVED ? "sampler" : "tuned"; // who plays for the perfect player as long as a deal is too large

/** @param {State} state @param {(path: string) => Entry} answers @returns {View} */
export function derive(state, answers) {
  /** @type {Question[]} */
  const wanted = [];
  const ask = (path, patient = false) => {
    wanted.push({ path, patient });
    return answers(path);
  };
  const symbols = ask(paths.symbols());
  const puzzle = state.mode === "puzzles" ? puzzleOf(state, ask) : null;
  if (puzzle?.value && (!state.puzzle || state.start !== puzzle.value.position)) state = opened(state, puzzle.value);
  /** @type {View} */
  const view = {
    state, wanted, symbols, ready: false, failed: null, steps: [{ position: state.start }], position: null, table: null, look: null,
    over: null, won: [], answer: null, completions: null, odds: null, plan: null, shares: [], others: null, refuted: null, loss: null, why: null, ending: null, last: [], grades: [], games: null, puzzle, move: null, draft: null,
  };
  if (state.mode === "enter") {
    view.draft = ask(paths.check(state.game, tidied(state.game, state.draft)));
    if (view.draft.value?.view) {
      const [seen, seconds] = [state.draft.trim(), ODDS_SECONDS[state.values] || ODDS_SECONDS.odds];
      view.odds = ask(paths.oddsOfView(state.game, seen, seconds));
      if (state.game === FACE && Math.max(...seenOf(seen).piles) <= PLANNED) view.plan = ask(paths.equilibrium(state.game, seen, seconds));
    }
    view.ready = true;
  }
  if (puzzle && puzzle.state !== "known") return { ...view, failed: puzzle.state === "failed" ? puzzle : null };
  if (played(view, ask) && looked(view, ask)) known(view, ask);
  if (view.failed && state.mode === "enter") view.failed = null;
  return view;
}

/** The state with a puzzle on the table. The day is that on which it was opened, also after midnight. */
function opened(state, { number, of, position }) {
  const today = dayOf(Date.now());
  return { ...state, puzzle: String(number), start: position, day: puzzleOfDay(today, of) === number ? today : 0 };
}

/** The puzzle that is chosen, or that of the day. */
function puzzleOf({ game, puzzle }, ask) {
  const numbered = (number) => ask(paths.puzzle(game, { number }));
  if (puzzle) return numbered(puzzle);
  const first = numbered(0);
  return first.value ? numbered(puzzleOfDay(dayOf(Date.now()), first.value.of)) : first;
}

/** Follows the turns of the game. False as long as a position is not known. */
function played(view, ask) {
  const { state, steps } = view;
  for (const turn of state.turns) {
    const from = steps.at(-1).position;
    if (from === null) break;
    const entry = ask(paths.play(state.game, from, turn));
    if (entry.state === "failed") view.failed = entry;
    if (entry.state === "failed" && !entry.again) break; // what came before the refused turn is shown
    if (entry.state !== "known") return false;
    steps.push({ position: entry.value.next, points: entry.value.points, turn: entry.value.turn, over: entry.value.over });
  }
  const n = Math.min(state.n, steps.length - 1);
  view.state = n === state.n ? state : { ...state, n };
  view.position = steps[n].position;
  view.over = steps[n].over || null;
  return true;
}

/** The table, and what may be laid next. A card that was laid is on the table before the server has said what may follow. */
function looked(view, ask) {
  const { state, steps, position } = view;
  if (position !== null) {
    const entry = ask(paths.look(state.game, position, state.laid));
    if (entry.state === "failed") view.failed = entry;
    if (entry.state === "failed" || (entry.state === "waiting" && !state.laid)) return false;
    view.look = entry.value || null;
    view.over = view.look ? view.look.over : null;
  }
  view.table = tableAt(state.game, steps, state.n);
  if (!view.table) return false;
  view.won = wonBy(steps, state.n);
  view.last = [state.n, state.n - 1].filter((place) => place > 0).map((place) => turnAt(state.game, steps, place));
  view.ready = true;
  return true;
}

/** What else is shown, or done. */
function known(view, ask) {
  const { state, steps, position } = view;
  const { game, mode } = state;
  if (mode === "play") view.games = ask(paths.games());
  if (position !== null && !view.over) {
    const player = seatOf(view);
    if (mode === "play" && player !== "human" && state.n === state.turns.length) view.move = ask(moveOf(game, position, player));
    if (showsValues(view) && (SERVED || !isLarge(game, position))) view.answer = ask(isLarge(game, position) ? paths.value(game, position, BRIEFLY) : paths.solve(game, position));
    const seconds = ODDS_SECONDS[state.values];
    if (offersOdds(view) && seconds) view.odds = ask(paths.odds(game, position, seconds));
    const count = view.answer?.value?.outcomes?.length;
    if (count && count <= COMPLETED && seatOf(view) === "human") view.completions = ask(paths.completions(game, position, state.laid));
    if (state.why && view.answer) explained(view, ask, position);
  }
  if (mode === "puzzles" && state.n && state.values === "on") {
    view.others = ask(paths.solve(game, state.start));
    if (state.why) explained(view, ask, state.start);
  }
  if (mode === "look" || mode === "play" || (mode === "puzzles" && state.n)) {
    view.grades = steps.map(() => null);
    for (let place = steps.length - 1; place > 0; place -= 1) {
      const before = steps[place - 1].position;
      if (isLarge(game, before, isHidden(view) ? 0 : SOLVABLE)) break; // a grade of hidden cards would tell of them
      view.grades[place] = ask(paths.grade(game, before, steps[place].turn), true);
    }
    view.shares = shared(view, ask);
  }
  if (mode === "puzzles" && state.n === 1 && view.grades[1]?.value?.optimal === false) {
    view.refuted = ask(paths.why(game, state.start, steps[1].turn));
    view.loss = lastLook(game, view.refuted, ask);
  }
}

/** The turns of a game that is over, before the endgame: what each was worth to a player who did not see the hidden cards. */
function shared(view, ask) {
  const { state, steps, grades } = view;
  const seconds = ODDS_SECONDS[state.values];
  const shares = steps.map(() => null);
  if (!seconds || state.mode !== "play" || !hasEnded(view)) return shares;
  for (let place = steps.length - 1; place > 0; place -= 1) {
    if (grades[place]) continue; // of the endgame
    shares[place] = ask(paths.odds(state.game, steps[place - 1].position, seconds, steps[place].turn), true);
    if (shares[place].value && isUnknown(shares[place].value)) break; // before that even more cards were hidden
  }
  return shares;
}

/** True if odds say nothing: no turn was solved in any world. */
export const isUnknown = ({ turns, worlds }) => turns.length > 1 && turns.every((one) => one.unsolved === worlds);

/** Why a turn of a position is worth what it is, and the table in the end. */
function explained(view, ask, position) {
  const { game, why } = view.state;
  view.why = ask(paths.why(game, position, why));
  view.ending = lastLook(game, view.why, ask);
}

/** The table in the end, as a reason tells it. @param {Entry} reason */
function lastLook(game, reason, ask) {
  const { line, next } = reason.value || {};
  const last = line?.length ? line.at(-1).position : next;
  return last ? ask(paths.look(game, last)) : null;
}

const moveOf = (game, position, player) => {
  if (player !== "perfect") return paths.move(game, position, player);
  return isLarge(game, position) ? paths.move(game, position, STRONG) : paths.best(game, position);
};

/** The table after n turns. When the round is over there is no position, and the table is what the last turn left. */
function tableAt(game, steps, n) {
  const { position, turn } = steps[n];
  if (position !== null) return tableOf(game, position, n % 2);
  const before = tableOf(game, steps[n - 1].position, 1 - (n % 2));
  const left = playsOf(game, turn).reduce(lay, before);
  return { ...left, mover: null };
}

/** A turn that was played: who, the plays, and the cards that were drawn after it. */
function turnAt(game, steps, place) {
  const seat = 1 - (place % 2);
  const [before, after] = [place - 1, place].map((one) => steps[one].position && tableOf(game, steps[one].position, one % 2).seats[seat].hand);
  return { seat, plays: playsOf(game, steps[place].turn), drawn: (after || []).filter((card) => !before.includes(card)) };
}

/** The points of both seats after n turns. */
function wonBy(steps, n) {
  const won = [0, 0];
  steps.slice(1, n + 1).forEach((step, place) => (won[place % 2] += step.points));
  return won;
}

/** Who has won when the game is over: a seat; null for a draw, or while the game goes on. @param {View} view */
export function winnerOf({ over, table, won: [you, opponent] }) {
  if (!over) return null;
  if (over.winner) return over.winner === "mover" ? table.mover : 1 - table.mover;
  return you > opponent ? 0 : you < opponent ? 1 : null;
}

/** Who plays the seat that is to move. In a puzzle one turn is played, and nothing while one shares. @param {View} view */
export function seatOf({ state }) {
  const { mode, seats, n } = state;
  if (mode === "share" || (mode === "puzzles" && n)) return "nobody";
  return mode === "play" ? seats[n % 2] : "human";
}

/** The title of the window: whose turn it is while one plays, so that it is seen in a tab behind others. @param {View} view */
export function titleOf(view) {
  const { state, table, over } = view;
  const waits = state.mode === "play" && table && table.mover !== null && !over && seatOf(view) === "human";
  return [waits ? WORDS.is_to_move[table.mover] : "", WORDS.games[state.game], WORDS.modes[state.mode], WORDS.name].filter(Boolean).join(" \u00b7 ");
}

/** True if the game was played to its end, whichever of its positions is on the table. @param {View} view */
export const hasEnded = ({ steps }) => Boolean(steps.at(-1).over);

/** True if the cards that a player cannot see lie face down. @param {View} view */
export const isHidden = (view) => view.state.mode === "play" && view.state.cards === "own" && !hasEnded(view);

/** True if one can ask for the odds of one's turns: cards are hidden, and few enough are to be drawn for an answer. @param {View} view */
export const offersOdds = (view) => SERVED && isHidden(view) && view.position !== null && seatOf(view) === "human" && isLarge(view.state.game, view.position, 0) && !isLarge(view.state.game, view.position, ODDS_MOST);

/** True if the value of the position is shown. @param {View} view */
export const showsValues = (view) => view.state.mode === "look" || (view.state.mode === "play" && view.state.values === "on" && !isHidden(view));

/** What a play that is made next is worth if the turn goes on as well as it can: a record as that of an outcome; undefined if not known.
 *  @param {View} view @param {string} play */
export const worthOf = (view, play) => view.completions?.value?.choices?.find((one) => one.play === play);

/** How many cards of a position are still to be drawn. */
export function cardsLeft(game, position) {
  const table = tableOf(game, position);
  return table ? table.pile.length + table.seats[0].pile.length + table.seats[1].pile.length : Infinity;
}

/** True if more cards are to be drawn than a deal may have that is solved while one waits. */
export const isLarge = (game, position, most = SOLVABLE) => cardsLeft(game, position) > most;

