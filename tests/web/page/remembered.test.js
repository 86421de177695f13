// What the browser remembers of its puzzles: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { dayOf, isFound, isSunday, mistaken, mistakesIn, mistakesOf, noteTry, puzzleOfDay, rate, ratingOf, readMemory, tried, triedOf } from "../../../solver/backtrick/web/static/remembered.js";
import { broughtAlong, keepSet, missedOf, setOf, shown, solvedOf, streakOf, takenAlong, triesOf, untilNextDay } from "../../../solver/backtrick/web/static/standing.js";
import { replaced } from "./replaced.js";

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
  assert.deepEqual(triedOf(kept, "take_that", 96), { tries: ["44", "43"], solved: true, shown: false, day: 0 });
  assert.equal(solvedOf(kept, "take_that"), 1);
  assert.equal(solvedOf(kept, "face_to_face"), 0);
});

test("a solution that was shown is not solved", () => {
  const kept = storage();
  shown(kept, "take_that", 1);
  tried(kept, "take_that", 1, "44", true);
  assert.equal(solvedOf(kept, "take_that"), 0);
});

test("a puzzle never has more than three marks, whatever is tried after them", () => {
  const kept = storage();
  for (const turn of ["41", "42", "43"]) tried(kept, "take_that", 5, turn, false, 0, 100);
  tried(kept, "take_that", 5, "44", true, 0, 100);
  assert.deepEqual(triedOf(kept, "take_that", 5), { tries: ["41", "42", "43"], solved: false, shown: false, day: 100 });
  shown(kept, "take_that", 6);
  tried(kept, "take_that", 6, "44", true);
  assert.deepEqual(triedOf(kept, "take_that", 6).tries, []);
});

test("days in a row make a streak over both games, and two days without one end it", () => {
  const kept = storage();
  for (const [day, game] of [[10, "take_that"], [11, "face_to_face"], [12, "take_that"]]) tried(kept, game, day, "44", true, day);
  assert.deepEqual([12, 13, 14, 15].map((day) => streakOf(kept, day)), [3, 3, 3, 0]);
  tried(kept, "face_to_face", 3, "44", true, 12); // the other game on the same day
  assert.equal(streakOf(kept, 12), 3);
  tried(kept, "take_that", 4, "44", true, 15);
  assert.equal(streakOf(kept, 15), 1);
  const other = storage();
  tried(other, "take_that", 4, "44", true); // the puzzle of no day
  assert.equal(streakOf(other, 1), 0);
});

test("one day in seven may be missed", () => {
  const kept = storage();
  for (const day of [20, 21, 23, 24]) tried(kept, "take_that", day, "44", true, day);
  assert.equal(streakOf(kept, 24), 4);
  assert.equal(streakOf(kept, 26), 0); // a second one, four days after the first
  for (const day of [25, 26, 27, 28, 30]) tried(kept, "take_that", day, "44", true, day);
  assert.equal(streakOf(kept, 30), 9); // the 29th is a week after the 22nd
  const sooner = storage();
  for (const day of [20, 21, 23, 24, 25, 26, 27, 29]) tried(sooner, "take_that", day, "44", true, day);
  assert.equal(streakOf(sooner, 29), 1);
});

test("how the puzzles were solved: by the first try, the second, the third, not at all", () => {
  const kept = storage();
  tried(kept, "take_that", 1, "44", true);
  tried(kept, "face_to_face", 1, "43", false);
  tried(kept, "face_to_face", 1, "44", true);
  for (const turn of ["41", "42", "43"]) tried(kept, "take_that", 5, turn, false);
  shown(kept, "take_that", 6);
  tried(kept, "take_that", 7, "44", false); // goes on
  assert.deepEqual(triesOf(kept), [1, 1, 0, 2]);
});

test("a week begins very easy and its Saturday is very hard, and no puzzle comes twice in a hundred days", () => {
  const monday = 20_052; // 2024-11-25
  assert.equal(new Date(monday * 86_400_000).getUTCDay(), 1);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].map((day) => Math.floor(puzzleOfDay(monday + day, 1000) / 200)), [0, 1, 2, 2, 3, 4, 2]);
  assert.deepEqual([0, 1, 2, 3, 4, 5, 6].filter((day) => isSunday(monday + day)), [6]);
  assert.equal(new Set(Array.from({ length: 100 }, (_, day) => puzzleOfDay(monday + day, 1000))).size, 100);
});

test("a day begins at the reader's own midnight", () => {
  const midnight = Date.UTC(2026, 10, 24);
  assert.equal(dayOf(midnight - 1, 0) + 1, dayOf(midnight, 0));
  assert.equal(dayOf(midnight + 4 * 3_600_000, 300), dayOf(midnight, 0) - 1); // 23:00 in New York
  assert.equal(untilNextDay(midnight + 4 * 3_600_000, 300), 3_600_000);
  assert.equal(dayOf(midnight - 3_600_000, -60), dayOf(midnight, 0)); // 00:00 in Berlin
});

test("a browser that keeps nothing, or nonsense, is no hindrance", () => {
  const broken = { getItem: () => "{", setItem: () => { throw new Error("full"); } };
  tried(broken, "take_that", 1, "44", true);
  assert.equal(solvedOf(broken, "take_that"), 0);
  const forbidden = { getItem: () => { throw new Error("forbidden"); }, setItem: () => {} };
  assert.equal(streakOf(forbidden, 10), 0);
  for (const text of ["null", "[]", "7", '{"puzzles":null}', '{"puzzles":[1]}', '{"puzzles":{"take_that:1":null}}', '{"puzzles":{"take_that:1":{"tries":7}}}',
    '{"ratings":7,"set":7}', '{"ratings":{"take_that":{"points":"9"}},"set":{"game":"take_that","theme":"x","numbers":["1"]}}', '{"set":{"game":"","theme":null}}',
    '{"ratings":{"take_that":{"points":10000,"deviation":50,"number":1,"change":0}}}', '{"ratings":{"take_that":{"points":1e9,"deviation":50,"number":1,"change":0}}}', '{"ratings":{"take_that":{"points":1200,"deviation":0,"number":1,"change":0}}}',
    '{"streak":"x"}', '{"streak":{"day":"9","days":null}}', '{"puzzles":{"take_that:1":{"tries":[1,"44","45","46","47"],"solved":"yes"}}}', '{"puzzles":{"__proto__":{"tries":[]}}}']) {
    const kept = storage();
    kept.setItem("backtrick", text);
    assert.ok(triedOf(kept, "take_that", 1).tries.length <= 3, text);
    assert.deepEqual([solvedOf(kept, "take_that"), streakOf(kept, 10)], [0, 0], text);
    assert.deepEqual([ratingOf(kept, "take_that").points, setOf(kept, "take_that", 1)], [1200, null], text);
    tried(kept, "take_that", 2, "44", true, 10);
    assert.deepEqual([solvedOf(kept, "take_that"), streakOf(kept, 10)], [1, 1], text);
  }
});

test("what is nonsense is left out, and what is not stays", () => {
  const read = (kept) => readMemory(JSON.stringify(kept));
  const puzzle = { tries: ["44"], solved: true, shown: false, day: 3 };
  const puzzles = { "take_that:1": puzzle, "x y": puzzle, "take_that:": puzzle, "take_that:2": null, "take_that:3": ["44"], "take_that:4": { tries: "44" }, "take_that:5": { tries: ["44", 7], solved: 1, shown: "yes", day: 1.5 } };
  assert.deepEqual(read({ puzzles }).puzzles, { "take_that:1": puzzle, "take_that:5": { tries: ["44"], solved: false, shown: false, day: 0 } });
  const rating = { points: 1300, deviation: 60, number: 3, change: -2 };
  const nonsense = [{ deviation: 0 }, { deviation: 351 }, { points: 10_000 }, { points: -10_000 }, ...Object.keys(rating).map((name) => ({ [name]: null }))];
  for (const change of nonsense) assert.deepEqual(read({ ratings: { take_that: rating, face_to_face: { ...rating, ...change } } }).ratings, { take_that: rating }, JSON.stringify(change));
  for (const change of [{ deviation: 1 }, { deviation: 350 }, { points: -9999 }, { points: 0 }]) assert.deepEqual(read({ ratings: { face_to_face: { ...rating, ...change } } }).ratings, { face_to_face: { ...rating, ...change } });
  const set = { game: "take_that", theme: "toad", numbers: [7, 9] };
  assert.deepEqual([set, { ...set, numbers: [7, "9"] }, { ...set, theme: "<b>" }, { ...set, game: "" }].map((one) => read({ set: one }).set), [set, null, null, null]);
  assert.deepEqual(read({ mistakes: { [`face_to_face:${PLACE}`]: 5, "take_that:x": 5, "take_that:12 13 14": "5" } }).mistakes, { [`face_to_face:${PLACE}`]: 5 });
  const many = Object.fromEntries(Array.from({ length: 201 }, (_, day) => [`take_that:12 13 ${day + 14}`, day]));
  assert.deepEqual(Object.values(read({ mistakes: many }).mistakes), Array.from({ length: 200 }, (_, place) => place + 1), "the last two hundred");
});

test("what is kept can be taken along", () => {
  const [here, there] = [storage(), storage()];
  tried(here, "take_that", 1, "44", true, 10);
  tried(there, "take_that", 1, "41", false);
  tried(there, "take_that", 2, "44", true, 9);
  broughtAlong(there, takenAlong(here));
  assert.deepEqual([solvedOf(there, "take_that"), streakOf(there, 10)], [2, 1]);
  tried(here, "take_that", 3, "41", false);
  tried(there, "take_that", 3, "42", false);
  broughtAlong(there, takenAlong(here));
  assert.deepEqual(triedOf(there, "take_that", 3).tries, ["42"], "what is no further stays");
  const further = ([day, days], [otherDay, otherDays]) => {
    const [own, other] = [storage(), JSON.stringify({ streak: { day: otherDay, days: otherDays } })];
    own.setItem("backtrick", JSON.stringify({ streak: { day, days } }));
    broughtAlong(own, other);
    return streakOf(own, Math.max(day, otherDay));
  };
  assert.deepEqual([further([10, 3], [11, 1]), further([11, 1], [10, 3]), further([10, 2], [10, 3]), further([10, 3], [10, 2]), further([10, 3], [11, 4])], [1, 1, 3, 3, 4]);
  const [own, other] = [[9, 1300], [0, 1100]].map(([spared, points]) => JSON.stringify({ streak: { day: 10, days: 3, spared }, ratings: { take_that: { points, deviation: 60, number: 1, change: 0 } } }));
  const both = storage();
  both.setItem("backtrick", own);
  broughtAlong(both, other);
  assert.deepEqual([streakOf(both, 12), ratingOf(both, "take_that").points], [0, 1300], "of two that are as good, one's own");
  broughtAlong(there, "no file of this page");
  assert.equal(solvedOf(there, "take_that"), 2);
});

test("a puzzle that was missed comes back three days later, until it is found", () => {
  const kept = storage();
  for (const turn of ["41", "42", "43"]) tried(kept, "take_that", 5, turn, false, 0, 100);
  shown(kept, "take_that", 6, 99);
  shown(kept, "face_to_face", 7, 99);
  tried(kept, "take_that", 8, "44", true, 0, 99);
  assert.deepEqual([101, 102, 103].map((day) => missedOf(kept, "take_that", day)), [[], [6], [6, 5]]);
  tried(kept, "take_that", 6, "44", true, 0, 103);
  tried(kept, "take_that", 5, "41", false, 0, 103);
  assert.deepEqual([4, 5, 6, 8].map((number) => isFound(triedOf(kept, "take_that", number))), [true, false, true, true]);
  assert.deepEqual([103, 106].map((day) => missedOf(kept, "take_that", day)), [[], [5]]);
  assert.equal(solvedOf(kept, "take_that"), 1); // what is found then is learnt, and counts as it did
  assert.equal(triedOf(kept, "take_that", 5).tries.length, 3);
});

/** Tries turns of a puzzle, and rates after each as the page does. */
const play = (kept, number, ...rights) => {
  for (const right of rights) {
    const before = triedOf(kept, "take_that", number);
    tried(kept, "take_that", number, String(before.tries.length), right);
    rate(kept, "take_that", { number, of: 1000 }, before);
  }
  return ratingOf(kept, "take_that");
};

test("a puzzle changes the rating once, when it is done", () => {
  assert.ok(play(storage(), 400, true).change > 0);
  const kept = storage();
  assert.equal(play(kept, 400, false).points, 1200); // goes on
  const later = play(kept, 400, true);
  assert.deepEqual([later.number, later.change], [400, 0]); // as hard as one is strong, and found at the second try
  const once = play(kept, 900, true);
  assert.ok(once.points > 1200 && once.change === Math.round(once.points) - Math.round(later.points));
  assert.deepEqual(play(kept, 900, true), once);
  const lost = play(kept, 100, false, false, false);
  assert.ok(lost.change < 0 && lost.number === 100);
  assert.deepEqual(ratingOf(kept, "face_to_face"), { points: 1200, deviation: 350, number: -1, change: 0 }); // no puzzle has changed it
});

test("a set that was begun is known by its puzzles, and travels with the file, as ratings do", () => {
  const [here, there] = [storage(), storage()];
  play(here, 900, true);
  const { points } = play(here, 901, true);
  play(there, 5, false, false, false);
  keepSet(here, { game: "take_that", theme: "toad", numbers: [7, 9] });
  assert.equal(setOf(here, "take_that", 9).theme, "toad");
  assert.deepEqual([setOf(here, "take_that", 8), setOf(here, "face_to_face", 9)], [null, null]);
  broughtAlong(there, takenAlong(here));
  assert.equal(ratingOf(there, "take_that").points, points); // two puzzles are surer than one
  assert.deepEqual(setOf(there, "take_that", 7).numbers, [7, 9]);
  broughtAlong(here, takenAlong(storage()));
  assert.equal(ratingOf(here, "take_that").points, points);
});

const PLACE = "52^6v:16,18,19,57 53^15v:4,7,29,44";

test("a mistake in a game comes back three days later, until the best turn is found", (own) => {
  const localStorage = replaced(own, "localStorage", storage());
  const today = dayOf(Date.now());
  mistaken(localStorage, "face_to_face", PLACE, today - 3);
  mistaken(localStorage, "face_to_face", "24^3v:2,5,11 40^5v:9,30", today - 2);
  assert.deepEqual(mistakesOf(localStorage, "face_to_face", today), [PLACE]);
  assert.deepEqual(mistakesOf(localStorage, "take_that", today), []);
  const laid = (optimal) => noteTry({ ready: true, state: { mode: "play", game: "face_to_face", start: PLACE }, steps: [{}, {}], grades: [null, { value: { optimal } }] });
  laid(null);
  assert.deepEqual(mistakesOf(localStorage, "face_to_face", today), [PLACE]);
  laid(false);
  assert.deepEqual([0, 3].map((days) => mistakesOf(localStorage, "face_to_face", today + days).includes(PLACE)), [false, true]);
  const other = storage();
  broughtAlong(other, takenAlong(localStorage));
  assert.equal(mistakesOf(other, "face_to_face", today + 3).length, 2);
});

test("mistakes are the turns of a person that were not the best, once all grades are known", (own) => {
  const [right, wrong, open] = [true, false, null].map((optimal) => ({ state: "known", value: { optimal } }));
  const of = (...grades) => mistakesIn({ state: { seats: ["human", "tuned"] }, grades: [null, ...grades] });
  assert.deepEqual(of(wrong, wrong, right, wrong, wrong, open), [1, 5]);
  assert.deepEqual(of(wrong, { state: "waiting" }), []);
  const localStorage = replaced(own, "localStorage", storage());
  const steps = [{ position: PLACE }, { position: "b" }, { position: null, over: { winner: "mover" } }];
  const played = (n) => noteTry({ ready: true, state: { mode: "play", game: "face_to_face", start: PLACE, seats: ["human", "tuned"] }, steps: steps.slice(0, n), grades: [null, wrong, wrong].slice(0, n) });
  played(2);
  assert.deepEqual(mistakesOf(localStorage, "face_to_face", 1e6), []);
  played(3);
  assert.deepEqual(mistakesOf(localStorage, "face_to_face", 1e6), [PLACE]);
});

test("a mistake whose best turn was found is not noted again", (own) => {
  const localStorage = replaced(own, "localStorage", storage());
  mistaken(localStorage, "face_to_face", PLACE, 1);
  noteTry({ ready: true, state: { mode: "play", game: "face_to_face", start: PLACE }, steps: [{}, {}], grades: [null, { value: { optimal: true } }] });
  mistaken(localStorage, "face_to_face", PLACE, 2);
  assert.deepEqual(mistakesOf(localStorage, "face_to_face", 1e6), []);
});

test("a try counts once its grade is known, in a puzzle alone", (own) => {
  const localStorage = replaced(own, "localStorage", storage());
  const state = { mode: "puzzles", game: "take_that", turns: ["44"], day: 1 };
  const view = { ready: true, state, steps: [{}, {}], puzzle: { value: { number: 7, of: 2000 } }, grades: [null, { value: { optimal: false } }] };
  const tries = () => triedOf(localStorage, "take_that", 7).tries;
  for (const change of [{ ready: false }, { puzzle: null }, { puzzle: {} }, { grades: [null, null] }, { grades: [null, { value: { optimal: null } }] }, { state: { ...state, mode: "look" } }]) {
    noteTry({ ...view, ...change });
    assert.deepEqual(tries(), []);
  }
  noteTry(view);
  assert.deepEqual(tries(), ["44"]);
});
