// Names the functions of a module so that similar functions are adjacent when sorted by name. Repeated code is then
// close together and compresses better. Binaryen's pass `reorder-functions-by-name` does the sorting.

import { CODE, Copy, IMPORTS, custom, imports, leb, rewritten } from "./wasm.mjs";

// Functions are similar if they share many byte sequences of this length.
const RUN = 6;
// A sequence that occurs in more functions than this is ignored.
const COMMON = 300;

// Returns the bytes of the module with these names.
export function named(bytes) {
  let imported = 0;
  const bodies = [];
  const wasm = rewritten(bytes, (id, section) => {
    if (id === IMPORTS) imported = imports(section);
    if (id === CODE) {
      for (let left = section.copyNumber(); left > 0; left -= 1) {
        const length = section.copyNumber();
        bodies.push(section.bytes.subarray(section.at, section.at + length));
        section.copy(length);
      }
    }
  });

  const runs = bodies.map((body) => {
    const found = new Set();
    for (let at = 0; at + RUN <= body.length; at += 1) {
      found.add(body.toString("latin1", at, at + RUN));
    }
    return found;
  });
  const having = new Map();
  runs.forEach((found, at) => {
    for (const run of found) {
      const all = having.get(run);
      if (all) all.push(at);
      else having.set(run, [at]);
    }
  });

  // Starts with the longest function. The most similar one is next; if there is none, the longest that is left.
  const byLength = bodies.map((_, at) => at).sort((a, b) => bodies[b].length - bodies[a].length || a - b);
  const places = new Map();
  const next = (from) => {
    const shared = new Map();
    for (const run of runs[from]) {
      const all = having.get(run);
      if (all.length > COMMON) continue;
      for (const at of all) if (!places.has(at)) shared.set(at, (shared.get(at) ?? 0) + 1);
    }
    let best;
    let most = 0;
    for (const [at, count] of shared) {
      const alike = count / (bodies[at].length + 50);
      if (alike > most || (alike === most && at < best)) [best, most] = [at, alike];
    }
    return best;
  };
  for (const first of byLength) {
    for (let at = first; at !== undefined && !places.has(at); at = next(at)) places.set(at, places.size);
  }

  const names = new Copy(new Uint8Array());
  names.write(leb(imported + bodies.length));
  const name = (index, kind, place) => {
    names.write(leb(index));
    names.writeName(kind + String(place).padStart(6, "0"));
  };
  for (let index = 0; index < imported; index += 1) name(index, "a", index);
  bodies.forEach((_, at) => name(imported + at, "b", places.get(at)));
  const functions = Buffer.concat(names.out);
  const section = custom("name", Buffer.concat([Uint8Array.of(1), leb(functions.length), functions]));
  return Buffer.concat([wasm, section]);
}
