// What the kernels of the page without a server make of positions, as digests. Which folder holds the site, and which game it is, are the
// arguments; in come packed positions, out a digest of 32 bytes for each: of its value, of how many turns keep it, of the principal
// line, and of every outcome, all as the arrays of the package have them.

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [, , folder, game] = process.argv;
const site = pathToFileURL(`${folder}/`);
const { kernels } = await import(new URL("solver.js", site).href);
const wasm = await kernels(await readFile(new URL("kernels.wasm", site)));
const memory = Buffer.from(wasm.memory.buffer);
const bytes = (at, size) => Buffer.from(memory.subarray(at, at + size));

function head(value, optimal) {
  const written = Buffer.alloc(5);
  written.writeInt8(value);
  written.writeUInt32LE(optimal, 1);
  return written;
}

const GAMES = {
  face_to_face: {
    size: 20,
    *told(packed) {
      const at = wasm.f2f_position();
      packed.copy(memory, at);
      const value = wasm.f2f_value();
      yield head(value, wasm.f2f_optimal(value));
      for (let left = value; left; left -= 1) {
        wasm.f2f_best(left);
        yield bytes(wasm.f2f_turn(), 8);
        wasm.f2f_play();
      }
      packed.copy(memory, at);
      const count = wasm.f2f_outcomes();
      yield bytes(wasm.f2f_rows(), count * wasm.f2f_row_size());
    },
  },
  take_that: {
    size: 97,
    *told(packed) {
      const at = wasm.tt_position();
      packed.copy(memory, at);
      const value = solved();
      yield head(value, wasm.tt_optimal());
      wasm.tt_line();
      const line = bytes(wasm.tt_codes(), 19);
      yield line.subarray(0, [...line, 0].indexOf(0));
      packed.copy(memory, at);
      for (const code of bytes(wasm.tt_codes(), wasm.tt_turns())) {
        packed.copy(memory, at);
        const points = wasm.tt_play(code);
        const next = bytes(wasm.tt_following(), 97);
        let worth = points;
        if (next.some(Boolean)) {
          wasm.tt_go();
          worth -= solved();
        }
        yield Int8Array.of(code, points, worth);
        yield next;
      }
    },
  },
};

function solved() {
  if (!wasm.tt_solve(2 ** 31 - 1)) throw new Error("a position is not solved");
  return wasm.tt_low();
}

const { size, told } = GAMES[game];
const positions = await buffer(process.stdin);
const digests = [];
for (let place = 0; place < positions.length; place += size) {
  const hash = createHash("sha256");
  for (const part of told(positions.subarray(place, place + size))) hash.update(part);
  digests.push(hash.digest());
}
process.stdout.write(Buffer.concat(digests));
