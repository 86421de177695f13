// The sentence above the table: who is to move, what the position is worth, and what there is to do.

import { button, make } from "./dom.js";
import { FACE } from "./notation.js";
import { ALL, missing, ruleTag } from "./parts.js";
import { isFound, isNew, triedOf } from "./remembered.js";
import { valueElement } from "./turnview.js";
import { seatOf, showsValues, winnerOf } from "./view.js";
import { said, valueWords, WORDS } from "./words.js";

/** @param {import("./main.js").Page} page */
export function headline(page) {
  const { view } = page;
  if (view.over) return over(page);
  const { table, answer, state } = view;
  const parts = [make("span", { class: "who" }, view.puzzle ? puzzleTitle(view) : WORDS.is_to_move[table.mover])];
  if (answer?.state === "failed") parts.push(missing(page, answer));
  else if (answer) parts.push(answer.value ? valueElement(answer.value, table.mover) : make("span", { class: "value" }, WORDS.loading));
  if (answer?.value && state.game !== FACE && answer.value.value !== undefined && view.won.some(Boolean)) parts.push(make("small", {}, finalScore(view, answer.value)));
  if (answer?.value?.source && answer.value.source !== "search") parts.push(make("small", {}, WORDS.source(answer.value.source)));
  return make("div", { class: `headline${isGlad(view) ? " glad" : ""}`, key: "headline" }, make("p", {}, parts.flatMap((part) => [part, " "])), make("p", { class: "todo" }, todo(view), " ", newcomer(page)));
}

/** For somebody who knows neither the game nor the page: where to begin. */
function newcomer(page) {
  const { game, mode, n } = page.view.state;
  if (mode !== "puzzles" || n || !isNew(localStorage, game)) return null;
  return button(WORDS.rules_of(WORDS.games[game]), () => page.set({ rules: ALL }), { class: "link", "aria-haspopup": "dialog", data: { key: "new-rules" } });
}

/** What a puzzle is called: by its day if it was opened as that of the day. @param {import("./view.js").View} view */
export function puzzleTitle({ state: { day }, puzzle: { value: { number } } }) {
  if (!day) return WORDS.puzzle(number);
  const date = new Date(day * 86_400_000);
  return `${WORDS.of_the_day}, ${WORDS.day(date.getUTCDate(), WORDS.months[date.getUTCMonth()])}`; // a browser takes long to name its first month
}

/** True if there is something to be glad about: a puzzle that is solved, or a game that a person has won. @param {import("./view.js").View} view */
export function isGlad(view) {
  const { mode, game, n, puzzle } = view.state;
  if (mode === "puzzles") return Boolean(n && view.grades[1]?.value?.optimal) && isFound(triedOf(localStorage, game, Number(puzzle)));
  return mode === "play" && winnerOf(view) !== null && view.state.seats[winnerOf(view)] === "human";
}

/** What there is to do, in a sentence. */
function todo(view) {
  const { state, table, answer } = view;
  const { hand } = table.seats[table.mover];
  if (state.mode === "puzzles" && state.n) return tried(view);
  if (state.mode === "puzzles") return WORDS.puzzle_todo[state.game](hand.length);
  const outcomes = answer?.value?.outcomes;
  if (outcomes && state.laid) return soFar(view, outcomes);
  if (!outcomes?.length || valueWords(outcomes[0], table.mover).kind === "open") {
    return state.mode === "play" && !showsValues(view) && seatOf(view) === "human" ? WORDS.goal[state.game] : "";
  }
  const right = outcomes.filter((one) => isRight(state.game, one, outcomes[0])).length;
  if (state.game === FACE && outcomes[0].outcome === "loss") return WORDS.all_lose[table.mover](outcomes.length);
  return WORDS.some_right[state.game](right, outcomes.length);
}

/** Whether the turn on the table solves the puzzle. */
function tried(view) {
  const grade = view.grades[1]?.value;
  if (!grade) return "";
  return grade.optimal ? `${isGlad(view) ? `${WORDS.grade_signs.good} ` : ""}${WORDS.the_only_one}` : `${WORDS.grade_signs.bad} ${WORDS.not_this}`;
}

/** What the cards that are laid so far can still become. */
function soFar(view, outcomes) {
  const { turns } = view.completions?.value || {};
  if (!turns) return "";
  const left = new Set(turns);
  const good = outcomes.filter((one) => left.has(one.turn) && isRight(view.state.game, one, outcomes[0])).length;
  return WORDS.so_far[view.state.game](good, turns.length);
}

/** True if a turn wins; in a game of points, if it is as good as the best. */
export const isRight = (game, outcome, best) => (game === FACE ? outcome.outcome === "win" : outcome.value === best.value);

/** The points in the end, with those scored so far. */
export function finalScore({ won, table }, { value }) {
  const ahead = won[0] - won[1] + (table.mover ? -value : value);
  return WORDS.in_all(ahead);
}

/** Who has won, and why the game is over. */
function over(page) {
  const { view } = page;
  const { winner, rule } = view.over;
  return make("div", { class: `headline over${isGlad(view) ? " glad" : ""}`, key: "headline" },
    make("p", {}, make("span", { class: "who" }, overWords(view)), !winner && make("small", {}, ` ${WORDS.final(view.won)}`)),
    make("p", { class: "todo" }, reasonOf(view), " ", ruleTag(page, rule)));
}

/** @param {import("./view.js").View} view */
export function overWords(view) {
  const winner = winnerOf(view);
  return `${WORDS.over} ${winner === null ? WORDS.nobody_won : WORDS.has_won[winner]}`;
}

/** Why the game is over, in a sentence. @param {import("./view.js").View} view */
export function reasonOf({ over: { problem, rule }, table }) {
  const words = WORDS.ended[rule];
  return words ? words(table.mover, table.seats[table.mover].hand) : `${said(problem)[0].toUpperCase()}${said(problem).slice(1)}.`;
}
