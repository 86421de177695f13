// What this browser remembers of its puzzles: the turns that were tried, which are solved, and for each game on how many days in
// a row the puzzle of the day was. It stays in this browser, and the page works without it.

const NAME = "backtrick";
const DAY = 86_400_000; // milliseconds

/** @typedef {{tries: string[], solved: boolean, shown: boolean}} Tried */
/** @typedef {{puzzles: Record<string, Tried>, streaks: Record<string, {day: number, days: number}>}} Memory */

/** @returns {Memory} */
function remembered(storage) {
  const nothing = { puzzles: {}, streaks: {} };
  try {
    return { ...nothing, ...JSON.parse(storage.getItem(NAME)) };
  } catch {
    return nothing;
  }
}

function remember(storage, memory) {
  try {
    storage.setItem(NAME, JSON.stringify(memory));
  } catch {
    // A browser may forbid it.
  }
}

/** The number of the day: the same for all, wherever they are. @param {number} now milliseconds */
export const dayOf = (now) => Math.floor(now / DAY);

const STEP = 7919; // a prime, so that every puzzle has its day

/** The number of the puzzle of the day, of `count`. @param {number} day @param {number} count */
export const puzzleOfDay = (day, count) => (day * STEP) % count;

const nameOf = (game, number) => `${game}:${number}`;

/** What was tried of a puzzle. @returns {Tried} */
export const triedOf = (storage, game, number) => remembered(storage).puzzles[nameOf(game, number)] || { tries: [], solved: false, shown: false };

/** True if no puzzle of a game was tried in this browser. */
export const isNew = (storage, game) => !Object.keys(remembered(storage).puzzles).some((name) => name.startsWith(`${game}:`));

/** How many puzzles of a game are solved. */
export const solvedOf = (storage, game) =>
  Object.entries(remembered(storage).puzzles).filter(([name, one]) => name.startsWith(`${game}:`) && one.solved).length;

/** How many days in a row the puzzle of the day of a game was solved, up to this day or the day before. */
export function streakOf(storage, game, day) {
  const streak = remembered(storage).streaks[game] || { day: 0, days: 0 };
  return streak.day >= day - 1 ? streak.days : 0;
}

/** So many turns may be tried. */
export const TRIES = 3;

/** A turn was tried. Solved is a puzzle whose solution was found by one of the first tries, not shown. ofDay: the day whose puzzle it is, if it is one. */
export function tried(storage, game, number, turn, right, ofDay = 0) {
  const memory = remembered(storage);
  const before = triedOf(storage, game, number);
  if (before.solved || before.tries.includes(turn)) return;
  const solved = right && !before.shown && before.tries.length < TRIES;
  memory.puzzles[nameOf(game, number)] = { ...before, tries: [...before.tries, turn], solved };
  const streak = memory.streaks[game];
  if (solved && ofDay && streak?.day !== ofDay) {
    memory.streaks[game] = { day: ofDay, days: streak?.day === ofDay - 1 ? streak.days + 1 : 1 };
  }
  remember(storage, memory);
}

/** The solution was shown before it was found. */
export function shown(storage, game, number) {
  const memory = remembered(storage);
  memory.puzzles[nameOf(game, number)] = { ...triedOf(storage, game, number), shown: true };
  remember(storage, memory);
}

/** Notes in this browser what was tried. @param {import("./view.js").View} view */
export function noteTry({ ready, state, puzzle, grades }) {
  const grade = grades[1]?.value;
  if (!ready || state.mode !== "puzzles" || !puzzle?.value || !grade || grade.optimal === null) return;
  const { number, of } = puzzle.value;
  const day = dayOf(Date.now());
  tried(localStorage, state.game, number, state.turns[0], grade.optimal, puzzleOfDay(day, of) === number ? day : 0);
}
