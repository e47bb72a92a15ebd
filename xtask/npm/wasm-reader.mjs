// The bytes of Wasm modules.

export class Reader {
  at = 0;

  constructor(bytes) {
    this.bytes = bytes;
  }

  take(length) {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  // Reads a number in LEB128.
  number() {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const [byte] = this.take(1);
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  }
}

// Writes a number in LEB128.
export function leb(number) {
  const bytes = [];
  for (; number > 127; number = Math.floor(number / 128)) bytes.push((number % 128) + 128);
  return Buffer.of(...bytes, number);
}
