// Inlines a Wasm file as Base64 text into a JavaScript file, in place of a marker.

import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";

const PLACE = '"@wasm@"';

const [, , wasm, script] = argv;
const parts = readFileSync(script, "utf8").split(PLACE);
if (parts.length !== 2) {
  console.error(`${script} must hold ${PLACE} once, and does ${parts.length - 1} times`);
  process.exit(1);
}
writeFileSync(script, parts.join(JSON.stringify(readFileSync(wasm).toString("base64"))));
