// Sharing what one sees: the address, the notation, JSON, and a drawing as SVG or PNG.

import { paths } from "./api.js";
import { addressOf, SERVED } from "./ask.js";
import { button, make } from "./dom.js";
import { triedOf } from "./remembered.js";
import { begin, linkTo } from "./state.js";
import { WORDS } from "./words.js";

const SHARP = 2; // pixels of a PNG for each of the drawing

/** @param {import("./main.js").Page} page */
export function drawShare(page) {
  const { view } = page;
  const { state } = view; // what is on the table, while another state waits for its answers
  const position = view.position ?? view.steps.filter((step) => step.position !== null).at(-1).position;
  const isPlain = isSecret(view); // what is shared must not tell the answer
  const picture = paths.image(linkTo(begin(state.game, position)), isPlain);
  const name = `${state.game}-${position.replace(/[^0-9a-z]+/gi, "-").slice(0, 40)}`;
  return [
    make("h2", {}, WORDS.modes.share),
    field(page, WORDS.notation, position, "notation"),
    field(page, WORDS.link, sharedLink(page), "link"),
    isLocal() && make("p", { class: "note" }, WORDS.local_link, SERVED && [` ${WORDS.public_link} `, make("code", {}, "--public-url"), "."]),
    make("img", { class: "shared", key: picture, src: SERVED && picture, alt: WORDS.picture_of(position, isPlain), hook: SERVED ? {} : drawnHere(page, picture) }),
    SERVED && !isPlain && field(page, WORDS.json, new URL(paths.solve(state.game, position), location.href).href, "json"),
    make("p", { class: "buttons" },
      !isPlain && copying(page, WORDS.copy_json, async () => JSON.stringify(await page.fetch(paths.solve(state.game, position))), { data: { key: "copy-record" } }),
      button(WORDS.download_svg, async () => save(`${name}.svg`, svgOf(await page.fetch(picture))), { data: { key: "svg" } }),
      button(WORDS.download_png, async () => save(`${name}.png`, await pngOf(await page.fetch(picture))), { data: { key: "png" } }),
    ),
  ];
}

/** A picture that no server sends is there as soon as it is drawn. */
const drawnHere = (page, picture) => ({ insert: async ({ elm }) => (elm.src = URL.createObjectURL(svgOf(await page.fetch(picture)))) });

/** True if a link leads to this computer, so that no other one can follow it. */
const isLocal = () => /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

/** The address of what was looked at before this list of addresses. */
const sharedLink = (page) => new URL(addressOf({ ...page.state, mode: page.ui.before }), location.href).href;

function field(page, label, value, key) {
  const id = `share-${key}`;
  const input = make("input", { id, type: "text", readonly: true, value, data: { key: id }, on: { focus: (event) => event.target.select() } });
  return make("p", { class: "field" }, make("label", { for: id }, label), input,
    copying(page, WORDS.copy, () => value, { "aria-label": `${WORDS.copy}: ${label}`, data: { key: `copy-${key}` } }, id));
}

/** True for a puzzle that is not solved yet. */
const isSecret = ({ state }) => Boolean(state.puzzle) && !triedOf(localStorage, state.game, Number(state.puzzle)).solved;

const SIGN = 2000; // milliseconds

/** A button that copies a text, and then says for a while that it has. id: of the field that holds the text, to be selected if the
 *  browser does not allow copying. */
export function copying(page, words, text, attributes, id = "") {
  const { key } = attributes.data;
  const act = async () => {
    try {
      await navigator.clipboard.writeText(await text());
    } catch {
      /** @type {HTMLInputElement} */ (document.getElementById(id))?.select();
      return page.tell(WORDS.not_copied);
    }
    page.set({ copied: key });
    page.say(WORDS.copied);
    setTimeout(() => page.ui.copied === key && page.set({ copied: "" }), SIGN);
  };
  const isCopied = page.ui.copied === key;
  return button(isCopied ? `\u2713 ${WORDS.copied}` : words, act, { ...attributes, "aria-label": isCopied ? WORDS.copied : attributes["aria-label"] });
}

const svgOf = (text) => new Blob([text], { type: "image/svg+xml" });

/** A drawing as pixels: the browser draws the SVG into a canvas. */
async function pngOf(text) {
  const address = URL.createObjectURL(svgOf(text));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: image.width * SHARP, height: image.height * SHARP });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** Offers a file to be kept. @param {string} name @param {Blob} blob */
export function save(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
