// The panel beside the table: who plays, the best line, the turns so far, and all outcomes.

import { SERVED } from "./ask.js";
import { button, make } from "./dom.js";
import { history } from "./history.js";
import { drawOdds } from "./odds.js";
import { drawOutcomes } from "./outcomes.js";
import { QUICK, wholeGame } from "./play.js";
import { drawPuzzle } from "./puzzles.js";
import { drawShare } from "./share.js";
import { previewing, turnList } from "./turnlist.js";
import { hasEnded, isHidden, offersOdds } from "./view.js";
import { playerName, WORDS } from "./words.js";

/** The strength of players in whole games (docs/players.md; scripts/docs/figures.py writes it). @type {Record<string, Record<string, {elo?: number}>>} */
const PLAYERS = {
  face_to_face: {
    perfect: {},
    sampler: { elo: /* data: players.face_to_face: sampler:playouts=3000 / Elo */ 529 /* end */ },
    net: { elo: /* data: players.face_to_face: net / Elo */ 308 /* end */ },
    tuned: { elo: /* data: players.face_to_face: tuned / Elo */ 123 /* end */ },
    frugal: { elo: /* data: players.face_to_face: frugal / Elo */ 61 /* end */ },
    hasty: { elo: /* data: players.face_to_face: hasty / Elo */ -102 /* end */ },
    random: { elo: /* data: players.face_to_face: random / Elo */ -1152 /* end */ },
  },
  take_that: {
    perfect: {},
    sampler: { elo: /* data: players.take_that: sampler:worlds=600 / Elo */ 195 /* end */ },
    tuned: { elo: /* data: players.take_that: tuned / Elo */ 128 /* end */ },
    careful: { elo: /* data: players.take_that: careful / Elo */ 54 /* end */ },
    eager: { elo: /* data: players.take_that: eager / Elo */ -67 /* end */ },
    random: { elo: /* data: players.take_that: random / Elo */ -698 /* end */ },
  },
};

/** @param {import("./main.js").Page} page */
export function drawPanel(page) {
  const { mode } = page.view.state;
  if (mode === "enter") return page.script("rare.js")?.drawDeck(page);
  if (mode === "puzzles" && (page.view.table || page.view.failed)) return drawPuzzle(page);
  if (!page.view.table) return []; // otherwise the panel would jump when the table comes
  if (mode === "share") return drawShare(page);
  return [make("h2", { class: "unseen" }, WORDS.modes[mode]), mode === "play" && [hasEnded(page.view) && page.script("rare.js")?.review(page), seats(page)], drawOdds(page), bestLine(page), history(page), drawOutcomes(page)];
}

/** The best line: a turn of it is shown under the pointer, and played up to it by a click. */
function bestLine(page) {
  const { state, answer } = page.view;
  const line = answer?.value?.line;
  if (!line?.length) return null;
  const follow = (place) => page.go({ turns: [...state.turns.slice(0, state.n), ...line], n: state.n + place + 1, laid: "", why: "" });
  const playAll = () => page.go({ turns: [...state.turns.slice(0, state.n), ...line], laid: "", why: "" }, { following: true });
  return make("section", { class: "best-line", on: previewing(page) }, make("h3", {}, WORDS.best_line), turnList(state.game, line, state.n, follow),
    button(page.ui.following ? WORDS.stop : WORDS.follow, () => (page.ui.following ? page.set({ following: false }) : playAll()), { data: { key: "follow" } }));
}

function seats(page) {
  const { state, view } = page;
  const players = view.games?.value?.games.find((one) => one.name === state.game)?.players || {};
  const known = Object.keys(PLAYERS[state.game]).filter((kind) => kind === "perfect" || kind in players);
  const kinds = [...new Set(["human", ...known, ...Object.keys(players), ...state.seats])];
  const select = (seat) => make("label", {}, `${WORDS.played_by[seat]} `, make("select", {
    data: { key: `seat-${seat}` },
    on: { change: (event) => page.go({ seats: state.seats.map((kind, place) => (place === seat ? event.target.value : kind)) }) },
  }, kinds.map((kind) => option(state.game, kind, state.seats[seat] === kind))));
  const about = state.seats.filter((kind) => (SERVED || kind !== "perfect") && Object.hasOwn(WORDS.about_players[state.game], kind)).map((kind) => WORDS.about_players[state.game][kind]);
  const shown = state.values === "on";
  const values = button(shown ? WORDS.values_off : WORDS.values_on, () => page.go({ values: shown ? "off" : "on" }), { data: { key: "values" } });
  const told = Boolean(view.odds);
  const odds = button(told ? WORDS.odds_off : WORDS.odds_on, () => page.go({ values: told ? "off" : "odds" }), { data: { key: "odds" } });
  const own = state.cards === "own";
  const cards = button(own ? WORDS.all_cards : WORDS.own_cards, () => page.go({ cards: own ? "all" : "own" }), { data: { key: "cards" } });
  const whole = button(WORDS.whole_game, () => wholeGame(page, QUICK in players ? QUICK : "perfect"), { data: { key: "whole-game" } });
  return make("div", { class: "seats" }, select(0), select(1), about.length > 0 && make("p", { class: "note" }, about.join(" ")),
    make("div", { class: "buttons" }, whole, cards, !isHidden(view) && values, offersOdds(view) && odds),
    !SERVED && make("p", { class: "note" }, WORDS.no_server_here));
}

/** Who may play a seat. */
function option(game, kind, selected) {
  const { elo } = PLAYERS[game][kind] || {};
  const words = elo === undefined ? playerName(game, kind) : `${playerName(game, kind)} (${WORDS.elo(elo)})`;
  return make("option", { key: kind, value: kind, selected }, words);
}
