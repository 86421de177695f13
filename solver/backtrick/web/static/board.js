// The table in play: cards are chosen and laid here, by click, by key or by dragging. What may be laid where, the server has said.

import { api } from "./api.js";
import { button, make } from "./dom.js";
import { winnerOf } from "./derive.js";
import { FACE, lay, playsOf } from "./notation.js";
import { drawTable, zoneOf } from "./table.js";
import { turnElement } from "./turnview.js";
import { isHidden, liesDown, redo, seatOf, turnPlayed, undo } from "./play.js";
import { entering } from "./head.js";
import { WORDS } from "./words.js";

const FAR = 8; // pixels that a pointer moves before it drags a card

export function drawBoard(page) {
  const { view, problem, ui } = page;
  if (problem) return [refused(page, problem)];
  if (!view) return [make("p", { class: "note" }, WORDS.loading)];
  const shown = ui.preview || page.state.laid;
  const plays = playsOf(page.state.game, shown);
  const table = plays.reduce(lay, view.table);
  const listeners = {
    click: (event) => clicked(page, event),
    pointerdown: (event) => dragged(page, event),
    mouseover: (event) => touched(page, event.target),
    mouseleave: () => touched(page, null),
    focusin: (event) => touched(page, event.target),
    keydown: (event) => moved(event),
  };
  const board = make("div", { class: `board${ui.preview ? " preview" : ""}`, on: listeners }, drawTable(table, looks(page, table, plays)));
  queueMicrotask(() => showChoices(page, board));
  return [make("h2", { class: "unseen" }, WORDS.table), board, bar(page), make("p", { class: "note", id: "note" })];
}

function refused(page, problem) {
  const change = button(WORDS.modes.enter, () => page.go({ ...entering(page, "enter"), draft: page.state.start }), { class: "main" });
  return make("div", { class: "problem", role: "alert" }, make("p", {}, problem.detail), change);
}

/** How the cards and zones look in play. */
function looks(page, table, plays) {
  const { view, ui } = page;
  const winner = winnerOf(view);
  const chain = (zone) => plays.filter((play) => play.card && zoneOf(table, play.spot) === zone).map((play) => play.card);
  return {
    head: (seat) => seatHead(page, seat, winner),
    down: (zone) => liesDown(page, zone),
    shows: () => false,
    zoneClass: (zone) => (isLive(page) && zone === `hand-${table.mover}` ? "live" : ""),
    say: (zone) => ui.refusal?.zone === zone && refusal(ui.refusal),
    lineEnd: () => (table.game === FACE || table.mover === null ? null : endOfLine()),
    card: (zone, number) => {
      const laid = chain(zone);
      const marks = table.game === FACE && laid.length > 1 ? [{ kind: "chain", text: laid.join(" ") }] : [];
      const stuck = zone === `hand-${table.mover}` && isLive(page) && choices(page, number).every((one) => one.problem);
      const words = stuck ? [WORDS.not_now] : [];
      const kind = `${laid.includes(number) ? "fresh" : ""} ${stuck ? "stuck" : ""}`;
      return { class: kind, marks, words };
    },
  };
}

function endOfLine() {
  return make("button", { type: "button", class: "end", "aria-label": `${WORDS.lay_here}: ${WORDS.end_of_line}`, data: { key: "line:end", zone: "line" } }, WORDS.lay_here);
}

function refusal({ reasons }) {
  const lines = reasons.map(({ problem, rule }) => make("li", {}, `${problem} `, rule && make("span", { class: "rule" }, WORDS.rule(rule))));
  return make("ul", { class: "refusal", role: "alert" }, lines);
}

function seatHead(page, seat, winner) {
  const { view, state } = page;
  const tags = [];
  if (view.table.mover === seat && !view.over) tags.push(make("span", { class: "tag to-move" }, WORDS.to_move));
  if (winner === seat) tags.push(make("span", { class: "tag winner" }, WORDS.won));
  if (state.seats[seat] !== "human") tags.push(make("span", { class: "tag" }, state.seats[seat]));
  if (state.game !== FACE && view.won.some(Boolean)) tags.push(make("span", { class: "tag points" }, WORDS.points(view.won[seat])));
  return make("header", {}, make("h3", {}, WORDS.seat[seat]), tags);
}

/** True if a human may lay cards now. */
const isLive = (page) => page.view.look && !page.view.over && !page.ui.preview && seatOf(page) === "human";

/** What can be done with a card. */
const choices = (page, card) => page.view.look.choices.filter((choice) => choice.card === card);

/** The choice that a card in hand and a place on the table make; undefined if the two say nothing to each other. */
function choiceFor(page, card, zone, number) {
  const found = choices(page, card);
  if (page.state.game === FACE) return found.find((choice) => zoneOf(page.view.table, choice.place) === zone);
  if (zone !== "line") return undefined;
  return found.find((choice) => choice.place === "twist" && choice.target !== null && choice.target === number && !choice.problem)
    || found.find((choice) => choice.place === "line");
}

/** Marks the card in hand, and where it may be laid and where not. */
function showChoices(page, root) {
  const { card } = page.ui;
  for (const element of root.querySelectorAll("[data-zone][data-key]")) {
    const { zone } = element.dataset;
    const number = Number(element.dataset.card) || null;
    element.classList.remove("target", "blocked", "selected");
    element.dataset.words ||= element.getAttribute("aria-label");
    let words = element.dataset.words;
    if (card !== null && zone === `hand-${page.view.table.mover}` && number === card) element.classList.add("selected");
    else if (card !== null) {
      const choice = choiceFor(page, card, zone, number);
      const twists = choice?.place === "twist" || page.state.game === FACE || element.dataset.key === "line:end";
      if (choice && twists) {
        element.classList.add(choice.problem ? "blocked" : "target");
        words += choice.problem ? `: ${choice.problem}, ${WORDS.rule(choice.rule)}` : `: ${WORDS.lay_card(choice)}`;
      }
    }
    element.setAttribute("aria-label", words);
    element.title = element.classList.contains("blocked") ? words : "";
    if (zone === `hand-${page.view.table.mover}` && number) element.setAttribute("aria-pressed", String(number === card));
  }
}

function clicked(page, event) {
  const element = event.target.closest("[data-key]");
  if (!element || !page.view.look || element.closest(".bar")) return;
  if (!isLive(page)) return;
  const { zone } = element.dataset;
  const number = Number(element.dataset.card) || null;
  if (zone === `hand-${page.view.table.mover}`) choose(page, number, event.detail === 0);
  else if (page.ui.card !== null) tryLay(page, page.ui.card, zone, number);
}

/** Takes a card in hand, or puts it back. byKey: the focus goes on to the first place where it may be laid. */
function choose(page, number, byKey) {
  const { ui } = page;
  const again = ui.card === number;
  Object.assign(ui, { card: again ? null : number, refusal: null });
  const found = choices(page, number);
  if (!again && found.every((choice) => choice.problem)) {
    ui.refusal = { zone: `hand-${page.view.table.mover}`, reasons: found };
    page.say(`${number}: ${found.map((choice) => choice.problem).join("; ")}`);
  }
  page.drawTable();
  const first = found.find((choice) => !choice.problem);
  if (byKey && ui.card !== null && first) requestAnimationFrame(() => elementFor(page, first)?.focus());
}

/** The element on which a choice lays its card. */
function elementFor(page, choice) {
  if (page.state.game === FACE) return document.querySelector(`.board [data-zone="${zoneOf(page.view.table, choice.place)}"].card`);
  return document.querySelector(choice.target ? `.board [data-key="line:${choice.target}"]` : ".board .end");
}

/** Lays a card if it may be laid there, and otherwise says why not. */
async function tryLay(page, card, zone, number) {
  const choice = choiceFor(page, card, zone, number);
  if (!choice) return;
  if (choice.problem) {
    page.ui.refusal = { zone, reasons: [choice] };
    page.say(`${choice.problem}, ${WORDS.rule(choice.rule)}`);
    page.drawTable();
    return;
  }
  await layChoice(page, choice);
}

/** Lays a card. The turn ends by itself if nothing more can be laid in it. */
async function layChoice(page, choice) {
  const { game } = page.state;
  const seen = await api.look(game, page.view.position, choice.laid);
  if (seen.ends && !seen.choices.length) return turnPlayed(page, choice.laid);
  return page.go({ laid: choice.laid, why: "" }, { replace: true, say: WORDS.laid_card(choice) });
}

/** Marks the partners of the card under the pointer, or of the one that has the focus. */
function touched(page, element) {
  const card = element?.closest?.(".card[data-card]");
  const number = card ? Number(card.dataset.card) : null;
  const pairs = page.view?.look?.partners || [];
  const shown = new Set([...document.querySelectorAll("#table .card[data-card]")].map((one) => Number(one.dataset.card)));
  const partners = pairs.filter((pair) => pair.includes(number)).map(([one, other]) => (one === number ? other : one)).filter((one) => shown.has(one));
  for (const one of document.querySelectorAll("#table .card[data-card]")) {
    one.classList.toggle("partner", one !== card && partners.includes(Number(one.dataset.card)));
  }
  const note = document.getElementById("note");
  if (note) note.textContent = partners.length ? WORDS.partners[page.state.game](number, partners) : "";
}

/** The arrow keys go from card to card. */
function moved(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  const from = event.target.closest(".card, .end");
  if (!step || !from) return;
  event.preventDefault();
  const within = event.key === "ArrowRight" || event.key === "ArrowLeft" ? from.closest(".zone, .piles") : null;
  const scope = within?.matches(".pile") ? within.parentElement : within;
  const zones = [...document.querySelectorAll("#table .zone")].filter((zone) => zone.querySelector("button.card, .end"));
  if (scope) {
    const cards = [...scope.querySelectorAll(".card, .end")];
    cards[(cards.indexOf(from) + step + cards.length) % cards.length].focus();
  } else {
    const place = zones.indexOf(from.closest(".zone")) + step;
    zones[(place + zones.length) % zones.length].querySelector("button.card, .end").focus();
  }
}

function dragged(page, event) {
  const element = event.target.closest(".card");
  if (!element || event.button !== 0 || !isLive(page) || element.dataset.zone !== `hand-${page.view.table.mover}`) return;
  const card = Number(element.dataset.card);
  const board = element.closest(".board");
  const begun = { x: event.clientX, y: event.clientY };
  let ghost = null;
  const move = (to) => {
    if (!ghost && Math.hypot(to.clientX - begun.x, to.clientY - begun.y) > FAR) {
      page.ui.card = card;
      ghost = element.cloneNode(true);
      ghost.classList.add("dragged");
      ghost.removeAttribute("data-key");
      ghost.style.width = `${element.offsetWidth}px`;
      document.body.append(ghost);
      showChoices(page, board);
    }
    if (ghost) ghost.style.transform = `translate(${to.clientX - element.offsetWidth / 2}px, ${to.clientY - element.offsetHeight / 2}px)`;
  };
  const stop = (to) => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", stop);
    document.removeEventListener("pointercancel", stop);
    if (!ghost) return;
    ghost.remove();
    window.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
    setTimeout(() => {
      const under = to.type === "pointerup" && document.elementFromPoint(to.clientX, to.clientY)?.closest("[data-zone]");
      const zone = under && under.dataset.zone;
      if (zone && zone !== `hand-${page.view.table.mover}` && choiceFor(page, card, zone, Number(under.dataset.card) || null)) {
        tryLay(page, card, zone, Number(under.dataset.card) || null);
      } else {
        page.ui.card = null;
        page.drawTable();
      }
    });
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", stop);
  document.addEventListener("pointercancel", stop);
}

/** What can be done besides laying: ending the turn, taking, and going back and forth. */
function bar(page) {
  const { state, view } = page;
  const live = isLive(page);
  const taking = view.look?.choices.find((choice) => choice.place === "take");
  const ends = state.game === FACE
    ? { text: WORDS.end_turn, problem: live ? view.look.problem : "", rule: view.look?.rule, act: () => turnPlayed(page, state.laid) }
    : { text: WORDS.take_line, problem: taking ? taking.problem : WORDS.lay_first, rule: taking?.rule, act: () => layChoice(page, taking) };
  const back = () => page.go({ laid: state.game === FACE ? state.laid.split(" ").slice(0, -1).join(" ") : "" }, { replace: true });
  const best = async () => turnPlayed(page, (await api.best(state.game, view.position)).best);
  return make(
    "div", { class: "bar" },
    make("p", { class: "laid" }, state.laid ? [`${WORDS.laid}: `, turnElement(state.game, state.laid)] : live ? WORDS.nothing_laid : ""),
    make("div", { class: "buttons" },
      able(page, ends.text, live && !ends.problem, ends.act, ends, { class: state.game === FACE ? "main" : "", data: { key: "end-turn" } }),
      able(page, WORDS.take_back, Boolean(state.laid), back, {}, { data: { key: "take-back" } }),
      able(page, WORDS.undo, state.n > 0, () => undo(page), {}, { data: { key: "undo" } }),
      able(page, WORDS.redo, state.n < state.turns.length, () => redo(page), {}, { data: { key: "redo" } }),
      able(page, WORDS.what_if, !isHidden(page), () => page.go({ ...state, ...entering(page, "enter") }), {}, { data: { key: "what-if" } }),
      able(page, WORDS.best, live && !isHidden(page) && !(state.mode === "puzzles" && state.puzzle), best, {}, { data: { key: "best" } }),
    ),
  );
}

/** A button that keeps the focus when it has nothing to do, and then says why. */
function able(page, text, can, act, { problem, rule }, attributes) {
  const why = problem ? `${problem}${rule ? `, ${WORDS.rule(rule)}` : ""}` : "";
  const click = () => (can ? act() : why && page.say(why));
  return button(text, click, { ...attributes, title: can ? "" : why, "aria-disabled": can ? null : "true" });
}
