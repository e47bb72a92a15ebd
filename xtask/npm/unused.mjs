// Takes out of a module what nobody calls. A dependency exports streams that Rust code gives to JavaScript;
// ours gives none. Their classes go out of the glue, and then every exported function that it does not name.

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
