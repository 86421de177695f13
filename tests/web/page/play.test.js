// Where a key leads in a game, and what the page does by itself: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { announce, goOnPlaying, keyed, placeFor, turnPlayed, wholeGame } from "../../../solver/backtrick/web/static/play.js";
import { KEYS } from "../../../solver/backtrick/web/static/parts.js";
import { replaced } from "./replaced.js";

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

test("the last own turn of a game that goes on is reached, and the start where the other player began", () => {
  assert.equal(placeFor("ArrowRight", { ...state(4, ["human", "tuned"]), turns: ["a", "b", "c", "d", "e", "f"] }, false), 6);
  assert.deepEqual([0, 1, 2, 3].map((n) => placeFor("ArrowLeft", state(n, ["tuned", "human"]), false)), [0, 0, 1, 1]);
});

test("to the ends, and nowhere by other keys", () => {
  assert.deepEqual(["Home", "End", "x", "?"].map((key) => placeFor(key, state(2, ["human", "tuned"]), false)), [0, 5, 2, 2]);
});

/** A page that notes what it is asked: where it goes, what it says, and what it does later. */
function pageOf(own, state, view = {}, ui = {}) {
  const noted = { went: [], said: [], later: [] };
  replaced(own, "setTimeout", (go) => noted.later.push(go));
  const whole = { mode: "play", game: "face_to_face", seats: ["human", "tuned"], turns: [], n: 0, laid: "", ...state };
  const page = { state: whole, view: { state: whole, grades: [], ...view }, ui, go: (change, how) => noted.went.push([change, how]) };
  return Object.assign(page, { noted, say: (words) => noted.said.push(words), tell: (words) => noted.said.push((page.ui.note = words)), set: (change) => noted.went.push(change) });
}
const PLAYED = { laid: "", why: "", only: [] };

test("a turn that was played is the next one; those that could be redone stay only after the same one", (own) => {
  const page = pageOf(own, { turns: ["a", "b", "c"], n: 1 });
  for (const turn of ["b", "x"]) turnPlayed(page, turn);
  assert.deepEqual(page.noted.went, [["a", "b", "c"], ["a", "x"]].map((turns) => [{ turns, n: 2, ...PLAYED }, {}]));
});

test("a turn in which nothing more can be laid is played for a person, and for nobody else", (own) => {
  const asked = (state, look = { ends: true, choices: [] }) => {
    const page = pageOf(own, { laid: "18^", ...state }, { look });
    goOnPlaying(page);
    return page.noted.went;
  };
  assert.deepEqual(asked({}), [[{ turns: ["18^"], n: 1, ...PLAYED }, { replace: true }]]);
  for (const page of [asked({ seats: ["tuned", "human"] }), asked({ laid: "" }), asked({}, { ends: false, choices: [] }), asked({}, { ends: true, choices: ["19^"] }), asked({}, null)]) assert.deepEqual(page, []);
});

test("a seat that is not a person's plays its turn later, and only where nothing was done meanwhile", (own) => {
  for (const [value, turn] of [[{ best: "18^", turn: "20^" }, "18^"], [{ turn: "20^" }, "20^"]]) {
    const page = pageOf(own, {}, { move: { state: "known", value } });
    goOnPlaying(page);
    assert.deepEqual([page.noted.went, page.noted.later.length], [[], 1]);
    page.noted.later[0]();
    assert.deepEqual(page.noted.went, [[{ turns: [turn], n: 1, ...PLAYED }, { replace: true, say: `You: ${turn.slice(0, 2)} on own ascending pile.` }]]);
    page.state = { ...page.state };
    page.noted.later[0]();
    assert.equal(page.noted.went.length, 1);
  }
  for (const [state, move] of [[{}, { state: "waiting" }], [{ laid: "18^" }, { state: "known", value: { best: "18^" } }], [{}, null]]) {
    const page = pageOf(own, state, { move });
    goOnPlaying(page);
    assert.deepEqual([page.noted.went, page.noted.later, page.noted.said], [[], [], []]);
  }
});

test("a turn that no player gives is told, once", (own) => {
  for (const move of [{ state: "known", value: { best: null, turn: null } }, { state: "failed", problem: { detail: "too hard" } }]) {
    const page = pageOf(own, {}, { move });
    for (const _ of [1, 2]) goOnPlaying(page);
    assert.deepEqual([page.noted.said.length, page.noted.later], [1, []]);
  }
});

test("turns that follow are laid card by card, until something else is done", (own) => {
  const followed = (state, game = "face_to_face") => {
    const page = pageOf(own, { turns: ["18^ 17^ 40v", "5^"], game, ...state }, {}, { following: true });
    goOnPlaying(page);
    page.noted.later[0]();
    return page.noted.went[0];
  };
  const how = { replace: true, following: true };
  assert.deepEqual(followed({}), [{ laid: "18^" }, how]);
  assert.deepEqual(followed({ laid: "18^" }), [{ laid: "18^ 17^" }, how]);
  assert.deepEqual(followed({ laid: "18^ 17^ 40v" }), [{ n: 1, laid: "", why: "" }, how]);
  assert.deepEqual(followed({}, "take_that"), [{ n: 1, laid: "", why: "" }, how]);
  assert.deepEqual(followed({ n: 2 }), { following: false });
  const page = pageOf(own, { turns: ["5^"] }, {}, { following: true });
  goOnPlaying(page);
  page.ui.following = false;
  page.noted.later[0]();
  assert.deepEqual(page.noted.went, []);
});

test("keys go back and forth, but not where one types, lays cards, or holds another key", (own) => {
  const focused = [];
  replaced(own, "document", { querySelector: (name) => ({ focus: () => focused.push(name) }) });
  const went = (event, state = {}, within = []) => {
    const page = pageOf(own, { mode: "look", turns: ["a", "b", "c"], n: 1, ...state }, { steps: [{ over: null }] });
    keyed(page, { key: "ArrowRight", target: { closest: (names) => within.find((one) => names.includes(one)) ?? null }, preventDefault: () => page.noted.went.push("kept"), ...event });
    return page.noted.went;
  };
  assert.deepEqual(went({}), ["kept", [{ n: 2, laid: "", why: "" }, undefined]]);
  assert.deepEqual(focused.splice(0), ['[data-key="review-2"]']);
  assert.deepEqual(went({ key: "?" }), [{ rules: KEYS }]);
  assert.deepEqual(went({ key: "?" }, {}, [".board"]), [{ rules: KEYS }]);
  const nowhere = [went({ key: "x" }), went({ key: "ArrowRight" }, { n: 3 }), went({}, { mode: "enter" }), went({}, {}, [".board"]), went({ key: "?" }, {}, ["dialog"])];
  for (const held of ["ctrlKey", "altKey", "metaKey"]) nowhere.push(went({ [held]: true }), went({ [held]: true, key: "?" }));
  for (const typed of ["input", "select", "textarea", "dialog"]) nowhere.push(went({}, {}, [typed]));
  assert.deepEqual([nowhere.flat(), focused], [[], []]);
});

test("a whole game is dealt against who plays already, unless that is a person or knows all cards", async (own) => {
  for (const [seats, other] of [[["human", "human"], "tuned"], [["human", "perfect"], "tuned"], [["human", "careful"], "careful"], [["frugal", "human"], "frugal"]]) {
    const begun = [];
    const page = pageOf(own, { seats });
    await wholeGame(Object.assign(page, { fetch: async (path) => ({ position: path }), begin: (position, how) => begun.push(position, how) }), "tuned");
    assert.deepEqual([begun[1], begun.length], [{ mode: "play", seats: ["human", other], values: "off", cards: "own" }, 2]);
    await wholeGame(Object.assign(page, { fetch: async () => null }), "tuned");
    assert.equal(begun.length, 2);
  }
});

test("who hears the page is told the grade of an own turn, once it is known, and the end of the game", (own) => {
  const graded = { value: { optimal: true } };
  const heard = (state, before, view) => {
    const page = pageOf(own, { turns: ["18^"], n: 1, ...state }, { grades: [null, graded], ...view });
    announce(page, before);
    return page.noted.said;
  };
  assert.equal(heard({}, null).length, 1);
  assert.match(heard({}, null)[0], /^18 on own ascending pile: /);
  assert.equal(heard({}, { grades: [null, { state: "waiting" }] }).length, 1);
  assert.equal(heard({ turns: ["18^", "5^", "20^"], n: 3 }, null, { grades: [null, null, null, graded] }).length, 1);
  for (const [state, before, view] of [[{}, { grades: [null, graded] }], [{ seats: ["tuned", "human"] }, null], [{ mode: "look" }, null], [{ turns: ["18^", "5^"] }, null], [{}, null, { grades: [null, { state: "waiting" }] }]]) {
    assert.deepEqual(heard(state, before, view), []);
  }
  const ended = { over: { rule: "F12", winner: "mover" }, won: [0, 0], table: { mover: 0, seats: [{ hand: [] }, { hand: [5] }] }, grades: [] };
  assert.equal(heard({}, null, ended).length, 1);
  assert.deepEqual(heard({}, ended, ended), []);
});
