// The end of a puzzle or of a game, in place of the buttons with which one lays: how it went, and what comes next.

import { paths } from "./api.js";
import { puzzleAddress } from "./ask.js";
import { button, make } from "./dom.js";
import { puzzleTitle } from "./headline.js";
import { FACE, TAKE, tableOf } from "./notation.js";
import { QUICK, wholeGame } from "./play.js";
import { dayOf, isDone, isSunday, puzzleOfDay, ratingOf, TRIES, triedOf } from "./remembered.js";
import { copying } from "./share.js";
import { signed } from "./signed.js";
import { keepSet, setOf, streakOf, tenOf, triesOf, untilNextDay } from "./standing.js";
import { beginPuzzle } from "./state.js";
import { turnElement } from "./turnview.js";
import { hasEnded } from "./view.js";
import { WORDS } from "./words.js";

/** What can be done now that nothing can be laid; null while something can. @param {import("./main.js").Page} page */
export function drawEnd(page) {
  const { state, grades, puzzle } = page.view;
  if (state.mode === "puzzles" && state.n && puzzle?.value && grades[1]?.value) return ofPuzzle(page);
  return state.mode === "play" && hasEnded(page.view) && state.n === state.turns.length ? ofGame(page) : null;
}

const bar = (name, ...parts) => make("div", { class: `bar ending ${name}`, key: "end" }, parts);

/** The marks of the tries of a puzzle. @param {import("./remembered.js").Tried} done */
export const marksOf = ({ tries, solved }) => `${"\ud83d\udfe7".repeat(tries.length - Number(solved))}${solved ? "\ud83d\udfe9" : ""}`;

/** How a game is lost in the end after a turn that was wrong, in a sentence; none before one knows, or where points decide.
 *  @param {string} game @param {Pick<import("./view.js").View, "refuted" | "loss">} view */
export function lossOf(game, { refuted, loss }) {
  const { line = [], next } = refuted?.value || {};
  const words = WORDS.ended[loss?.value?.over?.rule];
  return words ? words(1 - (line.length % 2), tableOf(game, line.at(-1)?.position || next).seats[0].hand) : "";
}

/** The points that were possible before a turn that was not the best, those that are left, and whose seat takes the line in the end; null before
 *  one knows, or where points do not count. @param {import("./view.js").View} view @returns {{before: number, after: number, taker: number | null} | null} */
export function costOf({ refuted }) {
  const { before, after, line = [] } = refuted?.value || {};
  if (!Number.isFinite(before) || !Number.isFinite(after) || refuted.value.game === FACE) return null;
  return { before, after, taker: line.at(-1)?.turn.startsWith("take") ? line.length % 2 : null };
}

/** What is wrong with the turn that was tried: what it costs, the reply, and how the game ends. A click lays the reply on the table, to be
 *  looked at, and another one takes it back. @param {import("./main.js").Page} page */
function refutation(page) {
  const { view } = page;
  const { game } = view.state;
  const { reply, line } = view.refuted?.value || {};
  const cost = costOf(view);
  const loss = lossOf(game, view);
  if (!reply && !cost) return null;
  const isShown = reply && page.ui.preview === reply;
  const laid = reply && button(turnElement(game, reply), () => page.set({ preview: isShown ? "" : reply }), { class: "in-line", "aria-pressed": String(isShown), data: { key: "reply" } });
  return make("p", { class: "refuted" }, cost && `${WORDS.costs(cost.before - cost.after, signed(cost.before), signed(cost.after))} `, laid && [WORDS.they_answer, " ", laid, line.length > 1 ? " \u2026" : "."],
    cost && cost.taker !== null && ` ${WORDS.takes_it[cost.taker]}`, loss && ` ${loss} ${WORDS.you_lose}.`);
}

function ofPuzzle(page) {
  const { view } = page;
  const { state } = view;
  const { number } = view.puzzle.value;
  const done = triedOf(localStorage, state.game, number);
  const right = view.grades[1].value.optimal;
  const again = button(WORDS.try_again, () => page.go({ turns: [], n: 0, laid: "", values: "off", why: "" }), { class: isDone(done) ? "" : "main", data: { key: "try-again" } });
  const refuted = !right && refutation(page);
  if (!isDone(done)) return bar("trying", make("p", { role: "alert" }, `${marksOf(done)} ${WORDS.not_this}. ${WORDS.tries_left(TRIES - done.tries.length)}`), refuted, make("div", { class: "buttons" }, again));
  const score = done.solved ? done.tries.length : "X";
  const result = WORDS.result(WORDS.games[state.game], puzzleTitle(view), marksOf(done), score, TRIES);
  const link = new URL(puzzleAddress(state.game, number), location.href).href;
  const other = state.game === FACE ? TAKE : FACE; // on Sundays there is one of each game
  const isOther = isSunday(state.day) && !isDone(triedOf(localStorage, other, puzzleOfDay(state.day, view.puzzle.value.of)));
  const reveal = () => page.go({ turns: [view.puzzle.value.turn], n: 1, laid: "" });
  return bar("done",
    make("p", { class: "score", role: "status" }, make("b", { "aria-hidden": "true" }, marksOf(done)), ` ${done.solved ? WORDS.solved_in(done.tries.length) : WORDS.not_found}`),
    refuted,
    make("div", { class: "buttons" },
      copying(page, WORDS.copy_result, () => `${result} ${link}`, { class: "main", data: { key: "copy-result" } }),
      isOther ? button(`${WORDS.of_the_day}: ${WORDS.games[other]}`, () => page.go(beginPuzzle(other)), { class: "main", data: { key: "other-game" } })
        : button(done.solved || setOf(localStorage, state.game, number) ? WORDS.next_puzzle : WORDS.like_it, () => another(page), { class: "main", data: { key: "next-puzzle" } }),
      !right && button(WORDS.show_solution, reveal, { data: { key: "solution" } }), !right && again),
    drawSet(state.game, number), standing(page));
}

/** A mark for each puzzle of a set: solved at once, later, not, or not done yet. @param {import("./remembered.js").Tried[]} tens */
export const barOf = (tens) => tens.map((one) => (one.solved ? (one.tries.length > 1 ? "\ud83d\udfe8" : "\ud83d\udfe9") : isDone(one) ? "\ud83d\udfe7" : "\u2b1c")).join("");

/** How far one is with the set to which a puzzle belongs. @param {string} game @param {number} number */
export function drawSet(game, number) {
  const set = setOf(localStorage, game, number);
  if (!set) return null;
  const tens = set.numbers.map((one) => triedOf(localStorage, game, one));
  return make("p", { class: "set" }, `${WORDS.themes[game][set.theme] || ""} `, make("b", { "aria-hidden": "true" }, barOf(tens)),
    ` ${WORDS.of_ten(tens.filter((one) => one.solved).length, tens.length)}`);
}

/** How one has done so far: bars, days in a row, and when the next puzzle of the day comes. */
function standing(page) {
  const counts = triesOf(localStorage);
  const all = Math.max(1, ...counts);
  const bars = counts.map((count, place) => make("li", {}, make("span", { "aria-hidden": "true" }, place < TRIES ? String(place + 1) : "X"),
    make("meter", { min: "0", max: String(all), value: String(count), "aria-label": `${place < TRIES ? WORDS.solved_in(place + 1) : WORDS.not_found}: ${count}` }), String(count)));
  const { points, change, number } = ratingOf(localStorage, page.state.game);
  const days = streakOf(localStorage, dayOf(Date.now()));
  const minutes = Math.ceil(untilNextDay(Date.now()) / 60_000);
  return make("div", { class: "standing" }, make("ol", { class: "bars" }, bars),
    make("p", { class: "note" }, WORDS.rating(Math.round(points), String(number) === page.state.puzzle ? change : 0), " ", days > 0 && `${WORDS.streak(days)} `, page.view.state.day ? WORDS.next_day(Math.floor(minutes / 60), minutes % 60) : ""));
}

function ofGame(page) {
  const human = page.state.seats.find((kind) => kind !== "human" && kind !== "perfect");
  return bar("game",
    make("div", { class: "buttons" },
      button(WORDS.new_game, () => wholeGame(page, human || QUICK), { class: "main", data: { key: "new-game" } }),
      button(WORDS.review_it, () => document.getElementById("panel").scrollIntoView({ behavior: "smooth" }), { data: { key: "to-review" } })));
}

/** The puzzles of a theme that are not done yet, as hard as one is strong. @param {import("./main.js").Page} page @param {string} theme */
async function fitting(page, theme) {
  const { game } = page.state;
  const found = await page.fetch(paths.puzzles(game, theme));
  const open = (found?.numbers || []).filter((number) => !isDone(triedOf(localStorage, game, number)));
  return tenOf(open, ratingOf(localStorage, game).points, page.view.puzzle.value.of);
}

/** Begins a set of ten puzzles of a theme. @param {import("./main.js").Page} page @param {string} theme */
export async function beginSet(page, theme) {
  const { game } = page.state;
  const numbers = await fitting(page, theme);
  if (!numbers.length) return page.tell(WORDS.all_done);
  keepSet(localStorage, { game, theme, numbers });
  page.go(beginPuzzle(game, String(numbers[0])));
}

/** The next puzzle: of the set that was begun, of the theme of one that was missed, or else any of the chosen level. @param {import("./main.js").Page} page */
export async function another(page) {
  const { game, puzzle } = page.state;
  const to = (number) => page.go(beginPuzzle(game, String(number)));
  const doneOf = (number) => triedOf(localStorage, game, number);
  const set = setOf(localStorage, game, Number(puzzle));
  if (set) {
    const next = set.numbers.find((number) => !isDone(doneOf(number)));
    return next === undefined ? beginSet(page, set.theme) : to(next);
  }
  const before = doneOf(Number(puzzle));
  const [like] = isDone(before) && !before.solved ? await fitting(page, page.view.puzzle.value.themes[0]) : [];
  if (like !== undefined) return to(like);
  const drawn = await page.fetch(paths.puzzle(game, page.ui.level ? { difficulty: page.ui.level } : {}));
  if (drawn) to(drawn.number);
}
