// Puzzles: a position in which one turn alone is right. Then the game goes on against the perfect player.

import { SERVED, sheetAddress } from "./ask.js";
import { button, make } from "./dom.js";
import { another, beginSet, drawSet } from "./end.js";
import { history, judgement, judgementElement } from "./history.js";
import { drawOthers } from "./outcomes.js";
import { ALL, missing } from "./parts.js";
import { QUICK, wholeGame } from "./play.js";
import { dayOf, isDone, isNew, mistakesOf, rate, ratingOf, triedOf } from "./remembered.js";
import { save } from "./share.js";
import { sheetName } from "./sheet.js";
import { broughtAlong, missedOf, setOf, shown, solvedOf, streakOf, takenAlong } from "./standing.js";
import { begin, beginPuzzle } from "./state.js";
import { thumbOf } from "./thumb.js";
import { WORDS } from "./words.js";

/** @param {import("./main.js").Page} page */
export function drawPuzzle(page) {
  const { state } = page;
  return [make("h2", {}, WORDS.puzzle_title[state.game]), present(page), choose(page), chooseTen(page), standing(page), thumb(page), about(page), along(page)];
}

/** What this is, for somebody who has just come. @param {import("./main.js").Page} page */
function about(page) {
  const { game } = page.state;
  return make("section", { class: "about" },
    make("p", { class: "buttons" },
      button(WORDS.whole_game, () => wholeGame(page, QUICK), { data: { key: "about-play" } }),
      button(WORDS.analyse, () => page.go(begin(game)), { data: { key: "about-look" } })),
    make("p", { class: "note" }, WORDS.what_it_is, " ",
      button(WORDS.rules, () => page.set({ rules: ALL }), { class: "link", "aria-haspopup": "dialog", data: { key: "about-rules" } }),
      SERVED && [" \u00b7 ", make("a", { href: "/api/v1/openapi.json" }, WORDS.documentation)]));
}

/** Which puzzle is next: that of the day, one that has come back, or one of a level. */
function choose(page) {
  const { level } = page.ui;
  const { game } = page.state;
  const levels = make("select", { data: { key: "level" }, on: { change: (event) => page.set({ level: event.target.value }) } },
    make("option", { value: "", selected: !level }, WORDS.any_level),
    WORDS.levels.map((name, place) => make("option", { value: String(place + 1), selected: level === String(place + 1) }, name)));
  const daily = button(WORDS.of_the_day, () => page.go(beginPuzzle(game)), { data: { key: "puzzle-of-the-day" } });
  const today = dayOf(Date.now());
  const [missed, mistakes] = [missedOf(localStorage, game, today), mistakesOf(localStorage, game, today)];
  const next = () => (missed.length ? beginPuzzle(game, String(missed[0])) : { ...begin(game, mistakes[0]), mode: "play", seats: ["human", "perfect"], values: "off" });
  const count = missed.length + mistakes.length;
  const back = count > 0 && [button(WORDS.missed(count), () => page.go(next()), { data: { key: "missed" } }), " "];
  return make("p", { class: "choose" }, daily, " ", back, make("label", {}, `${WORDS.difficulty} `, levels), " ",
    button(WORDS.next_puzzle, () => another(page), { data: { key: "next-puzzle" } }));
}

/** Ten puzzles at once: a set of a theme, or a sheet for paper. */
function chooseTen(page) {
  const { game } = page.state;
  const names = WORDS.themes[game];
  const themes = make("select", { data: { key: "theme" }, on: { change: (event) => page.set({ theme: event.target.value }) } },
    Object.entries(names).map(([theme, name]) => make("option", { key: theme, value: theme, selected: page.ui.theme === theme }, name)));
  const chosen = page.ui.theme in names ? page.ui.theme : Object.keys(names)[0];
  const ten = button(WORDS.a_set, () => beginSet(page, chosen), { data: { key: "set" } });
  return page.view.puzzle?.value && make("p", { class: "choose" }, make("label", {}, `${WORDS.theme} `, themes), " ", ten, " ", make("a", { href: sheetAddress(sheetName(game, sheet(page))) }, WORDS.print_ten));
}

/** The puzzles that are printed: those of the set, or ten from the one on the table. */
function sheet({ view: { state: { game }, puzzle: { value: { number, of } } } }) {
  return setOf(localStorage, game, number)?.numbers || Array.from({ length: Math.min(10, of - number) }, (_, place) => number + place);
}

/** The rule of thumb of the day; none while the puzzle is not done, whose turn may break it. @param {import("./main.js").Page} page */
function thumb({ state: { game }, view: { puzzle } }) {
  if (!isDone(triedOf(localStorage, game, puzzle?.value?.number))) return null;
  const { place, cost } = thumbOf(game, dayOf(Date.now()));
  return make("p", { class: "note" }, make("b", {}, `${WORDS.thumb}: `), `${WORDS.thumbs[place]} ${WORDS.thumb_costs[game](cost)}`);
}

/** What this browser remembers as a file, for another browser. @param {import("./main.js").Page} page */
function along(page) {
  const bring = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    broughtAlong(localStorage, await file.text());
    page.draw();
  };
  return make("p", { class: "file" },
    button(WORDS.take_along, () => save("backtrick.json", new Blob([takenAlong(localStorage)], { type: "application/json" })), { data: { key: "take-along" } }), " ",
    make("input", { id: "bring", class: "unseen", type: "file", accept: ".json", data: { key: "bring" }, on: { change: bring } }), make("label", { for: "bring" }, WORDS.bring_along));
}

/** How one has done so far. */
function standing(page) {
  const { game } = page.state;
  const solved = solvedOf(localStorage, game);
  const days = streakOf(localStorage, dayOf(Date.now()));
  return make("p", { class: "note" }, WORDS.solved_so_far(solved), solved > 0 && ` ${WORDS.rating(Math.round(ratingOf(localStorage, game).points), 0)}`, days > 0 && ` ${WORDS.streak(days)}`);
}

function present(page) {
  const { view } = page;
  const { state } = view;
  if (!view.puzzle?.value) return view.puzzle && missing(page, view.puzzle);
  const puzzle = view.puzzle.value;
  const { number } = puzzle;
  const level = WORDS.levels[puzzle.difficulty - 1];
  const done = triedOf(localStorage, state.game, number);
  const about = isDone(done) && puzzle.themes.map((theme) => ` \u00b7 ${WORDS.themes[state.game][theme] || theme}`);
  const line = [make("p", {}, make("b", {}, WORDS.puzzle(number)), ` \u00b7 ${level}`, about, done.solved && state.n === 0 && ` \u00b7 ${WORDS.solved_before}`), state.n === 0 && drawSet(state.game, number)];
  const reveal = () => {
    shown(localStorage, state.game, number);
    rate(localStorage, state.game, puzzle, done);
    page.go({ turns: [puzzle.turn], n: 1, laid: "" });
    document.getElementById("table").scrollIntoView({ behavior: "smooth" });
  };
  const solution = button(WORDS.show_solution, reveal, { data: { key: "solution" } });
  if (!state.n) {
    const goal = isNew(localStorage, state.game) && make("p", {}, WORDS.steps_of_rules[state.game][0]);
    return [line, goal, make("p", {}, WORDS.puzzle_help[state.game]), make("p", { class: "buttons" }, solution)];
  }
  const answer = view.grades[1];
  if (!answer?.value) return [line, answer && missing(page, answer)];
  const on = button(WORDS.play_on, () => page.go({ mode: "play", seats: ["human", "perfect"], values: "off" }), { data: { key: "play-on" } });
  const why = !view.others && button(WORDS.why_others[state.game], () => page.go({ values: "on" }), { data: { key: "why-others" } });
  return [line, make("p", { class: "verdict" }, answer.value.optimal ? WORDS.the_only_one : judgementElement(judgement(view, 1))),
    make("p", { class: "buttons" }, isDone(done) && why, on), answer.value.optimal && drawOthers(page), history(page)];
}
