// How strong one is in puzzles, and what fits: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { BEGINNER, rated, strengthOf } from "../../../solver/backtrick/web/static/rating.js";
import { tenOf } from "../../../solver/backtrick/web/static/standing.js";

test("1500 with a deviation of 200 solves a puzzle of 1400", () => {
  const { points, deviation } = rated({ points: 1500, deviation: 200 }, 1400, 1); // by hand: E = 0.640065, d = 361.9
  assert.ok(Math.abs(points - 1563.46) < 0.1 && Math.abs(deviation - 175.04) < 0.1, `${points} ${deviation}`);
});

test("who solves a puzzle gains, who does not loses, and more if it was easy; a half between them", () => {
  const after = (strength, score) => rated(BEGINNER, strength, score).points - BEGINNER.points;
  assert.ok(after(1200, 1) > 0 && after(1200, 0) < 0 && after(1200, 0.5) === 0);
  assert.ok(after(1600, 1) > after(1200, 1) && after(800, 0) < after(1200, 0));
});

test("a rating becomes surer with each puzzle, and never stands still", () => {
  let one = BEGINNER;
  for (let place = 0; place < 200; place += 1) {
    const next = rated(one, 1300, place % 2);
    assert.ok(next.deviation <= one.deviation);
    one = next;
  }
  assert.equal(one.deviation, 60);
  assert.ok(Math.abs(one.points - 1300) < 30);
});

test("a set is the ten puzzles about as hard as one is strong, easy ones first", () => {
  assert.deepEqual([strengthOf(0, 1000), strengthOf(500, 1000)], [800, 1300]);
  const all = Array.from({ length: 1000 }, (_, number) => number);
  assert.deepEqual(tenOf(all, 1300, 1000), [495, 496, 497, 498, 499, 500, 501, 502, 503, 504]);
  assert.deepEqual(tenOf(all, 2500, 1000), all.slice(-10));
  assert.deepEqual(tenOf([3, 900], 1300, 1000), [3, 900]);
  assert.deepEqual(tenOf([], 1300, 1000), []);
});
