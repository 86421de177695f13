// Every text of the page, in one place, so that it can be translated. Sentences about rules come from the server.

import { FACE } from "./notation.js";

export const WORDS = {
  name: "Backtrick",
  tagline: "exact endgames",
  skip: "To the table",
  games: { face_to_face: "Face to Face", take_that: "Take That" },
  choose_game: "Game",
  modes: { look: "Look", play: "Play", puzzles: "Puzzles", enter: "Enter", share: "Share" },
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
  draw_order: "to draw, the next card first",
  line: "line",
  empty_line: "the line is empty",
  end_of_line: "the right end of the line",
  lay_here: "lay here",
  piles: { "^": "ascending pile", v: "descending pile" },
  all_cards: "Show all cards",
  own_cards: "Show own cards only",
  whole_game: "Deal a whole game",
  cards: (count) => (count === 1 ? "1 card" : `${count} cards`),
  human: "human",
  perfect: "perfect",
  played_by: ["Below plays", "Above plays"],
  laid: "Laid so far",
  nothing_laid: "Choose a card, then where to lay it.",
  end_turn: "End the turn",
  take_line: "Take the line",
  take_back: "Take a card back",
  undo: "Undo",
  redo: "Redo",
  best: "Play the best turn",
  follow: "Follow the best line",
  values_on: "Show values",
  values_off: "Hide values",
  over: "The game is over.",
  outcomes: (count) => `${count} ${count === 1 ? "outcome" : "outcomes"}`,
  all_outcomes: "All distinct outcomes, best first",
  ways: (count) => (count === 1 ? "1 way" : `${count} ways`),
  points_now: (points) => `${signed(points)} now`,
  no_turns: "There is no legal turn.",
  filter: "Only turns with",
  filter_clear: "Show all",
  filter_none: "No turn has all of these.",
  why: "Why?",
  play_this: "Play this turn",
  and_then: "and then",
  it_ends: "With that the game is over.",
  nothing_after: "With this turn the game is over.",
  best_reply: "The best reply is",
  refutes: "The reply that refutes it is",
  in_the_end: ["In the end you are stuck:", "In the end the opponent is stuck:"],
  best_line: "Best line",
  not_solved: "not solved within the limit",
  source: (source) => `from ${source}`,
  history: "Turns so far",
  no_history: "No turn yet.",
  beginning: "Beginning",
  grades: { optimal: "best", "not solved": "not solved" },
  grade_signs: { good: "\u2713", bad: "\u2717", unknown: "?" },
  enter_title: "Enter a position",
  enter_help: "Choose a place, then click cards of the deck. A card of the table goes back when clicked.",
  place: "Place",
  deck: "Deck",
  notation: "Notation",
  use_draft: "Look at this position",
  what_if: "What if\u2026",
  swap: "Let the other player move",
  clear: "Empty the table",
  well_formed: "well-formed",
  file: "A file of positions, one a line",
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
  json: "JSON of the answer",
  copy: "Copy",
  copied: "Copied.",
  not_copied: "The browser did not allow copying; the text is selected.",
  download_svg: "Download SVG",
  download_png: "Download PNG",
  no_server: "The server does not answer. Is backtrick serve still running?",
  loading: "Loading",
  points: (points) => `${signed(points)} ${Math.abs(points) === 1 ? "point" : "points"}`,
  lay_card: (choice) => (choice.target ? `twist it with ${choice.card}` : `lay ${choice.card} here`),
  laid_card: (choice) => (choice.card ? `${choice.card} is laid.` : "The line is taken. Lay a card to open a new one."),
  lay_first: "a card is to be laid first",
  goes_back: "click to put it back",
  not_now: "cannot be laid now",
  on_table: "on the table already",
  partners: {
    face_to_face: (card, others) => `${card} and ${others.join(", ")} are exactly 10 apart: a back trick.`,
    take_that: (card, others) => `${card} and ${others.join(", ")} are twisted cards of each other.`,
  },
  places: { up: "own \u25b2", down: "own \u25bc", "their-up": "opponent\u2019s \u25b2", "their-down": "opponent\u2019s \u25bc", lay: "lay", twist: "twist", take: "take" },
  first_puzzle: "Begin",
  puzzle_help: {
    face_to_face: "One outcome alone wins, by whatever order of cards. Lay the turn on the table.",
    take_that: "One turn alone is best. Play it on the table.",
  },
  copy_json: "Copy JSON",
  rule: (rule) => `rule ${rule}`,
};

function signed(number) {
  return number > 0 ? `+${number}` : number < 0 ? `\u2212${-number}` : "0";
}

/** A value in words, with a sign: what it is, and `win`, `loss`, `even` or `open` for its look. */
export function valueWords(record) {
  if (record.outcome) {
    const good = record.outcome === "win";
    if (!good && record.outcome !== "loss") return { kind: "open", sign: "?", words: WORDS.not_solved };
    const known = record.remoteness !== undefined && record.remoteness !== null;
    return { kind: good ? "win" : "loss", sign: good ? "\u25b2" : "\u25bc", words: known ? `${record.outcome} in ${record.remoteness}` : record.outcome };
  }
  if (record.value !== undefined && record.value !== null) {
    const kind = record.value > 0 ? "win" : record.value < 0 ? "loss" : "even";
    const points = Math.abs(record.value) === 1 ? "point" : "points";
    return { kind, sign: { win: "\u25b2", loss: "\u25bc", even: "=" }[kind], words: `${signed(record.value)} ${points}` };
  }
  if (record.bounds) return { kind: "open", sign: "?", words: `${signed(record.bounds[0])} to ${signed(record.bounds[1])}, ${WORDS.not_solved}` };
  return { kind: "open", sign: "?", words: WORDS.not_solved };
}

/** A play in words, for those who hear the page. */
export function playWords(game, play) {
  if (game === FACE) {
    const whose = play.spot.endsWith("'") ? "the opponent's" : "the own";
    return `${play.card} on ${whose} ${WORDS.piles[play.spot[0]]}`;
  }
  if (play.spot === "take") return "take the line";
  return play.twin ? `twist ${play.twin} with ${play.card}` : `lay ${play.card}`;
}

/** What a grade says: its sign, its words, and `good`, `bad` or `unknown` for its look. */
export function gradeWords(grade) {
  const kind = grade.optimal === null ? "unknown" : grade.optimal ? "good" : "bad";
  return { kind, sign: WORDS.grade_signs[kind], words: WORDS.grades[grade.verdict] || grade.verdict };
}
