// Sheets for paper, and the rule of thumb of a day: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { sheetName, sheetOf } from "../../../solver/backtrick/web/static/sheet.js";
import { thumbOf, THUMBS } from "../../../solver/backtrick/web/static/thumb.js";

test("an address names puzzles, in ranges and one by one", () => {
  assert.deepEqual(sheetOf("#f2f/10-13,3,11"), { game: "face_to_face", numbers: [10, 11, 12, 13, 3] });
  assert.deepEqual(sheetOf("#tt/7"), { game: "take_that", numbers: [7] });
});

test("what is no list of puzzles is an empty sheet, and no sheet is endless", () => {
  for (const hash of ["", "#", "#f2f", "#f2f/", "#chess/3", "#f2f/3-1", "#f2f/-", "#f2f/x", "#f2f/9999999999"]) assert.deepEqual(sheetOf(hash).numbers, [], hash);
  assert.equal(sheetOf("#tt/0-999999999").numbers.length, 60);
});

test("a sheet has a short name, which names it", () => {
  assert.equal(sheetName("face_to_face", [10, 11, 12, 20]), "f2f/10-12,20");
  const numbers = [1, 2, 3, 9, 40, 41];
  assert.deepEqual(sheetOf(`#${sheetName("take_that", numbers)}`), { game: "take_that", numbers });
});

test("each rule of thumb of a game has its day", () => {
  for (const [game, count] of [["face_to_face", 6], ["take_that", 4]]) {
    const days = Array.from({ length: count }, (_, day) => thumbOf(game, 20_000 + day));
    assert.equal(new Set(days.map(({ place }) => place)).size, count);
    assert.ok(days.every(({ place, cost }) => THUMBS[place].game === game && cost === THUMBS[place].cost));
  }
});
