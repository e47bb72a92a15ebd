// The sides to compare, as scripts that run in a simulated page.

import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { compileFunction } from "node:vm";
import { build } from "esbuild";

import { Page } from "./browser.mjs";

/** The names of the globals, which the scripts get as arguments. Each page has its own. */
const GLOBALS = Object.keys(new Page({ channels: new Set() }, new Map()).globals);

/**
 * @param {string} folder The built package.
 * @returns {Promise<{ name: string, open(globals: object): Promise<object> }[]>}
 */
export async function loadSides(folder) {
  const wasm = await WebAssembly.compile(await readFile(join(folder, "client.wasm")));
  const ours = await compile("ours", folder);
  const tanstack = await compile("tanstack", folder);
  return [
    { name: "lead-workspace", open: (globals) => ours(globals, wasm) },
    { name: "TanStack, as documented", open: (globals) => tanstack(globals, "documented") },
    { name: "TanStack, careful", open: (globals) => tanstack(globals, "careful") },
  ];
}

/** Returns a function that runs the script of a side in a page. Each page has modules of its own. */
async function compile(side, folder) {
  const bundle = await build({
    entryPoints: [join(import.meta.dirname, `sides/${side}.mjs`)],
    alias: { "lead-workspace": resolve(folder, "index.js") },
    bundle: true,
    write: false,
    format: "iife",
    globalName: "side",
    target: "es2022",
    // The package reads it for messages only: it gets its module as an argument.
    define: { "import.meta.url": '"http://127.0.0.1/"', "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  const run = compileFunction(`${bundle.outputFiles[0].text}\nreturn side;`, GLOBALS, { filename: `${side}.js` });
  return (globals, argument) => run(...GLOBALS.map((name) => globals[name])).open(argument);
}
