// Bundles the scripts of the package: one file for each set of entries that share code. A page needs fewer requests,
// and larger files compress better. The files stay readable, for stack traces and for debugging: minifying is left to
// the bundler of the page.

import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process, { argv } from "node:process";
import { build } from "esbuild";

const [, , folder, ...entries] = argv;

// The package's loader passes only a compiled module to the client's glue. wasm-bindgen's code for URLs and responses
// is half a kilobyte that never runs.
const LOAD = /async function __wbg_load\(module, imports\) \{.*?\n\}\n/s;
const FETCHED = /\n    if \(typeof module_or_path === 'string'.*?\n    \}\n/s;
const WARNED = / else \{\n\s*console\.warn\('using deprecated parameters for the init.*?\n\s*\}/s;
const INSTANTIATE = `async function __wbg_load(module, imports) {
    return { instance: await WebAssembly.instantiate(module, imports), module };
}
`;
const glue = join(folder, "client.js");
let text = readFileSync(glue, "utf8");
for (const [pattern, instead] of [[LOAD, INSTANTIATE], [FETCHED, ""], [WARNED, ""]]) {
  if (!pattern.test(text)) {
    console.error("wasm-bindgen wrote the client's glue in another form than before; see bundle.mjs.");
    process.exit(1);
  }
  text = text.replace(pattern, instead);
}
writeFileSync(glue, text);

// The code that defines the elements must stay in `ui.js`: package.json lists it under `sideEffects`, and bundlers
// drop side effects of any other file.
const whole = {
  name: "ui stays whole",
  setup(build) {
    build.onResolve({ filter: /^\.\/ui\.js$/ }, ({ path, kind }) =>
      kind === "entry-point" ? undefined : { path, external: true },
    );
  },
};

const result = await build({
  plugins: [whole],
  absWorkingDir: folder,
  entryPoints: entries,
  outdir: ".",
  allowOverwrite: true,
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  metafile: true,
  legalComments: "none",
  logLevel: "warning",
  // wasm-bindgen's glue lists a script once for each function that the module imports from it.
  logOverride: { "duplicate-object-key": "silent" },
});
const written = new Set(Object.keys(result.metafile.outputs));
for (const name of readdirSync(folder)) {
  if (name.endsWith(".js") && !written.has(name)) rmSync(join(folder, name));
}
