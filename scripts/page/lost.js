// A host of files answers an unknown path by 404.html. A link such as /f2f/POSITION is one: it goes on to the page, which knows links.
// So do the pages of puzzles, /puzzle/f2f-NUMBER.html, which are there for their previews.

import { FACE, TAKE } from "./notation.js";
import { beginPuzzle, read, write } from "./state.js";

const [, short, number] = /\/puzzle\/(f2f|tt)-(\d+)/.exec(location.pathname) || [];
const state = short ? beginPuzzle(short === "tt" ? TAKE : FACE, number) : read(location.hash, location.pathname);
location.replace(new URL(`./${write(state)}`, import.meta.url));
