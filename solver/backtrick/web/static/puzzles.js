// Puzzles: a position in which one turn alone is right. Then the game goes on against the perfect player.

import { api } from "./api.js";
import { button, make } from "./dom.js";
import { grade, headline, history } from "./panel.js";
import { begin } from "./state.js";
import { WORDS } from "./words.js";

export function drawPuzzle(page) {
  const { state } = page;
  const parts = [make("h2", {}, WORDS.puzzle_title[state.game])];
  if (state.puzzle) parts.push(...present(page));
  parts.push(choose(page));
  if (page.ui.noPuzzle) parts.push(make("p", { class: "note", role: "alert" }, page.ui.noPuzzle));
  return parts;
}

function choose(page) {
  const level = make("select", { data: { key: "level" }, on: { change: (event) => (page.ui.level = event.target.value) } },
    make("option", { value: "" }, WORDS.any_level),
    WORDS.levels.map((name, place) => make("option", { value: String(place + 1), selected: page.ui.level === String(place + 1) }, name)));
  return make("p", { class: "choose" }, make("label", {}, `${WORDS.difficulty} `, level), " ",
    button(page.state.puzzle ? WORDS.next_puzzle : WORDS.first_puzzle, () => another(page), { class: page.state.puzzle ? "" : "main", data: { key: "next-puzzle" } }));
}

async function another(page) {
  const { game } = page.state;
  try {
    const { position, number } = await api.puzzle(game, page.ui.level ? { difficulty: page.ui.level } : {});
    page.ui.noPuzzle = "";
    await page.go({ ...begin(game, position), mode: "puzzles", puzzle: String(number), seats: ["human", "perfect"], values: "off" });
  } catch (error) {
    page.ui.noPuzzle = error.message;
    page.drawPanel();
  }
}

function present(page) {
  const { state, view } = page;
  const { value: puzzle } = page.ask(`puzzle ${state.game} ${state.puzzle}`, () => api.puzzle(state.game, { number: state.puzzle }));
  const about = make("p", {}, make("b", {}, WORDS.puzzle(state.puzzle)), puzzle ? ` \u00b7 ${WORDS.levels[puzzle.difficulty - 1]}` : "");
  if (!state.n) {
    const solution = puzzle && button(WORDS.show_solution, () => page.go({ turns: [puzzle.turn], n: 1, laid: "" }), { data: { key: "solution" } });
    return [about, headline(page, false), make("p", {}, WORDS.puzzle_help[state.game]), solution];
  }
  const answer = page.ask(`grade ${state.game} ${state.start} ${state.turns[0]}`, () => api.grade(state.game, state.start, state.turns[0])).value;
  if (!answer) return [about, make("p", { class: "note" }, WORDS.loading)];
  const right = answer.optimal;
  const again = button(WORDS.try_again, () => page.go({ turns: [], n: 0, laid: "" }), { class: right ? "" : "main", data: { key: "try-again" } });
  const on = button(WORDS.play_on, () => page.go({ mode: "play" }), { class: right ? "main" : "", data: { key: "play-on" } });
  const said = right ? make("span", { class: "grade good" }, `\u2713 ${WORDS.solved}`) : [grade(page, state.start, state.turns[0]), ` ${WORDS.not_this}`];
  return [about, make("p", { class: "verdict", role: "alert" }, said), make("p", { class: "buttons" }, right ? [on, again] : [again, on]), history(page)];
}
