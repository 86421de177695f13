// The store of answers: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { Failed, Store } from "../../../solver/backtrick/web/static/store.js";
import { replaced } from "./replaced.js";

/** A store whose answers come when the test says so. */
function stored() {
  const asked = [];
  const fetch = (path, signal) => new Promise((answer, refuse) => {
    asked.push({ path, signal, answer, refuse });
    signal.addEventListener("abort", () => refuse(signal.reason));
  });
  let changes = 0;
  const store = new Store(fetch, () => (changes += 1));
  return { store, asked, changes: () => changes, paths: () => asked.map((one) => one.path) };
}

const settled = () => new Promise((later) => setTimeout(later));
const wish = (...paths) => paths.map((path) => ({ path }));
const patient = (...paths) => paths.map((path) => ({ path, patient: true }));

test("an answer is asked once, and kept", async () => {
  const { store, asked, changes } = stored();
  store.want(wish("a"));
  store.want(wish("a"));
  assert.equal(store.get("a").state, "waiting");
  asked[0].answer(5);
  await settled();
  store.want(wish("a"));
  assert.deepEqual(store.get("a"), { state: "known", value: 5 });
  assert.equal(asked.length, 1);
  assert.equal(changes(), 1);
});

test("what the state has left behind is given up, and asked anew when it is wanted again", async () => {
  const { store, asked, paths, changes } = stored();
  store.want(wish("a", "b"));
  store.want(wish("b"));
  assert.deepEqual(asked.map((one) => one.signal.aborted), [true, false]);
  await settled();
  store.want(wish("a", "b"));
  assert.deepEqual(paths(), ["a", "b", "a"]);
  assert.equal(changes(), 0);
});

test("patient questions are asked one at a time, when nothing else is under way", async () => {
  const { store, asked, paths } = stored();
  store.want([...wish("look"), ...patient("last", "first")]);
  assert.deepEqual(paths(), ["look"]);
  asked[0].answer(1);
  await settled();
  assert.deepEqual(paths(), ["look", "last"]);
  asked[1].answer(1);
  await settled();
  assert.deepEqual(paths(), ["look", "last", "first"]);
});

test("what an answer has made needless is not asked", async () => {
  const { store, asked, paths } = stored();
  store.changed = () => store.want(store.get("last").value ? wish("last") : patient("last", "first"));
  store.want(patient("last", "first"));
  asked[0].answer(1);
  await settled();
  assert.deepEqual(paths(), ["last"]);
});

test("what has failed stays so until it is asked again, or is wanted anew", async () => {
  const { store, asked, paths } = stored();
  store.want(wish("a"));
  asked[0].refuse(new Failed({ detail: "busy" }, true));
  await settled();
  assert.deepEqual(store.get("a"), { state: "failed", path: "a", problem: { detail: "busy" }, again: true });
  store.want(wish("a"));
  assert.deepEqual(paths(), ["a"]);
  store.again("a");
  assert.deepEqual(paths(), ["a", "a"]);
  asked[1].refuse(new Failed({ detail: "busy" }, true));
  await settled();
  store.want(wish("b"));
  store.want(wish("a"));
  assert.deepEqual(paths(), ["a", "a", "b", "a"]);
});

test("what was lost is asked for again after a while, unless it was already", async (own) => {
  const [later, before] = [[], globalThis.setTimeout];
  const { store, asked, paths } = stored();
  store.want(wish("a", "b"));
  replaced(own, "setTimeout", (go) => later.push(go));
  for (const again of [true, false]) asked[again ? 0 : 1].refuse(new Failed({ detail: "lost" }, again));
  await new Promise(before);
  assert.equal(later.length, 1);
  later[0]();
  later[0]();
  assert.deepEqual(paths(), ["a", "b", "a"]);
});

test("a fault of the page itself is thrown, and the question can be asked anew", async () => {
  const { store, asked, paths } = stored();
  store.wanted = wish("a");
  const asking = store.ask("a");
  asked[0].refuse(new TypeError("a fault"));
  await assert.rejects(asking, TypeError);
  store.want(wish("a"));
  assert.deepEqual([paths(), store.get("a").state], [["a", "a"], "waiting"]);
});

test("an answer that was learned by the way is not asked for", () => {
  const { store, paths } = stored();
  store.put("a", 1);
  store.want(wish("a"));
  assert.deepEqual(paths(), []);
});

test("only what is not wanted is forgotten when there is too much", async () => {
  const { store } = stored();
  for (let number = 0; number < 2001; number += 1) store.put(`old ${number}`, number);
  store.want(wish("old 5", "old 7"));
  assert.deepEqual([store.get("old 5").value, store.get("old 7").value], [5, 7]);
  assert.equal(store.get("old 0").state, "waiting");
  assert.equal(store.entries.size, 2000);
});
