// Puts a Wasm file, as text, into the JavaScript that waits for it.

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
