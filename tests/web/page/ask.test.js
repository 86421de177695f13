// What comes back when an answer is asked for: node --test tests/web/page

import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, fetchAnswer } from "../../../solver/backtrick/web/static/ask.js";
import { FACE, TAKE } from "../../../solver/backtrick/web/static/notation.js";
import { begin, beginPuzzle } from "../../../solver/backtrick/web/static/state.js";
import { Failed } from "../../../solver/backtrick/web/static/store.js";
import { replaced } from "./replaced.js";

const PATH = "/api/v1/face-to-face/completions?position=x";

/** What becomes of an answer. */
async function answered(body, status = 200, type = "application/json", path = PATH) {
  globalThis.fetch = async () => new Response(body, { status, headers: { "Content-Type": type } });
  try {
    return { value: await fetchAnswer(path, undefined, 0) };
  } catch (error) {
    assert.ok(error instanceof Failed, String(error));
    return { detail: error.problem.detail, again: error.again };
  }
}

test("an answer is a record, and a picture is a text", async () => {
  assert.deepEqual(await answered('{"turns":[]}'), { value: { turns: [] } });
  assert.deepEqual(await answered("<svg/>", 200, "image/svg+xml", "/cards.svg"), { value: "<svg/>" });
});

test("a refusal of the server is said as it is, and not asked for again", async () => {
  assert.deepEqual(await answered('{"detail":"no such position"}', 400, "application/problem+json"), { detail: "no such position", again: false });
});

test("who asks too often is told so, and may ask again", async () => {
  const said = (status) => answered('{"detail":"too many"}', status, "application/problem+json");
  assert.deepEqual([await said(428), await said(429), await said(503)].map((one) => one.again), [false, true, true]);
});

test("what no server of this page would answer is told, and asked for again", async () => {
  const said = { detail: "The server does not answer this (200).", again: true };
  assert.deepEqual(await answered("<html>Sign in</html>", 200, "text/html"), said);
  assert.deepEqual(await answered(""), said);
  assert.deepEqual(await answered('{"turns":'), said);
  assert.deepEqual(await answered("<html>Not here</html>", 404, "text/html"), { detail: "The server does not answer this (404).", again: true });
});

test("a busy server is asked again while patience lasts, each time after the seconds that it names", async (own) => {
  const [waited, later] = [[], globalThis.setTimeout];
  replaced(own, "setTimeout", (go, time) => (waited.push(time), later(go, 0)));
  const served = (...answers) => (globalThis.fetch = async () => {
    const [status, headers] = answers.shift();
    return new Response("{}", { status, headers: { "Content-Type": "application/json", ...headers } });
  });
  served([503], [429, { "Retry-After": "7" }], [200]);
  assert.deepEqual(await fetchAnswer(PATH, undefined, 2), {});
  served([503], [503], [200]);
  await assert.rejects(fetchAnswer(PATH, undefined, 1), Failed);
  assert.deepEqual(waited, [1000, 7000, 1000]);
  served([503], [503], [503], [200]);
  assert.deepEqual(await fetchAnswer(PATH), {}, "three times unless told otherwise");
  served([503], [503], [503], [503], [200]);
  await assert.rejects(fetchAnswer(PATH), Failed);
});

test("an address has in its path the puzzle, or the position unless that is a puzzle's or none", () => {
  const [path, none] = ["/tt/15.43.44_21.53_51-62-35", /^\/#/];
  assert.deepEqual([addressOf(begin(TAKE)), addressOf(beginPuzzle(FACE, "415"))], [path, "/p/f2f/415"]);
  for (const change of [{ puzzle: "7" }, { mode: "puzzles" }, { start: "nonsense" }]) assert.match(addressOf({ ...begin(TAKE), ...change }), none);
});
