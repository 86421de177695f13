// What the page shows, and asks, of many states: node --test tests/web/page

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { shown } from "./shown.js";

test("the page says and asks what it did, in every state, as each answer comes", () => {
  const before = readFileSync(new URL("../../data/page_shown.txt", import.meta.url), "utf-8").split("\n\n");
  const now = shown().told.split("\n\n");
  for (const [place, one] of now.entries()) assert.equal(one.trim(), before[place]?.trim(), "if it is meant: python scripts/page/record_page.py");
  assert.equal(now.length, before.length);
});
