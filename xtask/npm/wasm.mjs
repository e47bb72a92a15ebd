// Reads and rewrites a Wasm module, section by section.

export const IMPORTS = 2;
export const EXPORTS = 7;
export const CODE = 10;
export const FUNCTION = 0;

// A reader of a module's bytes that also collects the output.
export class Copy {
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

  // Reads a number in LEB128.
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

  name() {
    return Buffer.from(this.take(this.number())).toString();
  }

  write(...bytes) {
    this.out.push(...bytes);
  }

  writeName(name) {
    const bytes = Buffer.from(name);
    this.out.push(leb(bytes.length), bytes);
  }

  limits() {
    const flags = this.copyNumber();
    this.copyNumber();
    if (flags & 1) this.copyNumber();
  }
}

export function leb(number) {
  const bytes = [];
  do {
    const rest = Math.floor(number / 128);
    bytes.push((number % 128) + (rest > 0 ? 128 : 0));
    number = rest;
  } while (number > 0);
  return Uint8Array.from(bytes);
}

// Calls `change` with the id and a reader of each section. Bytes that it does not read are copied.
export function rewritten(bytes, change) {
  const module = new Copy(bytes);
  module.copy(8);
  while (module.at < bytes.length) {
    const [id] = module.take(1);
    const section = new Copy(module.take(module.number()));
    change(id, section);
    section.copy(section.bytes.length - section.at);
    const body = Buffer.concat(section.out);
    module.write(Uint8Array.of(id), leb(body.length), body);
  }
  return Buffer.concat(module.out);
}

// Returns a custom section.
export function custom(name, body) {
  const section = new Copy(body);
  section.writeName(name);
  section.copy(body.length);
  const bytes = Buffer.concat(section.out);
  return Buffer.concat([Uint8Array.of(0), leb(bytes.length), bytes]);
}

// Copies the imports, renamed. Returns the number of functions among them.
export function imports(section, rename = (name) => name) {
  let functions = 0;
  for (let left = section.copyNumber(); left > 0; left -= 1) {
    section.writeName(rename(section.name()));
    section.writeName(rename(section.name()));
    const [kind] = section.bytes.subarray(section.at);
    section.copy(1);
    if (kind === FUNCTION) {
      section.copyNumber();
      functions += 1;
    } else if (kind === 1) {
      section.copy(1);
      section.limits();
    } else if (kind === 2) section.limits();
    else if (kind === 3) section.copy(2);
    else throw new Error(`an import of the kind ${kind}`);
  }
  return functions;
}

// Reads the exports: name, kind and index.
export function exports(section) {
  const found = [];
  for (let left = section.number(); left > 0; left -= 1) {
    found.push({ name: section.name(), kind: section.take(1)[0], number: section.number() });
  }
  return found;
}

export function writeExports(section, exports) {
  section.write(leb(exports.length));
  for (const { name, kind, number } of exports) {
    section.writeName(name);
    section.write(Uint8Array.of(kind), leb(number));
  }
}
