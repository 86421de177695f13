// Notation, as the page reads and writes it: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { FACE, lay, plain, playsOf, spelled, TAKE, tableOf, textOf } from "../../../solver/backtrick/web/static/notation.js";
import { tableSeen, viewOf } from "../../../solver/backtrick/web/static/seen.js";
import { signed } from "../../../solver/backtrick/web/static/signed.js";

const POSITIONS = [
  [FACE, "52^6v:16,18,19,57 53^15v:4,7,29,44"],
  [FACE, "27^40v:17,18,45+9,33,50 13^50v:5,12+4,7"],
  [FACE, "1^60v: 1^60v:"],
  [TAKE, "15,43,44 21,53 51-62-35"],
  [TAKE, "12,43,94 21,76 34-41-49 55,63"],
  [TAKE, "- - -"],
];

test("a position is read and written back, in both spellings", () => {
  for (const [game, text] of POSITIONS) {
    assert.equal(textOf(tableOf(game, text)), text);
    assert.equal(plain(spelled(text)), text);
    assert.match(spelled(text), /^[\w.-]*$/);
  }
});

test("the mover's side goes to the seat that is to move", () => {
  const table = tableOf(FACE, POSITIONS[0][1], 1);
  assert.deepEqual(table.seats[1].hand, [16, 18, 19, 57]);
  assert.equal(textOf(table), POSITIONS[0][1]);
});

test("what is no position is null", () => {
  for (const text of ["", "hello", "27^40v:17", "1,2"]) assert.equal(tableOf(FACE, text), null);
  for (const text of ["", "12 13", "12 13 14 15 16", "12 x 34", "12 13 34-35 x", "27^40v:17 13^50v:5"]) assert.equal(tableOf(TAKE, text), null);
});

test("words and turns keep their letters", () => {
  for (const turn of ["16v 18v'", "take,41", "take", "53x35", "4v 7^'"]) assert.equal(plain(spelled(turn)), turn);
});

test("the plays of a turn change the table", () => {
  const table = playsOf(FACE, "16v 18v'").reduce(lay, tableOf(FACE, POSITIONS[0][1]));
  assert.deepEqual(table.seats.map((side) => side.tops), [{ "^": 52, v: 16 }, { "^": 53, v: 18 }]);
  assert.deepEqual(table.seats[0].hand, [19, 57]);
  const other = playsOf(FACE, "18v'").reduce(lay, tableOf(FACE, POSITIONS[0][1], 1));
  assert.deepEqual(other.seats.map((side) => side.tops.v), [18, 6]);
  const line = (turn) => playsOf(TAKE, turn).reduce(lay, tableOf(TAKE, POSITIONS[3][1])).line;
  assert.deepEqual([line("44"), line("15x51"), line("take"), line("take,44")], [[51, 62, 35, 44], [62, 35], [], [44]]);
  assert.deepEqual(playsOf(FACE, "nonsense"), []);
});

test("what a player sees hides the other hand and the piles, whoever is to move", () => {
  const [face, take] = [1, 4].map((place) => [0, 1].map((mover) => tableOf(POSITIONS[place][0], POSITIONS[place][1], mover)));
  for (const table of face) assert.equal(viewOf(table), "27^40v:17,18,45+?9,33,50 13^50v:?2:4,5,7,12");
  for (const table of take) assert.match(viewOf(table), /^12,43,94 \?2 34-41-49 \?2 !13,14,.*,98$/);
  const unseen = viewOf(take[0]).split("!")[1].split(",");
  assert.deepEqual([unseen.length, unseen.filter((card) => !(card % 10))], [69, []]);
  const seen = tableSeen(FACE, viewOf(face[0]));
  assert.deepEqual(seen.seats.map((side) => [side.hand.length, side.pile.length]), [[3, 3], [2, 2]]);
  assert.deepEqual(tableSeen(FACE, "45^17v:50 43^20v:?0:").seats[1], { tops: { "^": 43, v: 20 }, hand: [], pile: [] });
  const line = tableSeen(TAKE, "12 ?1 34-41");
  assert.deepEqual([line.seats[1].hand, line.pile, line.line], [[0], [], [34, 41]]);
});

test("a number has a sign, and zero has none", () => {
  assert.deepEqual([2, -2, 0].map(signed), ["+2", "\u22122", "0"]);
});
