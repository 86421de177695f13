// Every text of the page but the rules (rulebook.js), so that it can be translated. Sentences about what is refused come from the server.

import { FACE, playsOf } from "./notation.js";

export const WORDS = {
  name: "Backtrick",
  tagline: "exact endgames",
  rules: "Rules",
  rules_of: (game) => `${game} in a minute`,
  signs: "What the signs mean",
  every_rule: "Every rule",
  close: "Close",
  skip: "To the table",
  games: { face_to_face: "Face to Face", take_that: "Take That" },
  choose_game: "Game",
  modes: { look: "Analyse", play: "Play", puzzles: "Puzzles", enter: "Set up", share: "Share" },
  what_to_do: "What to do",
  table: "Table",
  random: "Random",
  position: "position",
  seat: ["You", "Opponent"],
  is_to_move: ["You are to move", "The opponent is to move"],
  to_move: "to move",
  won: "won",
  has_won: ["You have won.", "The opponent has won."],
  nobody_won: "Nobody is ahead.",
  hand: "hand",
  empty_hand: "no card",
  draw_pile: "draw pile",
  draw_order: ", the next card first",
  line: "line",
  empty_line: "the line is empty",
  end_of_line: "the right end of the line",
  lay_here: "lay here",
  piles: { "^": "ascending pile", v: "descending pile" },
  all_cards: "Show all cards",
  own_cards: "Show only your cards",
  whole_game: "Deal a whole game",
  cards: (count) => counted(count, "card"),
  human: "A person",
  elo: (points) => `Elo ${signed(points)}`,
  played_by: ["You:", "Opponent:"],
  laid: "Laid so far",
  nothing_laid: "Choose a card, then where to lay it.",
  choose_place: "Now choose where to lay it.",
  end_turn: "End the turn",
  take_line: "Take the line",
  take_back: "Take back",
  back_and_forth: "Back and forth",
  steps: {
    first: { sign: "\u21e4", words: "To the beginning" },
    undo: { sign: "\u2190", words: "Back" },
    redo: { sign: "\u2192", words: "Forward" },
    last: { sign: "\u21e5", words: "To the last turn" },
  },
  best: "Best turn",
  follow: "Play the best line",
  values_on: "Show values",
  values_off: "Hide values",
  over: "The game is over.",
  outcomes: (count) => counted(count, "outcome"),
  all_outcomes: "All distinct outcomes, best first",
  begun_outcomes: "What this turn can still become",
  so_far: {
    face_to_face: (good, count) => `${good ? "Still winning" : "Losing"}: ${good} of ${counted(count, "completion")}.`,
    take_that: (good, count) => (good ? `Still best: ${good} of ${counted(count, "completion")}.` : `No longer best: ${counted(count, "completion")}.`),
  },
  goal: {
    face_to_face: "Lay two or more cards. Lay them all to win.",
    take_that: "Lay, twist or take the line. Most points wins.",
  },
  then: (words) => `then ${words} at best`,
  ways: (count) => counted(count, "way"),
  points_now: (points) => `${signed(points)} now`,
  filter: "Only turns with",
  filter_clear: "Show all",
  filter_none: "No turn has all of these.",
  why: "Why?",
  play_this: "Play this turn",
  and_then: "and then",
  it_ends: "That ends the game.",
  nothing_after: "This turn ends the game.",
  best_reply: "The best reply is",
  refutes: "The reply that refutes it is",
  in_the_end: ["In the end you are stuck:", "In the end the opponent is stuck:"],
  best_line: "Best line",
  not_solved: "not solved within the limit",
  too_large: (cards) => `With ${cards} cards still to be drawn this deal is too large to be solved here. Play on, and look again later.`,
  you_win: "You win",
  you_lose: "You lose",
  take: "take",
  preview: "preview",
  drawn: "just drawn",
  chain: (cards) => `last laid: ${cards}`,
  ask_again: "Ask again",
  more: (count) => `Show ${count} more`,
  in_all: (ahead) => (ahead ? `in the end ${ahead > 0 ? "you are" : "the opponent is"} ${Math.abs(ahead)} ahead` : "a draw in the end"),
  final: ([you, opponent]) => `You ${signed(you)}, opponent ${signed(opponent)}.`,
  ended: {
    F12: (mover) => (mover ? "You have laid your last card." : "The opponent has laid the last card."),
    F13: (mover, hand) => {
      const who = mover ? "The opponent holds" : "You hold";
      return hand.length === 1 ? `${who} ${hand[0]} alone, and a turn lays at least two cards.` : `${who} ${listed(hand)}, and no two cards can be laid.`;
    },
  },
  puzzle_todo: {
    face_to_face: (cards) => `You hold ${cards} cards. One turn wins. Find it.`,
    take_that: (cards) => `You hold ${cards} cards. One turn is best. Find it.`,
  },
  all_lose: [(count) => (count === 1 ? "Your only turn loses." : `All your ${count} turns lose.`), (count) => (count === 1 ? "Their only turn loses." : `All their ${count} turns lose.`)],
  some_right: {
    face_to_face: (right, count) => `${right} of ${counted(count, "turn")} ${right === 1 ? "wins" : "win"}.`,
    take_that: (right, count) => `${right} of ${counted(count, "turn")} ${right === 1 ? "is" : "are"} best.`,
  },
  source: (source) => `from ${source}`,
  odds: { face_to_face: "How often your turns win", take_that: "What your turns score on average" },
  every_world: (count) => `Over all ${count} possible deals of the hidden cards, if both players then play their best with open cards.`,
  some_worlds: (count) => `Over ${count} possible deals of the hidden cards, drawn at random, if both players then play their best with open cards. \u2026 marks what was not solved in time, \u00b1 the standard error.`,
  no_world_solved: (count) => `Too many cards are hidden: no turn could be solved in any of the ${count} deals that were drawn. Ask again later in the game.`,
  longer: "Look longer",
  looking: "Looking at one turn after another, the last one first\u2026",
  odds_before: "Odds of the turns before the endgame",
  odds_mean: {
    face_to_face: "In percent: how often the turn wins, over possible deals of the cards that its player did not see.",
    take_that: "In points: what the turn scores on average, over possible deals of the cards that its player did not see.",
  },
  share_of: {
    won: (share, worlds) => `already won: ${share}, over ${counted(worlds, "deal")}`,
    lost: (share, worlds) => `already lost: ${share}, over ${counted(worlds, "deal")}`,
    good: (share, worlds) => `best: ${share}, over ${counted(worlds, "deal")}`,
    bad: (share, worlds) => `not the best: ${share}, over ${counted(worlds, "deal")}`,
    unknown: (share, worlds) => `unclear: ${share}, over ${counted(worlds, "deal")}`,
  },
  marks: {
    face_to_face: "\u2713 the best, \u2717 not the best, W L already won or lost, 20\u202660 wins in 20 to 60 percent of deals, ? unclear, \u00b7 cards were still to be drawn",
    take_that: "\u2713 the best, \u2717 not the best, \u22122\u2026+3 worth \u22122 to +3 points, ? unclear, \u00b7 cards were still to be drawn",
  },
  odds_on: "Odds of my turns",
  odds_off: "Hide the odds",
  review: "The game in review",
  not_an_endgame: "cards were still to be drawn",
  no_mistake: "In the endgame you made no mistake.",
  mistake: (place) => `Turn ${place}:`,
  right_was: "The right turn was",
  again_from_here: "Try again from here",
  history: "Turns so far",
  no_history: "No turn yet.",
  beginning: "Beginning",
  grades: { optimal: "best", "not solved": "not solved" },
  grade_signs: { good: "\u2713", bad: "\u2717", won: "W", lost: "L", unknown: "?" },
  enter_title: "Set up a position",
  enter_help: "Choose a place, then click cards in the deck. Click a card on the table to put it back.",
  place: "Place",
  deck: "Deck",
  notation: "Notation",
  use_draft: "Analyse this position",
  swap: "Let the other player move",
  clear: "Empty the table",
  well_formed: "well-formed",
  file: "A file of positions, one per line",
  file_of: (place, count) => `Position ${place} of ${count}`,
  file_empty: "No line of this file looks like a position.",
  previous: "Previous",
  next: "Next",
  puzzle_title: { face_to_face: "Find the only winning turn", take_that: "Find the only best turn" },
  puzzle: (number) => `Puzzle ${number}`,
  difficulty: "Difficulty",
  levels: ["very easy", "easy", "medium", "hard", "very hard"],
  any_level: "any",
  next_puzzle: "Next puzzle",
  solved: "Solved. This is the only one.",
  not_this: "Not this one",
  try_again: "Try again",
  show_solution: "Show the solution",
  play_on: "Play on against the perfect player",
  link: "Link to what you see",
  local_link: "This link works on this computer only.",
  public_link: "For links that others can open, start the server with",
  picture_of: (position, isPlain) => (isPlain ? `The position ${position}` : `The position ${position}, with its value and the best turn`),
  json: "JSON of the answer",
  copy: "Copy",
  copied: "Copied",
  not_copied: "The browser did not allow copying; the text is selected.",
  download_svg: "Download SVG",
  download_png: "Download PNG",
  no_server_here: "This page solves endgames in your browser. Whole games, their players, odds and pictures need a server: backtrick serve.",
  no_answer: (status) => `The server does not answer this (${status}).`,
  no_server: "No answer. It is asked for again every few seconds.",
  loading: "Loading",
  points: (points) => `${signed(points)} ${Math.abs(points) === 1 ? "point" : "points"}`,
  lay_card: (choice) => (choice.target ? `twist it with ${choice.card}` : `lay ${choice.card} here`),
  laid_card: (choice) => (choice.card ? `${choice.card} is laid.` : "The line is taken. Lay a card to open a new one."),
  lay_first: "first lay a card",
  goes_back: "click to put it back",
  not_now: "cannot be laid now",
  on_table: "already on the table",
  partners: {
    face_to_face: (card, others) => `${card} and ${others.join(", ")} are exactly 10 apart: a back trick.`,
    take_that: (card, others) => `${card} and ${others.join(", ")} are twisted cards of each other.`,
  },
  grid: "What may be laid where, and what it is worth",
  letters: { win: "W", loss: "L" },
  cell: (choice) => (choice.place === "take" ? "take the line" : `${choice.card} ${{ "^": "on your \u25b2", v: "on your \u25bc" }[choice.place] || choice.place}`),
  sentences: {},
  places: { up: "own \u25b2", down: "own \u25bc", "their-up": "opponent\u2019s \u25b2", "their-down": "opponent\u2019s \u25bc", lay: "lay", twist: "twist", take: "take" },
  puzzle_help: {
    face_to_face: "Only one outcome wins; the order of the cards does not matter. Lay the turn on the table.",
    take_that: "Only one turn is best. Play it on the table.",
  },
  of_the_day: "Puzzle of the day",
  day: (now) => new Date(now).toLocaleDateString("en", { day: "numeric", month: "long", timeZone: "UTC" }),
  solved_so_far: (count) => (count ? `${count} solved in this browser.` : "None solved in this browser yet."),
  streak: (days) => (days === 1 ? "The puzzle of the day on 1 day." : `The puzzle of the day on ${days} days in a row.`),
  solved_before: "solved before",
  why_others: { face_to_face: "Why the other turns lose", take_that: "Why the other turns are worse" },
  result: (game, title, marks, tries, of) => `Backtrick \u00b7 ${game} \u00b7 ${title}\n${marks} ${tries}/${of}`,
  tries_left: (left) => (left ? `${left === 1 ? "One try" : `${left} tries`} left.` : "No try is left."),
  what_it_is: "Backtrick knows the best turn of every endgame of two card games, The Game: Face to Face and Take That. Find it yourself, play against it, or ask it.",
  analyse: "Analyse a position",
  documentation: "API",
  stop: "Stop",
  copy_result: "Copy the result",
  copy_json: "Copy JSON",
  rule: (rule) => `rule ${rule}`,
};

const counted = (count, one) => `${count} ${one}${count === 1 ? "" : "s"}`;
const listed = (cards) => (cards.length < 2 ? cards.join("") : `${cards.slice(0, -1).join(", ")} and ${cards.at(-1)}`);

export function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0";
}

const STRONG = { name: "Strong, then perfect", about: "Plays like Master, and perfectly as soon as the endgame can be solved." };

/** Who plays: a name, the strength in whole games (docs/players.md; scripts/docs/figures.py writes it), and a sentence. */
export const PLAYERS = {
  face_to_face: {
    perfect: STRONG,
    sampler: { name: "Master", elo: /* data: players.face_to_face: sampler:playouts=3000 / Elo */ 529 /* end */,
      about: "Tries its best turns on many possible deals of the hidden cards." },
    net: { name: "Expert", elo: /* data: players.face_to_face: net / Elo */ 308 /* end */,
      about: "Takes the turn that a small network values most." },
    ismcts: { name: "Dreamer", elo: /* data: players.face_to_face: ismcts:iterations=500 / Elo */ 155 /* end */,
      about: "Imagines hundreds of games from here." },
    tuned: { name: "Club player", elo: /* data: players.face_to_face: tuned / Elo */ 123 /* end */,
      about: "Lays the cards that cost least room, and more of them while they are cheap." },
    frugal: { name: "Saver", elo: /* data: players.face_to_face: frugal / Elo */ 61 /* end */,
      about: "Lays the cards that move the piles least." },
    hasty: { name: "Beginner", elo: /* data: players.face_to_face: hasty / Elo */ -102 /* end */,
      about: "Lays the two cheapest cards and looks no further." },
    random: { name: "Dice", elo: /* data: players.face_to_face: random / Elo */ -1152 /* end */,
      about: "Any legal turn." },
  },
  take_that: {
    perfect: STRONG,
    sampler: { name: "Master", elo: /* data: players.take_that: sampler:worlds=600 / Elo */ 195 /* end */,
      about: "Tries every move on many possible deals of the hidden cards." },
    ismcts: { name: "Dreamer", elo: /* data: players.take_that: ismcts:iterations=3000 / Elo */ 163 /* end */,
      about: "Imagines thousands of games from here." },
    tuned: { name: "Club player", elo: /* data: players.take_that: tuned / Elo */ 128 /* end */,
      about: "Weighs points, twists and who will have to take." },
    careful: { name: "Careful", elo: /* data: players.take_that: careful / Elo */ 54 /* end */,
      about: "Weighs points, and what you can twist." },
    eager: { name: "Beginner", elo: /* data: players.take_that: eager / Elo */ -67 /* end */,
      about: "Twists if it can, else lays the nearest card." },
    random: { name: "Dice", elo: /* data: players.take_that: random / Elo */ -698 /* end */,
      about: "Any legal move." },
  },
};

/** What a player is called. */
export const playerName = (game, kind) => (kind === "human" ? WORDS.human : PLAYERS[game][kind]?.name || kind);

/** A value in words as You see it, with its mark: what it is, and `win`, `loss`, `even` or `open` for its look.
 *  record: of an answer or an outcome, as the seat `mover` sees it. */
export function valueWords(record, mover) {
  if (record.outcome) {
    if (!["win", "loss"].includes(record.outcome)) return { kind: "open", sign: "?", words: WORDS.not_solved };
    const good = (record.outcome === "win") === (mover !== 1);
    const turns = record.remoteness === undefined || record.remoteness === null ? "" : ` in ${record.remoteness}`;
    const kind = good ? "win" : "loss";
    return { kind, sign: `${WORDS.letters[kind]}${record.remoteness ?? ""}`, words: (good ? WORDS.you_win : WORDS.you_lose) + turns };
  }
  const turned = (number) => (mover === 1 ? -number : number);
  if (record.value !== undefined && record.value !== null) {
    const value = turned(record.value);
    const kind = value > 0 ? "win" : value < 0 ? "loss" : "even";
    return { kind, sign: signed(value), words: WORDS.points(value) };
  }
  if (record.bounds) {
    const [least, most] = record.bounds.map(turned).sort((one, other) => one - other);
    return { kind: "open", sign: "?", words: `${signed(least)} to ${signed(most)}, ${WORDS.not_solved}` };
  }
  return { kind: "open", sign: "?", words: WORDS.not_solved };
}

/** A play in words, for those who hear the page. */
function playWords(game, play) {
  if (game === FACE) {
    const whose = play.spot.endsWith("'") ? "the opponent\u2019s" : "own";
    return `${play.card} on ${whose} ${WORDS.piles[play.spot[0]]}`;
  }
  if (play.spot === "take") return "take the line";
  return play.twin ? `twist ${play.twin} with ${play.card}` : `lay ${play.card}`;
}

/** A turn in words, for those who hear the page. */
export const turnWords = (game, turn) => playsOf(game, turn).map((play) => playWords(game, play)).join(", ");

/** A sentence of the server in the words of the page, or as it is. Numbers are no part of it: it is listed with # for each. @param {string} sentence */
export function said(sentence) {
  const found = WORDS.sentences[sentence?.replace(/\d+/g, "#")];
  const numbers = found && sentence.match(/\d+/g);
  return found ? found.replaceAll("#", () => numbers.shift()) : sentence;
}

/** What a grade says: its sign, its words, and `good`, `bad` or `unknown` for its look. */
export function gradeWords(grade) {
  const kind = grade.optimal === null ? "unknown" : grade.optimal ? "good" : "bad";
  return { kind, sign: WORDS.grade_signs[kind], words: WORDS.grades[grade.verdict] || said(grade.verdict) };
}
