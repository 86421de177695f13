// Puzzles: a position in which one turn alone is right. Then the game goes on against the perfect player.

import { paths } from "./api.js";
import { button, make } from "./dom.js";
import { grade, history } from "./history.js";
import { missing } from "./parts.js";
import { begin } from "./state.js";
import { WORDS } from "./words.js";

/** @param {import("./main.js").Page} page */
export function drawPuzzle(page) {
  const { state } = page;
  return [make("h2", {}, WORDS.puzzle_title[state.game]), state.puzzle && present(page), choose(page)];
}

function choose(page) {
  const { level } = page.ui;
  const levels = make("select", { data: { key: "level" }, on: { change: (event) => page.set({ level: event.target.value }) } },
    make("option", { value: "", selected: !level }, WORDS.any_level),
    WORDS.levels.map((name, place) => make("option", { value: String(place + 1), selected: level === String(place + 1) }, name)));
  return make("p", { class: "choose" }, make("label", {}, `${WORDS.difficulty} `, levels), " ",
    button(page.state.puzzle ? WORDS.next_puzzle : WORDS.first_puzzle, () => another(page), { class: page.state.puzzle ? "" : "main", data: { key: "next-puzzle" } }));
}

async function another(page) {
  const { game } = page.state;
  const drawn = await page.fetch(paths.puzzle(game, page.ui.level ? { difficulty: page.ui.level } : {}));
  if (drawn) page.go({ ...begin(game, drawn.position), mode: "puzzles", puzzle: String(drawn.number), seats: ["human", "perfect"], values: "off" });
}

function present(page) {
  const { view } = page;
  const { state } = view;
  if (!view.puzzle?.value) return view.puzzle && missing(page, view.puzzle);
  const puzzle = view.puzzle.value;
  const about = make("p", {}, make("b", {}, WORDS.puzzle(state.puzzle)), ` \u00b7 ${WORDS.levels[puzzle.difficulty - 1]}`);
  if (!state.n) {
    const solution = button(WORDS.show_solution, () => page.go({ turns: [puzzle.turn], n: 1, laid: "" }), { data: { key: "solution" } });
    return [about, make("p", {}, WORDS.puzzle_help[state.game]), make("p", { class: "buttons" }, solution)];
  }
  const answer = view.grades[1];
  if (!answer?.value) return [about, answer && missing(page, answer)];
  const right = answer.value.optimal;
  const again = button(WORDS.try_again, () => page.go({ turns: [], n: 0, laid: "" }), { class: right ? "" : "main", data: { key: "try-again" } });
  const on = button(WORDS.play_on, () => page.go({ mode: "play", seats: ["human", "perfect"], values: "off" }), { class: right ? "main" : "", data: { key: "play-on" } });
  const said = right ? make("span", { class: "grade good" }, `\u2713 ${WORDS.solved}`) : [grade(answer), ` ${WORDS.not_this}`];
  return [about, make("p", { class: "verdict", role: "alert" }, said), make("p", { class: "buttons" }, right ? [on, again] : [again, on]), history(page)];
}
