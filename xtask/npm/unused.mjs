// Removes unused exports from a module. A dependency exports classes for streams that Rust code passes to JavaScript,
// which our code never does. Removes these classes from the glue, and then every exported function that the glue does
// not use.

import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { EXPORTS, FUNCTION, exports, rewritten, writeExports } from "./wasm.mjs";

const NAME = "IntoUnderlying\\w+";
const CLASS = new RegExp(`^export class ${NAME} \\{\\n[^]*?^\\}\\n(if \\(Symbol\\.dispose\\).*\\n)?`, "gm");
const CLEANER = new RegExp(`^const ${NAME}Finalization = [^;]*;\\n`, "gm");

const [, , wasmFile, glueFile] = argv;
const glue = readFileSync(glueFile, "utf8").replace(CLASS, "").replace(CLEANER, "");
const left = glue.match(new RegExp(NAME));
if (left) throw new Error(`the glue still names ${left[0]}: wasm-bindgen wrote it in another form than before`);
writeFileSync(glueFile, glue);

const isNamed = ({ name, kind }) =>
  kind !== FUNCTION || new RegExp(`\\bwasm\\.${name}\\b`).test(glue);
const wasm = rewritten(readFileSync(wasmFile), (id, section) => {
  if (id === EXPORTS) writeExports(section, exports(section).filter(isNamed));
});
writeFileSync(wasmFile, wasm);
