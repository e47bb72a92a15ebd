// Gives what a Wasm module and its glue call each other by short names. wasm-bindgen's end in a hash
// of 16 digits, which no compression makes smaller: a hundred of them weigh 2 kB in the two files.

import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";

const HASHED = /\b\w+[_h][0-9a-f]{16}\b/g;
const IMPORTS = 2;
const EXPORTS = 7;

const [, , wasmFile, glueFile] = argv;
const glue = readFileSync(glueFile, "utf8");
const known = new Map();
for (const [name] of glue.matchAll(HASHED)) {
  if (!known.has(name)) known.set(name, `_${known.size.toString(36)}`);
}

// A reader of the module's bytes, which copies what it reads unless told otherwise.
class Copy {
  out = [];

  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(length) {
    const part = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return part;
  }

  copy(length) {
    this.out.push(this.take(length));
  }

  // A number in LEB128.
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.bytes[this.at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }

  copyNumber() {
    const number = this.number();
    this.out.push(leb(number));
    return number;
  }

  // A name, or the short one in its place.
  name() {
    const name = Buffer.from(this.take(this.number())).toString();
    const short = Buffer.from(known.get(name) ?? name);
    this.out.push(leb(short.length), short);
  }

  limits() {
    const flags = this.copyNumber();
    this.copyNumber();
    if (flags & 1) this.copyNumber();
  }
}

function leb(number) {
  const bytes = [];
  do {
    const rest = Math.floor(number / 128);
    bytes.push((number % 128) + (rest > 0 ? 128 : 0));
    number = rest;
  } while (number > 0);
  return Uint8Array.from(bytes);
}

function imports(section) {
  for (let left = section.copyNumber(); left > 0; left -= 1) {
    section.name();
    section.name();
    const [kind] = section.bytes.subarray(section.at);
    section.copy(1);
    if (kind === 0) section.copyNumber();
    else if (kind === 1) {
      section.copy(1);
      section.limits();
    } else if (kind === 2) section.limits();
    else if (kind === 3) section.copy(2);
    else throw new Error(`an import of the kind ${kind}`);
  }
}

function exports(section) {
  for (let left = section.copyNumber(); left > 0; left -= 1) {
    section.name();
    section.copy(1);
    section.copyNumber();
  }
}

const module = new Copy(readFileSync(wasmFile));
module.copy(8);
while (module.at < module.bytes.length) {
  const [id] = module.take(1);
  const section = new Copy(module.take(module.number()));
  if (id === IMPORTS) imports(section);
  if (id === EXPORTS) exports(section);
  section.copy(section.bytes.length - section.at);
  const body = Buffer.concat(section.out);
  module.out.push(Uint8Array.of(id), leb(body.length), body);
}
writeFileSync(wasmFile, Buffer.concat(module.out));
writeFileSync(glueFile, glue.replace(HASHED, (name) => known.get(name)));
