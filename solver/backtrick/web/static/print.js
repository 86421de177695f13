// A sheet of puzzles on paper: the tables, and the answers for the back, or upside down at the foot. Its address names the puzzles (sheet.js).

import { paths } from "./api.js";
import { fetchAnswer } from "./ask.js";
import { button, make, patch } from "./dom.js";
import { tableOf } from "./notation.js";
import { positionsOf, sheetOf } from "./sheet.js";
import { Failed } from "./store.js";
import { drawTable, plainLook, putSymbols } from "./table.js";
import { turnElement } from "./turnview.js";
import { LANGUAGE, learn, refused, valueWords, WORDS } from "./words.js";
import { WORDS as ENGLISH } from "./words/late/en.js";

const FEW = 6; // tables, below which there is room for the answers

const titleOf = ({ number, difficulty }) => [make("span", {}, WORDS.puzzle(number)), difficulty && make("small", {}, WORDS.levels[difficulty - 1])];

/** @param {string} game @param {any[]} puzzles */
function drawSheet(game, puzzles) {
  const tables = puzzles.map((one) => make("figure", {}, make("figcaption", {}, titleOf(one)),
    make("div", { class: "board", inert: true }, drawTable(tableOf(game, one.position), plainLook())), make("small", {}, one.position)));
  const answers = puzzles.map((one) => make("li", {}, make("b", {}, `${WORDS.puzzle(one.number)}: `), one.turn && turnElement(game, one.turn), ` ${valueWords(valueOf(game, one), 0).words}`));
  return [make("header", {}, make("h1", {}, puzzles.some((one) => one.answer) ? WORDS.games[game] : WORDS.sheet(WORDS.games[game])), button(WORDS.print, () => print())), make("section", { class: "tables" }, tables),
    make("section", { class: "answers" }, make("h2", {}, WORDS.answers), make("ol", {}, answers))];
}

/** The value of a puzzle as a record has it. */
const valueOf = (game, { value, answer }) => answer || (game === "take_that" ? { value } : { outcome: "win", remoteness: value });

let drawn = patch(document.getElementById("sheet"), make("main", { id: "sheet" }, WORDS.loading));

async function show() {
  const { game, numbers } = sheetOf(location.hash);
  const puzzles = [];
  const draw = (parts) => (drawn = patch(drawn, make("main", { id: "sheet", class: puzzles.length <= FEW ? "few" : "" }, parts)));
  document.documentElement.lang = LANGUAGE;
  document.documentElement.dataset.game = game;
  document.title = `${WORDS.sheet(WORDS.games[game])} \u00b7 ${WORDS.name}`;
  try {
    if (!document.documentElement.dataset.drawn) putSymbols(document.getElementById("symbols"), await fetchAnswer(paths.symbols()));
    for (const number of numbers) puzzles.push(await fetchAnswer(paths.puzzle(game, { number })));
    for (const [place, position] of positionsOf(location.hash).entries()) {
      const answer = await fetchAnswer(paths.solve(game, position));
      puzzles.push({ number: place + 1, position, turn: answer.outcomes?.[0]?.turn, answer });
    }
    draw(drawSheet(game, puzzles));
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    draw(make("p", { class: "problem", role: "alert" }, refused(error.problem)));
  }
}

await learn("words/late", ENGLISH);
window.addEventListener("hashchange", show);
show();
