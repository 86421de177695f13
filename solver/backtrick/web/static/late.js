// What the table can be seen without: the panel beside it, setting up, the rules, the end. It comes in a script of its own, after the first.

import { drawEnd } from "./end.js";
import { drawDraft } from "./enter.js";
import { drawPanel } from "./panel.js";
import { drawRules } from "./rules.js";

export { drawDraft, drawEnd, drawPanel, drawRules };
