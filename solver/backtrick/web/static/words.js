// The words of the page, in the language of its reader: that of a file each below words/, with the same keys. A sentence of the server is
// known there by its English text, and a number in it by #.

import { FACE, playsOf } from "./notation.js";
import { signed } from "./signed.js";
import { WORDS as ENGLISH } from "./words/en.js";

/** The languages, each by its own name. @type {Record<string, string>} */
export const LANGUAGES = { en: "English", de: "Deutsch", el: "\u0395\u03bb\u03bb\u03b7\u03bd\u03b9\u03ba\u03ac", it: "Italiano", pt: "Portugu\u00eas" };
const NAME = "backtrick-language"; // in the memory of the browser

/** The language that was chosen here; else the first of the reader's that there is. */
function chosen() {
  let kept = null;
  try {
    kept = localStorage.getItem(NAME);
  } catch {
    // A browser may forbid it, and node has none.
  }
  const wished = [kept, ...(globalThis.navigator?.languages || [])].map((one) => one?.split("-")[0]);
  return wished.find((one) => Object.hasOwn(LANGUAGES, one)) || "en";
}

export const LANGUAGE = chosen();

/** The words that there are: those of the first table, and all others as soon as late.js is there.
 *  @type {typeof ENGLISH & typeof import("./words/late/en.js").WORDS} */
export const WORDS = /** @type {any} */ ({});

/** Adds the words of a folder. english: its words in English, which come with the script. again: in the address of the script if an
 *  earlier one failed. @param {string} folder @param {object} english @param {string} [again] */
export async function learn(folder, english, again = "") {
  Object.assign(WORDS, LANGUAGE === "en" ? english : (await import(`./${folder}/${LANGUAGE}.js${again}`)).WORDS);
}

await learn("words", ENGLISH);

/** Keeps a language for this browser; the page then begins anew. @param {string} language */
export function choose(language) {
  try {
    localStorage.setItem(NAME, language);
  } catch {
    // Then it holds for this visit only, which ends here.
  }
  location.reload();
}

/** What a player is called. */
export const playerName = (game, kind) => (kind === "human" ? WORDS.human : Object.hasOwn(WORDS.players[game], kind) ? WORDS.players[game][kind] : kind);

/** A value in words as You see it, with its mark: what it is, and `win`, `loss`, `even` or `open` for its look.
 *  record: of an answer or an outcome, as the seat `mover` sees it. */
export function valueWords(record, mover) {
  if (record.outcome) {
    if (!["win", "loss"].includes(record.outcome)) return { kind: "open", sign: "?", words: WORDS.not_solved };
    const good = (record.outcome === "win") === (mover !== 1);
    const turns = record.remoteness === undefined || record.remoteness === null ? "" : WORDS.in_turns(record.remoteness);
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
    return { kind: "open", sign: "?", words: `${WORDS.from_to(least, most)}, ${WORDS.not_solved}` };
  }
  return { kind: "open", sign: "?", words: WORDS.not_solved };
}

/** A play in words, for those who hear the page. */
export function playWords(game, play) {
  if (game === FACE) return WORDS.lay_on(play.card, play.spot[0], play.spot.endsWith("'"));
  if (play.spot === "take") return WORDS.take_the_line;
  return play.twin ? WORDS.twist(play.twin, play.card) : WORDS.lay_in_line(play.card);
}

/** A turn in words, for those who hear the page. */
export const turnWords = (game, turn) => playsOf(game, turn).map((play) => playWords(game, play)).join(", ");

/** A sentence of the server in the words of the page, or as it is. Numbers are no part of it: it is listed with # for each. @param {string} sentence */
export function said(sentence) {
  const found = WORDS.sentences[sentence?.replace(/\d+/g, "#")];
  const numbers = found && sentence.match(/\d+/g);
  return found ? found.replaceAll("#", () => numbers.shift()) : sentence;
}

/** A refusal in the words of the page, by its kind and its parts. The server's own sentence is English, and is written for a command line:
 *  it is said only where the page itself wrote it. @param {import("./store.js").Problem} problem */
export function refused(problem) {
  const { type = "", number, status, detail } = problem;
  const kind = type.replace("urn:backtrick:", "");
  const part = problem.problem ? said(problem.problem) : "";
  if (part && (part !== problem.problem || LANGUAGE === "en")) {
    const words = part[0].toUpperCase() + part.slice(1);
    return kind === "notation" ? WORDS.refusals.notation(problem.column, words) : number === undefined ? `${words}.` : `${number}: ${part}.`;
  }
  const words = WORDS.refusals[kind];
  if (words) return words(problem.column, "");
  return type ? WORDS.no_answer(status ?? 400) : detail;
}

/** What a grade says: its sign, its words, and `good`, `bad` or `unknown` for its look. */
export function gradeWords(grade) {
  const kind = grade.optimal === null ? "unknown" : grade.optimal ? "good" : "bad";
  return { kind, sign: WORDS.grade_signs[kind], words: WORDS.grades[grade.verdict] || said(grade.verdict) };
}
