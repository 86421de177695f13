// What this browser remembers of its puzzles: the turns that were tried, which are solved, and on how many days in a row the puzzle of
// the day was; how strong one is in each game, and the set of ten that was begun. It stays in this browser, and the page works without it.
// Whatever else may stand there, of another version or written by hand, is read as nothing. What follows from it: standing.js.

import { BEGINNER, rated, strengthOf } from "./rating.js";

const NAME = "backtrick";
export const DAY = 86_400_000; // milliseconds
const WEEK = 7;
const MOST = 200; // mistakes in games that are kept

/** @typedef {{tries: string[], solved: boolean, shown: boolean, day: number}} Tried  day: the last on which it was tried and missed;
 *  0 if it was found since, so that it need not come back */
/** @typedef {{day: number, days: number, spared: number}} Streak  day: the last one that counts; spared: the last one that was missed */
/** @typedef {{points: number, deviation: number, number: number, change: number}} Rated  number, change: the last puzzle, and what it changed */
/** @typedef {{game: string, theme: string, numbers: number[]}} Ten */
/** @typedef {{puzzles: Record<string, Tried>, streak: Streak, ratings: Record<string, Rated>, set: Ten | null, mistakes: Record<string, number>}} Memory
 *  mistakes: in games, by game and position: the day of the last one, 0 if the best turn was found since */

export const NOTHING = Object.freeze({ tries: [], solved: false, shown: false, day: 0 });
const isObject = (value) => Boolean(value) && typeof value === "object" && !Array.isArray(value);

/** What is meant by a text that was kept. @param {string | null} text @returns {Memory} */
export function readMemory(text) {
  let kept;
  try {
    kept = JSON.parse(text || "{}");
  } catch {
    kept = {};
  }
  const { puzzles, streak, ratings, set, mistakes } = isObject(kept) ? kept : /** @type {any} */ ({});
  const [day, days, spared] = ["day", "days", "spared"].map((name) => (isObject(streak) && Number.isSafeInteger(streak[name]) ? streak[name] : 0));
  const read = Object.entries(isObject(puzzles) ? puzzles : {}).filter(([name, one]) => /^\w+:\d+$/.test(name) && isObject(one) && Array.isArray(one.tries));
  return {
    puzzles: Object.fromEntries(read.map(([name, one]) => [name, {
      tries: one.tries.filter((turn) => typeof turn === "string").slice(0, TRIES), solved: one.solved === true, shown: one.shown === true,
      day: Number.isSafeInteger(one.day) ? one.day : 0,
    }])),
    streak: { day, days, spared },
    ratings: Object.fromEntries(Object.entries(isObject(ratings) ? ratings : {}).filter(([game, one]) => /^\w+$/.test(game) && isRated(one))),
    set: isSet(set) ? { game: set.game, theme: set.theme, numbers: set.numbers } : null,
    mistakes: Object.fromEntries(Object.entries(isObject(mistakes) ? mistakes : {})
      .filter(([name, day]) => /^\w+:[\d^v:,+ !?-]+$/.test(name) && Number.isSafeInteger(day)).slice(-MOST)),
  };
}

const isRated = (one) => isObject(one) && ["points", "deviation", "number", "change"].every((name) => Number.isFinite(one[name]))
  && Math.abs(one.points) < 10_000 && one.deviation > 0 && one.deviation <= BEGINNER.deviation;
const isSet = (one) => isObject(one) && [one.game, one.theme].every((name) => /^[\w-]+$/.test(name)) && Array.isArray(one.numbers) && one.numbers.every(Number.isSafeInteger);

/** @returns {Memory} */
export function remembered(storage) {
  try {
    return readMemory(storage.getItem(NAME));
  } catch {
    return readMemory(null); // a browser may forbid it
  }
}

export function remember(storage, memory) {
  try {
    storage.setItem(NAME, JSON.stringify(memory));
  } catch {
    // A browser may forbid it.
  }
}

/** The number of the day where the reader is: it begins at midnight there. @param {number} now milliseconds
 *  @param {number} [offset] minutes by which the clock of the world is ahead */
export const dayOf = (now, offset = new Date(now).getTimezoneOffset()) => Math.floor((now - offset * 60_000) / DAY);

const STEP = 7919; // a prime, so that every puzzle has its day
const LEVELS = 5;
const LEVEL_OF = [2, 0, 1, 2, 2, 3, 4]; // from Sunday on: a week begins with very easy puzzles, and its Saturday is very hard
const FIRST_WEEKDAY = 4; // day 0 was a Thursday

/** The number of the puzzle of the day, of `count`, which are sorted by level. @param {number} day @param {number} count */
export function puzzleOfDay(day, count) {
  const each = Math.floor(count / LEVELS);
  return LEVEL_OF[(day + FIRST_WEEKDAY) % WEEK] * each + ((day * STEP) % each);
}

/** True on the day on which there is a puzzle of each game to do. @param {number} day */
export const isSunday = (day) => (day + FIRST_WEEKDAY) % WEEK === 0;

export const nameOf = (game, number) => `${game}:${number}`;

/** What was tried of a puzzle. @returns {Tried} */
export const triedOf = (storage, game, number) => remembered(storage).puzzles[nameOf(game, number)] || { ...NOTHING };

/** True if no puzzle of a game was tried in this browser. */
export const isNew = (storage, game) => !Object.keys(remembered(storage).puzzles).some((name) => name.startsWith(`${game}:`));

/** True if a streak goes on although a day between its last one and `day` was missed: once in seven days it does. */
export const isSpared = (streak, day) => day === streak.day + 2 && day - 1 - streak.spared >= WEEK;

/** So many turns may be tried. */
export const TRIES = 3;

/** False if a puzzle was missed: its solution on the table is only looked at. @param {Tried} one */
export const isFound = ({ solved, day }) => solved || !day;

/** True if nothing that is tried of a puzzle counts any more. @param {Tried} one */
export const isDone = ({ tries, solved, shown }) => solved || shown || tries.length >= TRIES;

const LATER = 3; // days until what was missed comes back

/** What was missed of a game some days ago, the oldest first. @param {Record<string, number>} missed the day of each, by game and name */
export const backOf = (missed, game, day) =>
  Object.entries(missed).filter(([name, last]) => name.startsWith(`${game}:`) && last && last + LATER <= day)
    .sort(([, one], [, other]) => one - other).map(([name]) => name.slice(game.length + 1));

/** The positions of a game in which a game that was played took a wrong turn some days ago, the oldest first. @param {number} day */
export const mistakesOf = (storage, game, day) => backOf(remembered(storage).mistakes, game, day);

/** A turn of a game was a mistake. @param {string} position before it */
export function mistaken(storage, game, position, today = dayOf(Date.now())) {
  const memory = remembered(storage);
  if (nameOf(game, position) in memory.mistakes) return;
  memory.mistakes[nameOf(game, position)] = today;
  remember(storage, memory);
}

/** A position of a mistake has come back, and a turn was laid. @param {boolean} right */
function triedAgain(storage, game, position, right, today = dayOf(Date.now())) {
  const memory = remembered(storage);
  if (!mistakesOf(storage, game, today).includes(position)) return;
  memory.mistakes[nameOf(game, position)] = right ? 0 : today;
  remember(storage, memory);
}

/** A turn was tried. Solved is a puzzle whose solution was found by one of the first tries, not shown. ofDay: the day whose puzzle it is, if it is one. */
export function tried(storage, game, number, turn, right, ofDay = 0, today = dayOf(Date.now())) {
  const memory = remembered(storage);
  const before = memory.puzzles[nameOf(game, number)] || NOTHING;
  if (isDone(before)) {
    if (!before.day || before.day + LATER > today) return;
    memory.puzzles[nameOf(game, number)] = { ...before, day: right ? 0 : today }; // it has come back
    return remember(storage, memory);
  }
  if (before.tries.includes(turn)) return;
  const after = { ...before, tries: [...before.tries, turn], solved: right };
  memory.puzzles[nameOf(game, number)] = { ...after, day: isDone(after) && !right ? today : 0 };
  const { streak } = memory;
  if (right && ofDay > streak.day) {
    const spared = isSpared(streak, ofDay);
    memory.streak = {
      day: ofDay, days: spared || ofDay === streak.day + 1 ? streak.days + 1 : 1, spared: spared ? ofDay - 1 : streak.spared,
    };
  }
  remember(storage, memory);
}

/** How strong one is in a game. @returns {Rated} */
export const ratingOf = (storage, game) => remembered(storage).ratings[game] || { ...BEGINNER, number: -1, change: 0 };

/** Rates by a puzzle, of `of`, that has just been done. @param {Tried} before what was known of it before */
export function rate(storage, game, { number, of }, before) {
  const memory = remembered(storage);
  const after = memory.puzzles[nameOf(game, number)] || NOTHING;
  if (isDone(before) || !isDone(after)) return;
  const old = ratingOf(storage, game);
  const score = after.solved ? (after.tries.length > 1 ? 0.5 : 1) : 0;
  const now = rated(old, strengthOf(number, of), score);
  memory.ratings[game] = { ...now, number, change: Math.round(now.points) - Math.round(old.points) };
  remember(storage, memory);
}

/** The places of a game that is over at which a person did not lay the best turn, once all is known.
 *  @param {{state: import("./state.js").State, grades: (import("./store.js").Entry | null)[]}} view @returns {number[]} */
export function mistakesIn({ state, grades }) {
  if (grades.some((entry) => entry?.state === "waiting")) return [];
  return grades.flatMap((entry, place) => (entry?.value?.optimal === false && state.seats[1 - (place % 2)] === "human" ? [place] : []));
}

/** Notes in this browser what was tried, and mistakes in a game that is over. @param {import("./view.js").View} view */
export function noteTry(view) {
  const { ready, state, steps, puzzle, grades } = view;
  const grade = grades[1]?.value;
  if (ready && state.mode === "play") {
    if (grade && grade.optimal !== null) triedAgain(localStorage, state.game, state.start, grade.optimal);
    if (steps.at(-1).over) for (const place of mistakesIn(view)) mistaken(localStorage, state.game, steps[place - 1].position);
  }
  if (!ready || state.mode !== "puzzles" || !puzzle?.value || !grade || grade.optimal === null) return;
  const before = triedOf(localStorage, state.game, puzzle.value.number);
  tried(localStorage, state.game, puzzle.value.number, state.turns[0], grade.optimal, state.day);
  rate(localStorage, state.game, puzzle.value, before);
}
