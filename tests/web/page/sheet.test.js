// Sheets for paper, and the rule of thumb of a day: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { positionsName, positionsOf, sheetName, sheetOf } from "../../../solver/backtrick/web/static/sheet.js";
import { thumbOf, THUMBS } from "../../../solver/backtrick/web/static/thumb.js";

test("an address names puzzles, in ranges and one by one", () => {
  assert.deepEqual(sheetOf("#f2f/10-13,3,11"), { game: "face_to_face", numbers: [10, 11, 12, 13, 3] });
  assert.deepEqual(sheetOf("#tt/7"), { game: "take_that", numbers: [7] });
});

test("what is no list of puzzles is an empty sheet, and no sheet is endless", () => {
  for (const hash of ["", "#", "#f2f", "#f2f/", "#chess/3", "#f2f/3-1", "#f2f/-", "#f2f/x", "#f2f/9999999999", "#f2f/3-9999999999"]) assert.deepEqual(sheetOf(hash).numbers, [], hash);
  assert.equal(sheetOf("#tt/0-999999999").numbers.length, 60);
});

test("a sheet has a short name, which names it", () => {
  assert.equal(sheetName("face_to_face", [10, 11, 12, 20]), "f2f/10-12,20");
  const numbers = [1, 2, 3, 9, 40, 41];
  assert.deepEqual(sheetOf(`#${sheetName("take_that", numbers)}`), { game: "take_that", numbers });
});

test("an address names positions in place of puzzles", () => {
  const positions = ["52^6v:16,18 53^15v:4,7", "27^40v:17,18,45+9,33,50 13^50v:5,12+4,7"];
  const name = positionsName("face_to_face", positions);
  assert.equal(name, "f2f/52a6vh16.18_53a15vh4.7~27a40vh17.18.45p9.33.50_13a50vh5.12p4.7");
  assert.deepEqual(positionsOf(`#${name}`), positions);
  assert.deepEqual(sheetOf(`#${name}`), { game: "face_to_face", numbers: [] });
  assert.deepEqual(positionsOf("#f2f/10-19,3"), []);
  assert.equal(positionsOf(`#tt/${"12_13_14~".repeat(99)}`).length, 60);
});

test("each rule of thumb of a game has its day", () => {
  for (const [game, count] of [["face_to_face", 6], ["take_that", 4]]) {
    const days = Array.from({ length: count }, (_, day) => thumbOf(game, 20_000 + day));
    assert.equal(new Set(days.map(({ place }) => place)).size, count);
    assert.ok(days.every(({ place, cost }) => THUMBS[place].game === game && cost === THUMBS[place].cost));
  }
});
