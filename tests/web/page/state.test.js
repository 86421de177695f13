// The state of the page and its address: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, beginPuzzle, isState, linkTo, namesOther, read, write } from "../../../solver/backtrick/web/static/state.js";
import { FACE, TAKE } from "../../../solver/backtrick/web/static/notation.js";

const STATES = [
  begin(FACE),
  begin(TAKE),
  { ...begin(FACE), turns: ["16v 18v'", "4v 7^'"], n: 1, seats: ["human", "perfect"], mode: "play", values: "off", only: ["16", "their-up"], why: "4v 7^'" },
  { ...begin(TAKE), turns: ["44", "take"], n: 2, laid: "take", mode: "puzzles", puzzle: "7", cards: "own" },
];

test("a state is read from its address", () => {
  for (const state of STATES) assert.deepEqual(read(write(state)), state);
});

test("what is typed comes back as it was typed", () => {
  for (const draft of ["45^17v:18,33,50+?9,44,47 43^20v:?2:4,5,9,12", "hello, world", "http://127.0.0.1:8000/#game=face_to_face&start=1a", "="]) {
    const state = { ...begin(FACE), mode: "enter", draft };
    assert.equal(read(write(state)).draft, draft);
  }
});

test("an address that names nothing known is the beginning", () => {
  const state = read("#game=chess&mode=nowhere&n=99&seats=<b>&nonsense");
  assert.deepEqual(state, begin(FACE));
  assert.deepEqual(read("#game=take_that&strange=1&seatsx"), begin(TAKE));
  assert.equal(read("#game=take_that&turns=44_take&n=x").n, 0);
  assert.deepEqual(["123456789", "1234567890", "1a"].map((number) => read(`#mode=puzzles&puzzle=${number}`).puzzle), ["123456789", "", ""]);
});

test("a game that is not here is named as such, and every address that the page writes names one that is", () => {
  assert.deepEqual(["#game=chess", "#start=1&game=", "#game=constructor", "#game=Take_that&n=1"].map(namesOther), [true, true, true, true]);
  assert.deepEqual([...STATES.flatMap((state) => [write(state), new URL(linkTo(state), "http://localhost").hash]), "", "#why=game=chess", "#game=take%5Fthat"].filter(namesOther), []);
});

test("only a puzzle that is shown stands in an address in place of its position", () => {
  const other = "12,13 14,15 16-17";
  for (const change of [{ puzzle: "7" }, { mode: "puzzles" }]) {
    const state = { ...begin(TAKE, other), ...change };
    assert.match(linkTo(state), /^\/tt\/12.13_14.15_16-17#/);
    assert.match(write(state), /start=12.13_14.15_16-17/);
  }
});

test("the place of an element is no state", () => {
  assert.ok(!isState("#table") && !isState("#t"));
  assert.ok(isState("") && isState("#") && isState("#game=take_that"));
});

test("setting up begins with the position of the address", () => {
  assert.equal(read("#start=1a60vh_1a60vh&mode=enter").draft, "1^60v: 1^60v:");
});

test("a link has the position in its path, and the rest behind #", () => {
  for (const state of STATES) {
    const link = new URL(linkTo(state), "http://localhost");
    assert.deepEqual(read(link.hash, link.pathname), state);
  }
  assert.equal(linkTo(begin(TAKE)), "/tt/15.43.44_21.53_51-62-35");
});

test("a link to a puzzle is short, and names no position", () => {
  const opened = { ...beginPuzzle(FACE, "415"), start: "30^9v:2,3 4^7v:5,6", day: 20_000 };
  assert.equal(linkTo(opened), "/p/f2f/415");
  assert.deepEqual(read("", "/cards/p/f2f/415/"), beginPuzzle(FACE, "415"));
  const tried = { ...opened, turns: ["2^ 3^"], n: 1, values: "on" };
  assert.equal(linkTo(tried), "/p/f2f/415#turns=2a_3a&values=on");
  assert.deepEqual(read("#turns=2a_3a&values=on", "/p/f2f/415"), { ...tried, start: begin(FACE).start, day: 0 });
  assert.ok(!write(opened).includes("start="));
});
