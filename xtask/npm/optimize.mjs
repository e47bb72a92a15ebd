// Optimizes Wasm files for size, in place. One process for all of them: starting Binaryen takes longer than optimizing
// a small part of the app.

import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import binaryen from "binaryen";

import { nameInOrder } from "./order.mjs";

// The features that the compiler may have used, all supported by browsers for years. Listed one by one: with
// `Features.All`, Binaryen writes modules that browsers reject.
const FEATURES = [
  "BulkMemory",
  "BulkMemoryOpt",
  "CallIndirectOverlong",
  "ExceptionHandling",
  "Multivalue",
  "MutableGlobals",
  "NontrappingFPToInt",
  "ReferenceTypes",
  "SignExt",
].reduce((all, name) => all | binaryen.Features[name], 0);

binaryen.setOptimizeLevel(2);
binaryen.setShrinkLevel(2);
// Low memory is the far end of the stack, so no address plus an offset points there.
binaryen.setLowMemoryUnused(true);
// As `wasm-opt` does by default: optimizes the order of instructions once more when a module is written.
binaryen.setGenerateStackIR(true);
binaryen.setOptimizeStackIR(true);
// A large function with a single caller stays a function of its own: with fewer locals in each, the code compresses
// better.
binaryen.setOneCallerInlineMaxSize(100);

// Streams of a server's functions, which Leptos brings along: nothing calls them. Their exports, and the functions of
// their crate, which stay in the table without a caller.
const UNUSED_EXPORT = /^(__wbg_)?intounderlying/;
const UNUSED_CRATE = /\bwasm_streams\b/;

for (const file of argv.slice(2)) {
  // With the names of the functions.
  binaryen.setDebugInfo(true);
  const wasm = binaryen.readBinary(readFileSync(file));
  wasm.setFeatures(FEATURES);
  const exports = Array.from({ length: wasm.getNumExports() }, (_, index) => wasm.getExportByIndex(index));
  for (const { name } of exports.map(binaryen.getExportInfo)) if (UNUSED_EXPORT.test(name)) wasm.removeExport(name);
  for (let index = 0; index < wasm.getNumFunctions(); index += 1) {
    const made = wasm.getFunctionByIndex(index);
    const { name, base } = binaryen.getFunctionInfo(made);
    if (!base && UNUSED_CRATE.test(name)) binaryen.Function.setBody(made, wasm.unreachable());
  }
  // Builds the control flow anew, with fewer blocks: the client is 0.9 kB smaller, the first page of the app 1 kB.
  wasm.runPasses(["flatten", "rereloop"]);
  // The second run finds what the first made possible: 0.1 kB of the client.
  wasm.optimize();
  wasm.optimize();
  if (!wasm.validate()) throw new Error(`the optimized ${file} is not valid`);
  const functions = Array.from({ length: wasm.getNumFunctions() }, (_, index) => wasm.getFunctionByIndex(index));
  const imported = functions.filter((one) => binaryen.getFunctionInfo(one).base).length;
  const named = nameInOrder(Buffer.from(wasm.emitBinary()), imported);
  wasm.dispose();
  const sorted = binaryen.readBinary(named);
  sorted.setFeatures(FEATURES);
  sorted.runPasses(["reorder-functions-by-name", "strip-debug", "strip-producers", "strip-target-features"]);
  binaryen.setDebugInfo(false);
  if (!sorted.validate()) throw new Error(`the sorted ${file} is not valid`);
  writeFileSync(file, sorted.emitBinary());
  sorted.dispose();
}
