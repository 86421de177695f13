// A host of files answers an unknown path by 404.html. A link such as /f2f/POSITION or /p/f2f/NUMBER is one: it goes on to the page,
// which knows links. So do the pages of puzzles, which are there for their previews.

import { read, write } from "./state.js";

location.replace(new URL(`./${write(read(location.hash, location.pathname))}`, import.meta.url));
