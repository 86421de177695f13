// The languages of the page: node --test tests/web/page

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES, refused, said, valueWords, WORDS as ENGLISH } from "../../../solver/backtrick/web/static/words.js";
import { replaced } from "./replaced.js";

const STATIC = new URL("../../../solver/backtrick/web/static/", import.meta.url);
const FOLDER = new URL("words/", STATIC);
const FOLDERS = [FOLDER, new URL("late/", FOLDER)];
const OTHERS = Object.keys(LANGUAGES).filter((language) => language !== "en");

/** The keys of words, with the kind of each: text, or a function of so many values. */
function shapeOf(words) {
  if (typeof words === "function") return `function of ${words.length}`;
  if (typeof words !== "object") return typeof words;
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, shapeOf(value)]));
}

test("every file of words is a language that can be chosen", () => {
  for (const folder of FOLDERS) assert.deepEqual(readdirSync(folder).filter((name) => name !== "late").sort(), Object.keys(LANGUAGES).map((name) => `${name}.js`).sort());
});

/** The scripts that one needs, and itself. */
function reached(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const [, other] of readFileSync(new URL(name, STATIC), "utf-8").matchAll(/^import .* from "\.\/(.*)";$/gm)) reached(other, found);
  return found;
}

test("the first script needs only the words that come with it, and the others need each of the rest", async () => {
  const namedBy = (names) => new Set([...names].flatMap((name) => [...readFileSync(new URL(name, STATIC), "utf-8").matchAll(/\bWORDS\.(\w+)/g)].map(([, word]) => word)));
  const first = reached("main.js");
  assert.deepEqual([...namedBy(first)].sort(), Object.keys(ENGLISH).sort());
  const { WORDS } = await import(new URL("late/en.js", FOLDER));
  const rest = namedBy(["late.js", "rare.js", "print.js"].flatMap((name) => [...reached(name)]).filter((name) => !first.has(name)));
  assert.deepEqual([...rest].filter((word) => !(word in ENGLISH)).sort(), Object.keys(WORDS).sort());
});

for (const language of OTHERS) {
  test(`${language} has every word, in the same form`, async () => {
    for (const folder of FOLDERS) {
      const [{ WORDS }, { WORDS: english }] = await Promise.all([language, "en"].map((name) => import(new URL(`${name}.js`, folder))));
      assert.deepEqual({ ...shapeOf(WORDS), sentences: {} }, { ...shapeOf(english), sentences: {} });
      const texts = JSON.stringify(WORDS);
      assert.ok(!texts.includes('""'), "no word is empty");
    }
  });

  test(`${language} has every sentence that another language has, with the same numbers`, async () => {
    const { WORDS } = await import(new URL(`${language}.js`, FOLDER));
    const { WORDS: german } = await import(new URL("de.js", FOLDER));
    assert.deepEqual(Object.keys(WORDS.sentences), Object.keys(german.sentences));
    for (const [from, to] of Object.entries(WORDS.sentences)) assert.equal(from.split("#").length, to.split("#").length, from);
  });
}

test("each language says which games there are, in a sentence of its own", async () => {
  const said = await Promise.all(Object.keys(LANGUAGES).map(async (language) => (await import(new URL(`${language}.js`, FOLDER))).WORDS.other_game));
  for (const sentence of said) assert.match(sentence, /^[^.]*Face to Face[^.]* Take That\.$/);
  assert.equal(new Set(said).size, said.length);
});

test("a sentence without words in the language stays as it is", () => {
  assert.equal(said("18 is odd"), "18 is odd");
  assert.equal(said(undefined), undefined);
});

test("a value is yours, and nothing is even", () => {
  assert.deepEqual([1, 0, -1].map((value) => valueWords({ value }, 0).kind), ["win", "even", "loss"]);
  assert.deepEqual([1, 0, -1].map((value) => valueWords({ value }, 1).kind), ["loss", "even", "win"]);
  for (const [bounds, mover, ends] of [[[-1, 2], 1, [-2, 1]], [[3, 5], 0, [3, 5]], [[3, 5], 1, [-5, -3]], [[-5, -3], 0, [-5, -3]]]) {
    assert.equal(valueWords({ value: null, bounds }, mover).words, `${ENGLISH.from_to(...ends)}, ${ENGLISH.not_solved}`);
  }
});

test("a refusal that a language has no sentence for is told by its kind, and in English as it is", async (own) => {
  const problem = { type: "urn:backtrick:position", problem: "nobody has translated this", detail: "backtrick: no" };
  assert.equal(refused(problem), "Nobody has translated this.");
  assert.equal(refused({ type: "urn:backtrick:too-large", status: 413, detail: "backtrick: no" }), ENGLISH.no_answer(413));
  replaced(own, "localStorage", { getItem: () => "de" });
  const german = await import(`${new URL("../../../solver/backtrick/web/static/words.js", import.meta.url)}?de`);
  assert.equal(german.refused(problem), german.WORDS.refusals.position(undefined, ""));
  assert.notEqual(german.refused({ ...problem, problem: Object.keys(german.WORDS.sentences).find((one) => !one.includes("#")) }), german.refused(problem));
});
