// Sharing what one sees: the address, the notation, JSON, and a drawing as SVG or PNG.

import { paths } from "./api.js";
import { addressOf, SERVED } from "./ask.js";
import { button, make } from "./dom.js";
import { begin } from "./state.js";
import { WORDS } from "./words.js";

const SHARP = 2; // pixels of a PNG for each of the drawing

/** @param {import("./main.js").Page} page */
export function drawShare(page) {
  const { state, view } = page;
  const position = view.position ?? view.steps.filter((step) => step.position !== null).at(-1).position;
  const picture = paths.image(addressOf(begin(state.game, position)));
  const name = `${state.game}-${position.replace(/[^0-9a-z]+/gi, "-").slice(0, 40)}`;
  return [
    make("h2", {}, WORDS.modes.share),
    field(page, WORDS.notation, position, "notation"),
    field(page, WORDS.link, sharedLink(page), "link"),
    isLocal() && make("p", { class: "note" }, WORDS.local_link, SERVED && [` ${WORDS.public_link} `, make("code", {}, "--public-url"), "."]),
    SERVED && make("img", { class: "shared", src: picture, alt: WORDS.picture_of(position) }),
    SERVED && field(page, WORDS.json, new URL(paths.solve(state.game, position), location.href).href, "json"),
    make("p", { class: "buttons" },
      button(WORDS.copy_json, async () => copied(page, JSON.stringify(await page.fetch(paths.solve(state.game, position)))), { data: { key: "copy-record" } }),
      SERVED && button(WORDS.download_svg, async () => save(`${name}.svg`, svgOf(await page.fetch(picture))), { data: { key: "svg" } }),
      SERVED && button(WORDS.download_png, async () => save(`${name}.png`, await pngOf(await page.fetch(picture))), { data: { key: "png" } }),
    ),
    !SERVED && make("p", { class: "note" }, WORDS.no_server_here),
  ];
}

/** True if a link leads to this computer, so that no other one can follow it. */
const isLocal = () => /^(localhost|127\..*|\[::1\])$/.test(location.hostname);

/** The address of what was looked at before this list of addresses. */
const sharedLink = (page) => new URL(addressOf({ ...page.state, mode: page.ui.before }), location.href).href;

function field(page, label, value, key) {
  const id = `share-${key}`;
  const input = make("input", { id, type: "text", readonly: true, value, data: { key: id }, on: { focus: (event) => event.target.select() } });
  return make("p", { class: "field" }, make("label", { for: id }, label), input,
    button(WORDS.copy, () => copied(page, value, id), { "aria-label": `${WORDS.copy}: ${label}`, data: { key: `copy-${key}` } }));
}

/** Copies a text. id: of the field that holds it, to be selected if the browser does not allow copying. */
export async function copied(page, text, id = "") {
  try {
    await navigator.clipboard.writeText(text);
    page.say(WORDS.copied);
  } catch {
    /** @type {HTMLInputElement} */ (document.getElementById(id))?.select();
    page.say(WORDS.not_copied);
  }
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

function save(name, blob) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
