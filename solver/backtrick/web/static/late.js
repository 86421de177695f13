// What the table can be seen without: the panel beside it, and the end. It comes in a script of its own, after the first.

import { drawEnd } from "./end.js";
import { drawPanel } from "./panel.js";

export { drawEnd, drawPanel };
