// Shortens the import and export names shared by a Wasm module and its glue. wasm-bindgen's names end in a hash of 16
// digits, which does not compress: a hundred of them add 2 kB to the two files.

import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { EXPORTS, IMPORTS, exports, imports, rewritten, writeExports } from "./wasm.mjs";

const HASHED = /\b\w+[_h][0-9a-f]{16}\b/g;

const [, , wasmFile, glueFile] = argv;
const glue = readFileSync(glueFile, "utf8");
const known = new Map();
for (const [name] of glue.matchAll(HASHED)) {
  if (!known.has(name)) known.set(name, `_${known.size.toString(36)}`);
}
const short = (name) => known.get(name) ?? name;

const wasm = rewritten(readFileSync(wasmFile), (id, section) => {
  if (id === IMPORTS) imports(section, short);
  if (id === EXPORTS) {
    const renamed = exports(section).map((one) => ({ ...one, name: short(one.name) }));
    writeExports(section, renamed);
  }
});
writeFileSync(wasmFile, wasm);
writeFileSync(glueFile, glue.replace(HASHED, short));
