// The table in play: cards are chosen and laid here, by click, by key or by dragging. What may be laid where, the server has said.

import { bar } from "./bar.js";
import { make } from "./dom.js";
import { dragged } from "./drag.js";
import { headline, isGlad } from "./headline.js";
import { choiceFor, choicesOf, isLive, tryLay } from "./laying.js";
import { FACE, lay, playsOf } from "./notation.js";
import { failure, missing } from "./parts.js";
import { BETWEEN } from "./state.js";
import { drawTable, marksOf, zoneOf } from "./table.js";
import { isHidden, seatOf, winnerOf, worthOf } from "./view.js";
import { playerName, said, valueWords, WORDS } from "./words.js";

/** @typedef {import("./main.js").Page} Page */

/** @param {Page} page */
export function drawBoard(page) {
  const { view, ui } = page;
  const problem = view?.failed && failure(page, view.failed);
  if (!view?.table) return [problem || make("p", { class: "note" }, WORDS.loading)];
  let { table } = view;
  let plays = [];
  if (table.mover !== null) {
    for (const [place, turn] of (ui.preview || view.state.laid).split(BETWEEN).entries()) {
      plays = playsOf(view.state.game, turn);
      table = plays.reduce(lay, { ...table, mover: (view.table.mover + place) % 2 });
    }
  }
  const on = {
    click: (event) => clicked(page, event),
    pointerdown: (event) => dragged(page, event),
    pointerover: (event) => event.pointerType === "mouse" && touched(page, event.target),
    pointerleave: () => touched(page, null),
    focusin: (event) => {
      rove(event.target.closest(".zone"));
      touched(page, event.target);
    },
    keydown: (event) => moved(event),
  };
  const board = make("div", { class: `board${ui.preview ? " preview" : ""}${isGlad(view) ? " glad" : ""}`, on },
    ui.preview && make("span", { class: "tag previewed" }, WORDS.preview), drawTable(table, looks(page, table, plays)));
  return [make("h2", { class: "unseen" }, WORDS.table), problem, view.symbols.state === "failed" && missing(page, view.symbols), headline(page), board, page.lost && missing(page, page.lost), view.state.mode !== "share" && (page.late?.drawEnd(page) || bar(page)), note(page)];
}

/** What is to be said: a message, or what the touched card has to do with others. */
function note(page) {
  const { ui, view } = page;
  const others = partnersOf(page);
  const words = ui.note || (others.length ? WORDS.partners[view.state.game](ui.touched, others) : "");
  return make("p", { class: "note", id: "note" }, words);
}

/** The numbers on the table that have to do with the one that is touched. */
function partnersOf({ view, ui }) {
  const pairs = view.look?.partners || [];
  return pairs.filter((pair) => pair.includes(ui.touched)).map(([one, other]) => (one === ui.touched ? other : one));
}

/** How the cards and zones look in play. @returns {import("./table.js").Look} */
function looks(page, table, plays) {
  const { view, ui } = page;
  const { game } = view.state;
  const winner = winnerOf(view);
  const partners = partnersOf(page);
  const mine = `hand-${table.mover}`;
  const live = isLive(page);
  const { last } = view;
  const turns = plays.length ? [{ seat: table.mover, plays }, ...last.filter((turn) => turn.seat !== table.mover)] : last;
  return {
    head: (seat) => seatHead(page, seat, winner),
    down: (zone) => liesDown(view, zone),
    shows: () => false,
    zoneClass: (zone) => (live && zone === mine ? "live" : ""),
    say: () => null,
    lineEnd: () => (game === FACE || table.mover === null || seatOf(view) === "nobody" ? null : endOfLine(page)),
    card: (zone, number) => {
      /** @type {{kind: string, text: string, words?: string}[]} */
      const marks = [];
      const words = [];
      const kinds = [];
      for (const turn of turns) {
        const laid = turn.plays.filter((play) => play.card && play.spot !== "take" && zoneOf(game, turn.seat, play.spot) === zone).map((play) => play.card);
        if (!laid.includes(number)) continue;
        kinds.push(turn.plays === plays ? "fresh" : `last by-${turn.seat}`);
        if (game === FACE && laid.length > 1) marks.push({ kind: `chain by-${turn.seat}`, text: laid.join(" "), words: WORDS.chain(laid.join(" ")) });
      }
      if (last.some((turn) => zone === `hand-${turn.seat}` && turn.drawn.includes(number))) {
        kinds.push("drawn");
        words.push(WORDS.drawn);
      }
      if (partners.includes(number)) kinds.push("partner");
      if (zone === mine && live) {
        if (choicesOf(view, number).every((one) => one.problem)) {
          kinds.push("stuck");
          words.push(WORDS.not_now);
        }
        if (number === ui.card) kinds.push("selected");
      }
      const { kind, words: aims, choice } = aimed(page, zone, number, false);
      if (choice) marks.push(...worth(view, [choice]));
      else if (zone === mine && live) marks.push(...worth(view, choicesOf(view, number)));
      return { class: [...kinds, kind].join(" "), marks, words: [...words, ...aims, ...marks.flatMap((mark) => mark.words || [])], title: kind === "blocked" ? aims[0] : undefined, pressed: zone === mine && live ? number === ui.card : undefined };
    },
  };
}

/** The mark of the best that can come of some choices, if it is known. */
function worth(view, choices) {
  const known = choices.map((choice) => worthOf(view, choice.play)).filter(Boolean);
  if (!known.length) return [];
  const turns = view.completions.value.turns;
  const best = known.reduce((one, other) => (turns.indexOf(other.best) < turns.indexOf(one.best) ? other : one));
  const { kind, sign, words } = valueWords(best, view.table.mover);
  return [{ kind: `worth ${kind}`, text: sign, words: `${sign}: ${WORDS.then(words)}` }];
}

/** Whether the card in hand may go to a card or place of the table: how that looks, and in words. */
function aimed(page, zone, number, isEnd) {
  const { view, ui } = page;
  if (ui.card === null || !isLive(page) || zone === `hand-${view.table.mover}`) return { kind: "", words: [] };
  const choice = choiceFor(page, ui.card, zone, number);
  if (!choice || !(choice.place === "twist" || view.state.game === FACE || isEnd)) return { kind: "", words: [] };
  if (choice.problem) return { kind: "blocked", words: [`${said(choice.problem)}, ${WORDS.rule(choice.rule)}`] };
  return { kind: "target", words: [WORDS.lay_card(choice)], choice };
}

function endOfLine(page) {
  const { kind, words: aims, choice } = aimed(page, "line", null, true);
  const marks = choice ? worth(page.view, [choice]) : [];
  return make("button", {
    type: "button", class: `end ${kind}`, "aria-label": [`${WORDS.lay_here}: ${WORDS.end_of_line}`, ...aims, ...marks.map((mark) => mark.words)].join(": "),
    data: { key: "line:end", zone: "line" },
  }, WORDS.lay_here, marksOf(marks));
}

function seatHead({ view }, seat, winner) {
  const { state } = view;
  const tags = [];
  if (view.table.mover === seat && !view.over && !(state.mode === "puzzles" && state.n)) tags.push(make("span", { class: "tag to-move" }, WORDS.to_move));
  if (winner === seat) tags.push(make("span", { class: "tag winner" }, WORDS.won));
  if (state.mode === "play" && state.seats[seat] !== "human") tags.push(make("span", { class: "tag" }, playerName(state.game, state.seats[seat])));
  if (liesDown(view, `hand-${seat}`)) tags.push(make("span", { class: "tag" }, WORDS.cards(view.table.seats[seat].hand.length)));
  if (state.game !== FACE && view.won.some(Boolean)) tags.push(make("span", { class: "tag points" }, WORDS.points(view.won[seat])));
  return make("header", {}, make("h3", {}, WORDS.seat[seat]), tags);
}

/** True if a zone lies face down: the draw piles, and the hands of all seats but the human ones. */
function liesDown(view, zone) {
  if (!isHidden(view)) return false;
  return zone.startsWith("draw") || (zone.startsWith("hand-") && view.state.seats[zone[5]] !== "human");
}

function clicked(page, event) {
  if (page.ui.preview) page.set({ preview: "" }); // the table is touched, so it shows the position again
  const element = event.target.closest("[data-key]");
  if (!element) return;
  const { key, zone } = element.dataset;
  if (!isLive(page)) {
    page.ui.early = [...page.ui.early, { key, detail: event.detail }];
    return;
  }
  const number = Number(element.dataset.card) || null;
  if (zone === `hand-${page.view.table.mover}`) choose(page, number, event.detail === 0);
  else if (page.ui.card !== null) tryLay(page, page.ui.card, zone, number);
}

/** Does what was clicked before the server had said what may be laid. @param {Page} page */
export function catchUp(page) {
  if (!isLive(page)) return;
  const { early } = page.ui;
  page.ui.early = [];
  for (const { key, detail } of early) document.querySelector(`#table [data-key="${key}"]`)?.dispatchEvent(new MouseEvent("click", { bubbles: true, detail }));
}

/** Takes a card in hand, or puts it back. byKey: the focus goes on to the first place where it may be laid. */
function choose(page, number, byKey) {
  const again = page.ui.card === number;
  const found = choicesOf(page.view, number);
  const stuck = !again && found.every((choice) => choice.problem);
  page.set({ card: again ? null : number, refusal: stuck ? found : null, note: "" });
  if (stuck) page.say(`${number}: ${found.map((choice) => said(choice.problem)).join("; ")}`);
  const first = found.find((choice) => !choice.problem);
  if (byKey && !again && first) elementFor(page, first)?.focus();
}

/** Puts the card in hand back, and the focus with it. @param {Page} page */
export function putBack(page) {
  const { card, refusal, preview } = page.ui;
  if (card === null && !refusal && !preview) return;
  page.set({ card: null, refusal: null, preview: "" });
  if (card !== null) /** @type {HTMLElement} */ (document.querySelector(`[data-key="hand-${page.view.table.mover}:${card}"]`))?.focus();
}

/** The element on which a choice lays its card. @returns {HTMLElement} */
function elementFor({ view }, choice) {
  if (view.state.game === FACE) return document.querySelector(`.board [data-zone="${zoneOf(FACE, view.table.mover, choice.place)}"].card`);
  return document.querySelector(choice.target ? `.board [data-key="line:${choice.target}"]` : ".board .end");
}

/** The card under the pointer, or the one that has the focus: its partners are marked. */
function touched(page, element) {
  const card = element?.closest?.(".card[data-card]");
  const number = card ? Number(card.dataset.card) : null;
  if (number !== page.ui.touched) page.set({ touched: number });
}

const CARDS = "button.card, .end";

/** Tab stops once in each zone: at the card that had the focus last, or else at the first that may be laid.
 *  @param {Element | null} zone */
function rove(zone) {
  if (!zone) return;
  const cards = /** @type {HTMLElement[]} */ ([...zone.querySelectorAll(CARDS)]);
  const stop = cards.find((card) => card === document.activeElement) || cards.find((card) => card.dataset.stop) || cards.find((card) => !card.matches(".stuck")) || cards[0];
  for (const card of cards) {
    card.tabIndex = card === stop ? 0 : -1;
    if (card === stop && card === document.activeElement) card.dataset.stop = "yes";
    else if (card !== stop) delete card.dataset.stop;
  }
}

/** The stops of all zones of a table that was drawn. @param {Element} table */
export const roveAll = (table) => table.querySelectorAll(".zone").forEach(rove);

/** The arrow keys go from card to card. */
function moved(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  const from = event.target.closest(".card, .end");
  if (!step || !from) return;
  event.preventDefault();
  const within = event.key === "ArrowRight" || event.key === "ArrowLeft" ? from.closest(".zone, .piles") : null;
  const scope = within?.matches(".pile") ? within.parentElement : within;
  const seen = [...document.querySelectorAll("#table .zone")].filter((zone) => zone.querySelector(CARDS)).map((zone) => ({ zone, at: zone.getBoundingClientRect() }));
  const zones = seen.sort((one, other) => one.at.top - other.at.top || one.at.left - other.at.left).map(({ zone }) => zone);
  /** @type {HTMLElement} */
  let next;
  if (scope) {
    const cards = [...scope.querySelectorAll(".card, .end")];
    next = cards[(cards.indexOf(from) + step + cards.length) % cards.length];
  } else {
    const place = zones.indexOf(from.closest(".zone")) + step;
    next = zones[(place + zones.length) % zones.length].querySelector(CARDS);
  }
  next.focus();
}
