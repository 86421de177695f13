// The rules in a minute, step by step: what is laid, and the rule. Their words are those of the language (words/en.js).

import { FACE, TAKE } from "./notation.js";

/** The rules in a minute. Each step lays a turn on the same table. */
export const STEPS = {
  [FACE]: {
    start: "27^40v:17,28,33,45 29^35v:12,36",
    steps: [
      { turn: "", rule: "F3" },
      { turn: "28^", rule: "F5" },
      { turn: "33v", rule: "F6" },
      { turn: "17^", rule: "F7" },
      { turn: "45v'", rule: "F8" },
      { turn: "28^ 33v 45v'", rule: "F13" },
    ],
  },
  [TAKE]: {
    start: "15,43,48,94 21,53 51-49-35",
    steps: [
      { turn: "", rule: "T3" },
      { turn: "43", rule: "T4" },
      { turn: "94x49", rule: "T5" },
      { turn: "take", rule: "T6" },
      { turn: "", rule: "T7" },
    ],
  },
};
