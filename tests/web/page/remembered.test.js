// What the browser remembers of its puzzles: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf, puzzleOfDay, shown, solvedOf, streakOf, tried, triedOf } from "../../../solver/backtrick/web/static/remembered.js";

const storage = () => {
  const kept = new Map();
  return { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
};

test("a puzzle is solved by the turn that was found, and every other turn counts once", () => {
  const kept = storage();
  tried(kept, "take_that", 96, "44", false);
  tried(kept, "take_that", 96, "44", false);
  tried(kept, "take_that", 96, "43", true);
  tried(kept, "take_that", 96, "44", false);
  assert.deepEqual(triedOf(kept, "take_that", 96), { tries: ["44", "43"], solved: true, shown: false });
  assert.equal(solvedOf(kept, "take_that"), 1);
  assert.equal(solvedOf(kept, "face_to_face"), 0);
});

test("a solution that was shown is not solved", () => {
  const kept = storage();
  shown(kept, "take_that", 1);
  tried(kept, "take_that", 1, "44", true);
  assert.equal(solvedOf(kept, "take_that"), 0);
});

test("after three wrong tries a puzzle is not solved any more", () => {
  const kept = storage();
  for (const turn of ["41", "42", "43"]) tried(kept, "take_that", 5, turn, false);
  tried(kept, "take_that", 5, "44", true);
  assert.equal(solvedOf(kept, "take_that"), 0);
});

test("days in a row make a streak, and a day without one ends it", () => {
  const kept = storage();
  for (const [day, number] of [[10, 1], [11, 2], [12, 3]]) tried(kept, "take_that", number, "44", true, day);
  assert.deepEqual([12, 13, 14].map((day) => streakOf(kept, "take_that", day)), [3, 3, 0]);
  assert.equal(streakOf(kept, "face_to_face", 12), 0);
  tried(kept, "take_that", 4, "44", true, 14);
  assert.equal(streakOf(kept, "take_that", 14), 1);
});

test("every puzzle has its day", () => {
  assert.equal(new Set(Array.from({ length: 1000 }, (_, day) => puzzleOfDay(20_000 + day, 1000))).size, 1000);
  assert.equal(dayOf(Date.UTC(2026, 10, 23, 23, 59)), dayOf(Date.UTC(2026, 10, 23)));
});

test("a browser that keeps nothing, or nonsense, is no hindrance", () => {
  const broken = { getItem: () => "{", setItem: () => { throw new Error("full"); } };
  tried(broken, "take_that", 1, "44", true);
  assert.equal(solvedOf(broken, "take_that"), 0);
});
