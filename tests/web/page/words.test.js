// The languages of the page: node --test tests/web/page

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { LANGUAGES, said, WORDS as ENGLISH } from "../../../solver/backtrick/web/static/words.js";

const FOLDER = new URL("../../../solver/backtrick/web/static/words/", import.meta.url);
const OTHERS = Object.keys(LANGUAGES).filter((language) => language !== "en");

/** The keys of words, with the kind of each: text, or a function of so many values. */
function shapeOf(words) {
  if (typeof words === "function") return `function of ${words.length}`;
  if (typeof words !== "object") return typeof words;
  return Object.fromEntries(Object.entries(words).map(([key, value]) => [key, shapeOf(value)]));
}

test("every file of words is a language that can be chosen", () => {
  assert.deepEqual(readdirSync(FOLDER).map((name) => name.replace(".js", "")).sort(), Object.keys(LANGUAGES).sort());
});

for (const language of OTHERS) {
  test(`${language} has every word, in the same form`, async () => {
    const { WORDS } = await import(new URL(`${language}.js`, FOLDER));
    assert.deepEqual({ ...shapeOf(WORDS), sentences: {} }, shapeOf(ENGLISH));
    const texts = JSON.stringify(WORDS);
    assert.ok(!texts.includes('""'), "no word is empty");
  });

  test(`${language} has every sentence that another language has, with the same numbers`, async () => {
    const { WORDS } = await import(new URL(`${language}.js`, FOLDER));
    const { WORDS: german } = await import(new URL("de.js", FOLDER));
    assert.deepEqual(Object.keys(WORDS.sentences), Object.keys(german.sentences));
    for (const [from, to] of Object.entries(WORDS.sentences)) assert.equal(from.split("#").length, to.split("#").length, from);
  });
}

test("a sentence without words in the language stays as it is", () => {
  assert.equal(said("18 is odd"), "18 is odd");
  assert.equal(said(undefined), undefined);
});
