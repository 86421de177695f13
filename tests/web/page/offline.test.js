// What the page asks for where there is no server: node --test tests/web/page

import assert from "node:assert/strict";
import { register } from "node:module";
import { test } from "node:test";

const RESOLVE = 'export const resolve = (name, context, next) => (name === "./ask.js" ? { url: "data:text/javascript,export const SERVED = false", shortCircuit: true } : next(name, context))';
register(`data:text/javascript,${encodeURIComponent(RESOLVE)}`);
const [{ read }, { derive }] = await Promise.all(["state", "view"].map((name) => import(`../../../solver/backtrick/web/static/${name}.js`)));

test("without a server no value of a deal is asked for, no odds, no grade of its turns, and no strong player", () => {
  const asked = (pile, more) => {
    const known = { play: { next: "13^50v:5,12 18^40v:45", points: 0, turn: "17^ 18^" }, look: { over: null, choices: [] } };
    const found = [];
    derive(read(`start=27a40vh17.18.45${pile}_13a50vh5.12&${more}`), (path = "") => {
      const [, kind, player] = /face-to-face\/(\w+)\?(?:.*&player=(\w+))?/.exec(path) || [];
      found.push([kind, player].filter(Boolean).join(" "));
      return known[kind] ? { state: "known", value: known[kind] } : { state: "waiting" };
    });
    return ["solve", "odds", "grade", "best", "move tuned", "move sampler"].filter((one) => found.includes(one));
  };
  assert.deepEqual(["", "p9"].map((pile) => asked(pile, "mode=look")), [["solve"], []]);
  assert.deepEqual(["", "p9"].map((pile) => asked(pile, "mode=look&turns=17a_18a")), [["solve", "grade"], ["solve"]]);
  assert.deepEqual(["", "p9"].map((pile) => asked(pile, "mode=play&seats=perfect~human&values=off")), [["best"], ["move tuned"]]);
  assert.deepEqual(["odds", "longer"].map((values) => asked("p9", `mode=play&cards=own&values=${values}`)), [[], []]);
});
