// Makes elements. No markup is ever read from text, so nothing that a user types can become an element.

/** An element. attributes: `class`, `data`, `on` (listeners), properties of the element, or attributes by their name. */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name in element && !name.startsWith("aria") && name !== "role" && name !== "list") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A picture of a card: a use of a symbol that the server has drawn. */
export function picture(symbol) {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 60 84");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
}

/** Replaces what is in an element. The focus stays on the element of the same key, or goes to the first of `otherwise` that is there. */
export function fill(parent, children, otherwise = []) {
  const held = parent.contains(document.activeElement) ? document.activeElement : null;
  const key = held?.dataset.key;
  const place = held && "selectionStart" in held && held.type === "text" ? held.selectionStart : null;
  parent.replaceChildren(...children.flat().filter(Boolean));
  if (!held) return;
  const again = key && parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
  const next = again || otherwise.map((selector) => parent.querySelector(selector)).find(Boolean);
  (next || parent).focus({ preventScroll: true });
  if (again && place !== null) again.setSelectionRange(place, place);
}

/** A button. */
export function button(text, click, attributes = {}) {
  return make("button", { type: "button", ...attributes, on: { click, ...(attributes.on || {}) } }, ...[text].flat());
}
