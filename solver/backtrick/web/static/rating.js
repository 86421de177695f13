// How strong one is in puzzles, by the formulas of Glicko for one game. A puzzle is an opponent whose strength its place in the list tells.

/** @typedef {{points: number, deviation: number}} Rating */

/** Who has tried no puzzle. @type {Rating} */
export const BEGINNER = Object.freeze({ points: 1200, deviation: 350 });

const LEAST = 60; // of the deviation, so that no rating stands still
const [EASIEST, RANGE] = [800, 1000];
const SCALE = Math.LN10 / 400;

/** The strength of a puzzle, of `count`, which are sorted by how hard they look. @param {number} number @param {number} count */
export const strengthOf = (number, count) => EASIEST + (RANGE * number) / count;

/** The rating after a puzzle. score: 1 if it was solved at once, 1/2 if later, 0 if not. @param {Rating} before @param {number} strength
 *  @param {number} score @returns {Rating} */
export function rated({ points, deviation }, strength, score) {
  const expected = 1 / (1 + Math.exp(SCALE * (strength - points)));
  const certainty = deviation ** -2 + SCALE ** 2 * expected * (1 - expected);
  return { points: points + (SCALE / certainty) * (score - expected), deviation: Math.max(LEAST, certainty ** -0.5) };
}
