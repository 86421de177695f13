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
        const turn = Buffer.alloc(8);
        bytes(wasm.codes(), wasm.f2f_go_best(left)).copy(turn);
        yield turn;
      }
      packed.copy(memory, at);
      const count = wasm.f2f_outcomes();
      yield bytes(wasm.f2f_rows(), count * wasm.f2f_row_size());
    },
  },
  take_that: {
    size: 97,
    *told(packed) {
      read(packed);
      const value = solved();
      yield head(value, wasm.tt_optimal());
      wasm.tt_line();
      const line = bytes(wasm.codes(), 19);
      yield line.subarray(0, [...line, 0].indexOf(0));
      const choices = bytes(wasm.codes(), 2 * wasm.tt_choices());
      for (const code of choices.filter((_, place) => place % 2 === 0 && choices[place + 1] === 0)) {
        read(packed);
        wasm.tt_lay(code);
        const goesOn = wasm.tt_end();
        const points = wasm.tt_points();
        const next = Buffer.alloc(97);
        ROOMS.forEach(({ at, room }, zone) => goesOn && bytes(wasm.zones() + zone * wasm.room(), room).copy(next, at));
        wasm.tt_read();
        yield Int8Array.of(code, points, goesOn ? points - solved() : points);
        yield next;
      }
    },
  },
};

/** Where the cards of a zone are in a packed position of Take That. */
const ROOMS = [{ at: 0, room: 9 }, { at: 9, room: 9 }, { at: 18, room: 79 }];

function read(packed) {
  memory.fill(0, wasm.zones(), wasm.zones() + 4 * wasm.room());
  ROOMS.forEach(({ at, room }, zone) => packed.subarray(at, at + room).copy(memory, wasm.zones() + zone * wasm.room()));
  if (!wasm.tt_read()) throw new Error("a position is not well-formed");
}

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
