// Which puzzles stand on a sheet for paper, as its address says it after #: f2f/10-19, tt/3,17,40; or positions with ~ between them.

import { FACE, plain, spelled, TAKE } from "./notation.js";
import { BETWEEN, SHORT } from "./state.js";

const MOST = 60; // puzzles of a sheet

/** @param {string} hash @returns {{game: string, numbers: number[]}} */
export function sheetOf(hash) {
  const [, listed = ""] = /^#?(?:f2f|tt)\/([\d,-]+)$/.exec(hash) || [];
  const numbers = listed.split(",").flatMap((part) => {
    const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) || [];
    return first === undefined ? [] : Array.from({ length: Math.min(MOST, Math.max(0, Number(last) - Number(first) + 1)) }, (_, place) => Number(first) + place);
  });
  return { game: /^#?tt\//.test(hash) ? TAKE : FACE, numbers: [...new Set(numbers)].slice(0, MOST) };
}

/** The positions that an address names in place of puzzles. @param {string} hash */
export function positionsOf(hash) {
  const [, listed = ""] = /^#?(?:f2f|tt)\/(.+_.+)$/.exec(hash) || [];
  return listed.split(BETWEEN).filter(Boolean).slice(0, MOST).map(plain);
}

/** The name of a sheet of positions. @param {string} game @param {string[]} positions */
export const positionsName = (game, positions) => `${SHORT[game]}/${positions.slice(0, MOST).map(spelled).join(BETWEEN)}`;

/** The name of a sheet: numbers in a row become a range. @param {string} game @param {number[]} numbers */
export function sheetName(game, numbers) {
  const ranges = [];
  for (const number of numbers) {
    if (ranges.length && ranges.at(-1)[1] === number - 1) ranges.at(-1)[1] = number;
    else ranges.push([number, number]);
  }
  return `${SHORT[game]}/${ranges.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join(",")}`;
}
