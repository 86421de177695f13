// Answers the questions of the page, in a thread of its own: a search never holds the page up.

import { kernels, Solver } from "./solver.js";
import { Failed } from "./store.js";

const file = async (name) => {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
};

const solver = file("kernels.wasm")
  .then((response) => response.arrayBuffer())
  .then(kernels)
  .then((found) => new Solver(found, async (name) => (await file(name)).text()));

self.onmessage = async ({ data: path }) => {
  try {
    self.postMessage({ value: await (await solver).answer(path) });
  } catch (error) {
    if (error instanceof Failed) self.postMessage({ problem: error.problem });
    else self.postMessage({ problem: { detail: `A fault of the page: ${error.message}` } });
  }
};
