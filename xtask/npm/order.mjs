// Puts similar functions of a Wasm module next to each other. They compress better.

import { Reader, leb } from "./wasm-reader.mjs";

const CODE = 10;
const CUSTOM = 0;
const NAMES = "name";
const FUNCTION_NAMES = 1;

// Similar functions share many sequences of this many bytes.
const LENGTH = 5;

// Returns the module with other names of its functions: sorted by name, they are in order. The first functions are
// those that it imports.
export function nameInOrder(wasm, imported) {
  const names = [];
  byLikeness(bodies(wasm)).forEach((index, place) => {
    const name = Buffer.from(String(place).padStart(6, "0"));
    names[index] = Buffer.concat([leb(imported + index), leb(name.length), name]);
  });
  const functions = Buffer.concat([leb(names.length), ...names]);
  const content = [leb(NAMES.length), Buffer.from(NAMES), Buffer.of(FUNCTION_NAMES), leb(functions.length), functions];
  const others = sections(wasm).filter(({ id, content }) => id !== CUSTOM || content.toString("utf8", 1, 5) !== NAMES);
  const all = [...others, { id: CUSTOM, content: Buffer.concat(content) }];
  const bytes = all.flatMap(({ id, content }) => [Buffer.of(id), leb(content.length), content]);
  return Buffer.concat([wasm.subarray(0, 8), ...bytes]);
}

// Returns the indexes of the functions, the largest one first. The next one is always the one most similar to the last.
function byLikeness(functions) {
  const sequences = functions.map((body) => {
    const found = new Set();
    for (let at = 0; at + LENGTH <= body.length; at += 1) found.add(body.readUIntBE(at, LENGTH));
    return found;
  });
  const users = new Map();
  for (const [index, found] of sequences.entries()) {
    for (const one of found) {
      if (users.has(one)) users.get(one).push(index);
      else users.set(one, [index]);
    }
  }
  const left = new Set(functions.keys());
  const order = [];
  let last = [...left].reduce((most, index) => (functions[index].length > functions[most].length ? index : most), 0);
  while (left.size > 0) {
    order.push(last);
    left.delete(last);
    const shared = new Map();
    for (const one of sequences[last]) {
      for (const index of users.get(one)) if (left.has(index)) shared.set(index, (shared.get(index) ?? 0) + 1);
    }
    let [next] = left;
    let most = 0;
    const size = sequences[last].size;
    for (const [index, count] of shared) {
      const likeness = count / (size + sequences[index].size);
      if (likeness > most) [next, most] = [index, likeness];
    }
    last = next;
  }
  return order;
}

function bodies(wasm) {
  const code = sections(wasm).find(({ id }) => id === CODE);
  if (!code) return [];
  const reader = new Reader(code.content);
  return Array.from({ length: reader.number() }, () => reader.take(reader.number()));
}

function sections(wasm) {
  const reader = new Reader(wasm);
  reader.take(8);
  const found = [];
  while (reader.at < wasm.length) {
    const [id] = reader.take(1);
    found.push({ id, content: reader.take(reader.number()) });
  }
  return found;
}
