// How one stands in the puzzles, from what this browser remembers of them (remembered.js): how many are solved, on how many days, which
// come back, the set of ten that was begun. And all of it as a file to take along.

import { strengthOf } from "./rating.js";
import { backOf, DAY, dayOf, isDone, isSpared, nameOf, NOTHING, readMemory, remember, remembered, TRIES } from "./remembered.js";

/** @typedef {import("./remembered.js").Ten} Ten */

/** Milliseconds until the next day begins where the reader is. @param {number} now @param {number} [offset] */
export const untilNextDay = (now, offset = new Date(now).getTimezoneOffset()) => (dayOf(now, offset) + 1) * DAY + offset * 60_000 - now;

/** How many puzzles of a game are solved. */
export const solvedOf = (storage, game) =>
  Object.entries(remembered(storage).puzzles).filter(([name, one]) => name.startsWith(`${game}:`) && one.solved).length;

/** How many puzzles were solved by the first try, by the second, by the third, and by none. */
export function triesOf(storage) {
  const counts = Array(TRIES + 1).fill(0);
  for (const { tries, solved, shown } of Object.values(remembered(storage).puzzles)) {
    if (solved) counts[tries.length - 1] += 1;
    else if (shown || tries.length === TRIES) counts[TRIES] += 1;
  }
  return counts;
}

/** On how many days in a row the puzzle of the day of either game was solved, up to this day or the day before. */
export function streakOf(storage, day) {
  const { streak } = remembered(storage);
  return streak.day >= day - 1 || isSpared(streak, day) ? streak.days : 0;
}

/** The puzzles of a game that were missed some days ago, the oldest first. @param {number} day @returns {number[]} */
export const missedOf = (storage, game, day) =>
  backOf(Object.fromEntries(Object.entries(remembered(storage).puzzles).map(([name, one]) => [name, one.day])), game, day).map(Number);

/** The solution was shown before it was found. */
export function shown(storage, game, number, today = dayOf(Date.now())) {
  const memory = remembered(storage);
  const before = memory.puzzles[nameOf(game, number)] || NOTHING;
  memory.puzzles[nameOf(game, number)] = { ...before, shown: true, day: isDone(before) ? before.day : today };
  remember(storage, memory);
}

/** Keeps the set of ten that was begun. @param {Ten} set */
export const keepSet = (storage, set) => remember(storage, { ...remembered(storage), set });

/** The set to which a puzzle belongs; null if to none. @returns {Ten | null} */
export function setOf(storage, game, number) {
  const { set } = remembered(storage);
  return set && set.game === game && set.numbers.includes(number) ? set : null;
}

const TEN = 10;

/** A set: the ten puzzles as hard as one is strong, or all if there are fewer; easy ones first. @param {number[]} numbers of puzzles that are not
 *  done, in order @param {number} points @param {number} count */
export function tenOf(numbers, points, count) {
  const far = (number) => Math.abs(strengthOf(number, count) - points);
  return [...numbers].sort((one, other) => far(one) - far(other)).slice(0, TEN).sort((one, other) => one - other);
}

/** What is kept, as a file to take along. */
export const takenAlong = (storage) => JSON.stringify(remembered(storage));

/** Adds what a file brings. Of a puzzle that both know, more tries count; of the streaks, the one that reaches further; of ratings, the surer. */
export function broughtAlong(storage, text) {
  const [here, there] = [remembered(storage), readMemory(text)];
  for (const [name, one] of Object.entries(there.puzzles)) {
    const known = here.puzzles[name];
    if (!known || one.tries.length > known.tries.length || (one.solved && !known.solved)) here.puzzles[name] = one;
  }
  const further = there.streak.day > here.streak.day || (there.streak.day === here.streak.day && there.streak.days > here.streak.days);
  for (const [game, one] of Object.entries(there.ratings)) if (!(here.ratings[game]?.deviation <= one.deviation)) here.ratings[game] = one;
  remember(storage, { ...here, mistakes: { ...there.mistakes, ...here.mistakes }, streak: further ? there.streak : here.streak, set: here.set || there.set });
}
