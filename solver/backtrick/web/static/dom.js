// Makes the tree of elements that is to be seen. No markup is ever read from text, so nothing that a user types can become an element.

import { attributesModule, eventListenersModule, h, init, propsModule, thunk } from "./vendor/snabbdom.js";

export const patch = init([attributesModule, propsModule, eventListenersModule]);
export { thunk };

const PROPERTIES = new Set(["value", "checked", "selected", "indeterminate"]); // of which the attribute says only how it begins
const seen = (child) => child !== null && child !== undefined && child !== false && child !== "";

/** An element. attributes: `data`, `on` (listeners), `key` (else `data.key`), `hook`, properties, and attributes by their name. */
export function make(tag, attributes = {}, ...children) {
  const { data = {}, on = {}, key = data.key, hook, ...others } = attributes;
  const attrs = {};
  const props = {};
  for (const [name, value] of Object.entries(others)) {
    if (PROPERTIES.has(name)) props[name] = value;
    else if (value !== undefined && value !== null && value !== false && value !== "") attrs[name] = value;
  }
  for (const [name, value] of Object.entries(data)) if (value !== undefined && value !== null) attrs[`data-${name}`] = value;
  return h(tag, { key, attrs, props, on, hook }, children.flat(Infinity).filter(seen));
}

/** A picture of a card: a use of a symbol that the server has drawn. */
export const picture = (symbol) => h("svg", { attrs: { viewBox: "0 0 60 84", "aria-hidden": "true" } }, [h("use", { attrs: { href: `#${symbol}` } })]);

/** A button. */
export const button = (text, click, attributes = {}) => make("button", { type: "button", ...attributes, on: { click, ...attributes.on } }, text);
