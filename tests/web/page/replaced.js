// What a test puts in the place of a part of the browser.

const originals = new Map();

/** Puts something in the place of a global until the test ends, however often one does. @param {import("node:test").TestContext} own */
export function replaced(own, name, value) {
  if (!originals.has(name)) originals.set(name, globalThis[name]);
  own.after(() => void (globalThis[name] = originals.get(name)));
  return (globalThis[name] = value);
}
