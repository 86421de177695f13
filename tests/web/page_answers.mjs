// Answers questions of the page without a server: addresses of the API, a line each, in; answers, a line each, out. Which folder holds
// the site is the argument.

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const site = pathToFileURL(`${process.argv[2]}/`);
const { kernels, Solver } = await import(new URL("solver.js", site).href);
const solver = new Solver(await kernels(await readFile(new URL("kernels.wasm", site))), (name) => readFile(new URL(name, site), "utf-8"));

for await (const path of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = await solver.answer(path);
  } catch (error) {
    if (!error.problem) throw error;
    answer = { problem: error.problem };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
