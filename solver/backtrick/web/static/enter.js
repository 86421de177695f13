// Entering a position: cards go from the deck to a place of the table and back. What is wrong is said beside the card, by the server.

import { paths } from "./api.js";
import { sheetAddress } from "./ask.js";
import { button, make, picture } from "./dom.js";
import { FACE, TAKE, tableOf, textOf, tidied } from "./notation.js";
import { drawOdds, drawPlan } from "./odds.js";
import { ruleTag } from "./parts.js";
import { tableSeen, viewOf } from "./seen.js";
import { positionsName } from "./sheet.js";
import { begin, read } from "./state.js";
import { drawTable, symbolOf, zoneName } from "./table.js";
import { cardsLeft } from "./view.js";
import { refused, said, WORDS } from "./words.js";

const EMPTY = { face_to_face: "1^60v: 1^60v:", take_that: "- - -" };
const SLOTS = {
  face_to_face: ["hand-0", "pile-0^", "pile-0v", "draw-0", "hand-1", "pile-1^", "pile-1v", "draw-1"],
  take_that: ["hand-0", "hand-1", "line", "draw"],
};

/** The cards of a place, to be read or changed. */
function cardsOf(table, zone) {
  const [kind, seat] = zone.split("-");
  if (kind === "line") return table.line;
  if (seat === undefined) return table.pile;
  return kind === "hand" ? table.seats[seat].hand : table.seats[seat].pile;
}

const isPile = (zone) => zone.startsWith("pile-");

/** What is wrong with the draft; undefined as long as it is asked, null if it is well-formed. @param {import("./main.js").Page} page */
function problemOf({ view }) {
  const { value, problem } = view.draft;
  return value ? value.problem : problem;
}

const ZONES = {
  hand: (seat) => `hand-${seat}`,
  "ascending pile": (seat) => `pile-${seat}^`,
  "descending pile": (seat) => `pile-${seat}v`,
  "draw pile": (seat, game) => (game === FACE ? `draw-${seat}` : "draw"),
  line: () => "line",
};

/** The zones that a problem is about. */
const zonesOf = (game, problem) => (problem?.places || []).map(({ owner, kind }) => ZONES[kind]?.(owner === "opponent" ? 1 : 0, game));

function change(page, table) {
  page.go({ draft: textOf(table) }, { replace: true });
}

/** @param {import("./main.js").Page} page */
export function drawDraft(page) {
  const { game, draft } = page.state;
  const seen = tableSeen(game, draft);
  const table = seen || lastTable(page);
  const title = make("h2", { class: "unseen" }, WORDS.table);
  const problem = problemOf(page);
  const bar = make("div", { class: "bar", key: "bar" }, make("div", { class: "buttons" }, uses(page, table, problem)));
  if (!table) return [title, make("div", { class: "problem" }, problem ? refused(problem) : WORDS.loading), bar];
  const zones = zonesOf(game, problem);
  const look = {
    head: (seat) => make("header", {}, make("h3", {}, WORDS.seat[seat]), seat === 0 && make("span", { class: "tag to-move" }, WORDS.to_move)),
    down: (zone) => Boolean(seen) && (zone === "hand-1" || zone.startsWith("draw")),
    shows: () => !seen,
    zoneClass: (zone) => (page.ui.slot === zone && !seen ? "slot" : ""),
    lineEnd: () => null,
    say: (zone) => (zones[0] === zone ? wrong(page, problem) : null),
    card: (zone, number) => ({
      class: `${zones.includes(zone) && problem.number === number ? "wrong" : ""} ${page.ui.slot === zone && isPile(zone) && !seen ? "slot" : ""}`,
      words: isPile(zone) || seen ? [] : [WORDS.goes_back],
    }),
  };
  const click = (event) => {
    const element = event.target.closest("[data-zone]");
    if (!element) return;
    const { zone } = element.dataset;
    const card = event.target.closest(".card");
    if (card && !isPile(zone)) return change(page, without(table, zone, Number(card.dataset.card)));
    page.set({ slot: zone });
  };
  if (seen) return [title, make("div", { class: "board" }, drawTable(table, look)), bar];
  return [title, make("div", { class: `board draft${tableOf(game, draft) ? "" : " stale"}`, on: { click } }, drawTable(table, look)), bar];
}

/** The table of the draft; while what is typed is not complete, that of the last one that was. */
function lastTable(page) {
  const { game, draft } = page.state;
  if (tableOf(game, draft)) page.ui.drafted = { ...page.ui.drafted, [game]: draft };
  return tableOf(game, page.ui.drafted[game] || EMPTY[game]);
}

/** What can be done with the whole draft. */
function uses(page, table, problem) {
  const { game, draft } = page.state;
  const isPosition = problem === null && !page.view.draft.value?.view;
  return [
    button(WORDS.use_draft, () => isPosition && page.go({ ...begin(game, tidied(game, draft)), mode: "look" }), {
      class: "main", "aria-disabled": isPosition ? null : "true", data: { key: "use-draft" },
    }),
    isPosition && cardsLeft(game, draft) > 0 && button(WORDS.as_seen, () => page.go({ draft: viewOf(table) }), { data: { key: "as-seen" } }),
    button(WORDS.clear, () => page.go({ draft: EMPTY[game] }, { replace: true }), { data: { key: "clear" } }),
    table && !tableSeen(game, draft) && button(WORDS.swap, () => change(page, { ...table, seats: [...table.seats].reverse() }), { data: { key: "swap" } }),
  ];
}

function wrong(page, problem) {
  const sentence = problem.number === undefined ? said(problem.problem) : `${problem.number}: ${said(problem.problem)}`;
  const rule = ruleTag(page, problem.rule);
  return make("ul", { class: "refusal", id: "wrong" }, make("li", {}, `${sentence} `, rule));
}

/** The text with a mark at the place where it cannot be read. */
function markedAt(text, column) {
  const place = Math.min(column - 1, text.length);
  return make("code", { class: "typed" }, text.slice(0, place), make("mark", {}, text.slice(place, place + 1) || "\u00a0"), text.slice(place + 1));
}

function without(table, zone, number) {
  const cards = cardsOf(table, zone);
  cards.splice(cards.indexOf(number), 1);
  return table;
}

const HAND = 6; // cards that a player of Face to Face holds

/** The place that comes next as one sets a table up: a pile takes one card, and the draw piles are left out. */
function nextOf(zone) {
  const order = SLOTS[FACE].filter((one) => !one.startsWith("draw"));
  return order[(order.indexOf(zone) + 1) % order.length];
}

/** Puts a card of the deck into the chosen place, or takes it out again. */
function put(page, table, number) {
  const zone = page.ui.slot;
  if (isPile(zone) || (page.state.game === FACE && zone.startsWith("hand") && cardsOf(table, zone).length === HAND - 1)) page.ui.slot = nextOf(zone);
  if (isPile(zone)) table.seats[zone[5]].tops[zone[6]] = number;
  else if (cardsOf(table, zone).includes(number)) without(table, zone, number);
  else cardsOf(table, zone).push(number);
  change(page, table);
}

/** @param {import("./main.js").Page} page */
export function drawDeck(page) {
  const { state, ui } = page;
  const { game } = state;
  if (!SLOTS[game].includes(ui.slot)) ui.slot = "hand-0";
  const table = tableSeen(game, state.draft) ? null : lastTable(page); // the cards of a view are typed
  const problem = problemOf(page);
  return [
    make("h2", {}, WORDS.enter_title),
    notation(page, problem),
    page.view.draft.value?.view && drawPlan(page),
    page.view.draft.value?.view && drawOdds(page),
    table && make("p", { class: "note" }, WORDS.enter_help),
    table && slots(page),
    table && deck(page, table),
    file(page),
  ];
}

function notation(page, problem) {
  const { state } = page;
  const input = make("input", {
    id: "notation", type: "text", value: state.draft, spellcheck: false, autocomplete: "off", data: { key: "notation" },
    "aria-describedby": "notation-state", "aria-invalid": problem ? "true" : null,
    on: { input: (event) => later(page, event.target.value) },
  });
  const told = problem === undefined ? WORDS.loading
    : problem === null ? make("span", { class: "grade good" }, `${WORDS.grade_signs.good} ${WORDS.well_formed}`)
      : make("span", { class: "grade bad" }, `${WORDS.grade_signs.bad} ${refused(problem)}`, problem.column && [" ", markedAt(state.draft, problem.column)]);
  return make("p", { class: "field" }, make("label", { for: "notation" }, WORDS.notation), input, make("span", { id: "notation-state", role: "status" }, told));
}

let waiting = 0;

/** The game whose notation a text looks like, or `otherwise`. */
function gameOf(text, otherwise) {
  if (/[\^:]/.test(text)) return FACE;
  return tableOf(TAKE, text) ? TAKE : otherwise;
}

/** What is meant by what was typed or pasted: a link to this page, a record, or a notation. */
async function understood(page, typed) {
  const link = /^\s*(?:https?:\/\/[^/\s]+)?(\/[^\s#]*)?(#\S*)?\s*$/.exec(typed);
  if (link && (link[1] || link[2])) {
    const state = read(link[2] || "", link[1]);
    return { game: state.game, draft: await linked(page, state) };
  }
  const draft = typed.trimStart().startsWith("{") ? positionOf(typed) : typed;
  return { game: gameOf(draft, page.state.game), draft };
}

/** The position that a link shows. */
async function linked(page, { game, start, turns, n, draft }) {
  let position = draft || start;
  for (const turn of turns.slice(0, n)) position = (await page.fetch(paths.play(game, position, turn)))?.next || position;
  return position;
}

/** Reads the notation when nothing was typed for a moment. A position of the other game goes to the other game. */
function later(page, text) {
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const { game, draft } = await understood(page, text);
    if (game === page.state.game) page.go({ draft }, { replace: true });
    else page.go({ ...begin(game), mode: "enter", draft }, { replace: true });
  }, 250);
}

function slots(page) {
  const options = SLOTS[page.state.game].map((zone) => make("label", { class: "chip" }, make("input", {
    type: "radio", name: "slot", value: zone, checked: page.ui.slot === zone, data: { key: `slot-${zone}` },
    on: { change: () => page.set({ slot: zone }) },
  }), ` ${zoneName(zone)}`));
  return make("fieldset", { class: "slots" }, make("legend", {}, WORDS.place), options);
}

function deck(page, table) {
  const { slot } = page.ui;
  const seat = Number(slot.split("-")[1]?.[0] || 0);
  const prefix = symbolOf(table.game, seat, "");
  const numbers = page.symbols.filter((name) => name.startsWith(prefix)).map((name) => Number(name.slice(prefix.length)));
  const side = table.seats[seat];
  const all = [...table.seats.flatMap((one) => one.hand), ...table.line, ...table.pile];
  const used = new Set(table.game === FACE ? [...side.hand, ...side.pile] : all);
  const cards = numbers.map((number) => make("button", {
    type: "button", class: `card ${used.has(number) ? "used" : ""}`, "aria-label": `${number}${used.has(number) ? `, ${WORDS.on_table}` : ""}`,
    data: { key: `deck-${number}` }, on: { click: () => put(page, table, number) },
  }, picture(`${prefix}${number}`)));
  return make("div", { class: "deck", role: "group", "aria-label": `${WORDS.deck}: ${zoneName(slot)}` }, cards);
}

/** Leafs through a file of positions. Of each line the first field counts, or "position" of a record. */
function file(page) {
  const { file: read } = page.ui;
  const { game } = page.state;
  const choose = make("input", {
    id: "file", class: "unseen", type: "file", accept: ".txt,.tsv,.jsonl,.json", data: { key: "file" }, on: { change: (event) => open(page, event.target.files[0]) },
  });
  const parts = [choose, make("label", { for: "file" }, WORDS.file)];
  if (read && !read.positions.length) parts.push(make("span", { class: "grade bad", role: "alert" }, WORDS.file_empty));
  if (read?.positions.length) {
    parts.push(make("span", {}, WORDS.file_of(read.place + 1, read.positions.length)),
      button(WORDS.previous, () => leaf(page, read.place - 1), { data: { key: "file-previous" } }),
      button(WORDS.next, () => leaf(page, read.place + 1), { data: { key: "file-next" } }),
      make("a", { href: sheetAddress(positionsName(game, read.positions.filter((one) => tableOf(game, one)))) }, WORDS.print));
  }
  return make("div", { class: "file" }, parts);
}

async function open(page, chosen) {
  if (!chosen) return;
  const lines = (await chosen.text()).split(/\r?\n/).filter((line) => line.trim() && !line.startsWith("#"));
  page.set({ file: { positions: lines.map(positionOf).filter(Boolean), place: 0 } });
  if (page.ui.file.positions.length) leaf(page, 0);
}

function positionOf(line) {
  if (!line.trimStart().startsWith("{")) return line.split("\t")[0].trim();
  try {
    return String(JSON.parse(line).position || "");
  } catch {
    return line;
  }
}

function leaf(page, to) {
  const { positions } = page.ui.file;
  page.ui.file.place = (to + positions.length) % positions.length;
  const draft = positions[page.ui.file.place];
  const game = gameOf(draft, TAKE);
  page.go({ ...begin(game), mode: "enter", draft });
}
