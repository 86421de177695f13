// What the table can be seen without: most words, the panel beside it, and the end. It comes in a script of its own, after the first.

import { drawEnd } from "./end.js";
import { drawPanel } from "./panel.js";
import { learn } from "./words.js";
import { WORDS as ENGLISH } from "./words/late/en.js";

await learn("words/late", ENGLISH, new URL(import.meta.url).search);

export { drawEnd, drawPanel };
