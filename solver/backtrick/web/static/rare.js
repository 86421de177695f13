// What is seen only when it is asked for, or in the end: setting up, the rules, the review. It comes in a script of its own, then.

import { drawDeck, drawDraft } from "./enter.js";
import { review } from "./review.js";
import { drawRules } from "./rules.js";

export { drawDeck, drawDraft, drawRules, review };
