// Where a key leads in a game: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { placeFor } from "../../../solver/backtrick/web/static/play.js";

const state = (n, seats, mode = "play") => ({ n, turns: ["a", "b", "c", "d", "e"], seats, mode });
const walk = (key, from, isOver, seats = ["human", "tuned"]) => {
  const places = [from];
  for (let next = placeFor(key, state(from, seats), isOver); next !== places.at(-1); next = placeFor(key, state(next, seats), isOver)) places.push(next);
  return places;
};

test("against another player a key goes from own turn to own turn", () => {
  assert.deepEqual(walk("ArrowRight", 0, false), [0, 2, 4, 5]);
  assert.deepEqual(walk("ArrowLeft", 4, false), [4, 2, 0]);
});

test("a game that is over is replayed turn by turn", () => {
  assert.deepEqual(walk("ArrowRight", 0, true), [0, 1, 2, 3, 4, 5]);
  assert.deepEqual(walk("ArrowLeft", 5, true), [5, 4, 3, 2, 1, 0]);
});

test("so it is where both seats are human, and where nobody plays", () => {
  assert.deepEqual(walk("ArrowRight", 0, false, ["human", "human"]), [0, 1, 2, 3, 4, 5]);
  assert.equal(placeFor("ArrowRight", state(0, ["human", "tuned"], "look"), false), 1);
});

test("to the ends, and nowhere by other keys", () => {
  assert.deepEqual(["Home", "End", "x", "?"].map((key) => placeFor(key, state(2, ["human", "tuned"]), false)), [0, 5, 2, 2]);
});
