// What the table can be seen without: the panel beside it, setting up, the rules. It comes in a script of its own, after the first.

import { drawDraft } from "./enter.js";
import { drawPanel } from "./panel.js";
import { drawRules } from "./rules.js";

export { drawDraft, drawPanel, drawRules };
