// Bundles the scripts of the package: node bundle.mjs FOLDER ENTRY… One file for each set of entries that share code:
// a page needs fewer requests, and larger files compress better. The files stay readable, for stack traces and for
// debugging: minifying is left to the bundler of the page.

import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { argv } from "node:process";
import { build } from "esbuild";

const [, , folder, ...entries] = argv;

// The scripts of src/js, which wasm-bindgen copies. The scripts of www/npm import them as neighbors.
const copied = new Map(
  readdirSync(join(folder, "snippets"), { recursive: true })
    .filter((path) => path.endsWith(".js"))
    .map((path) => [basename(path), join(folder, "snippets", path)]),
);

const resolve = {
  name: "resolve",
  setup(build) {
    build.onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, kind }) => {
      // The code that defines the elements must stay in `ui.js`: package.json lists it under `sideEffects`, and
      // bundlers drop side effects of any other file.
      if (path === "./ui.js" && kind !== "entry-point") return { path, external: true };
      const script = copied.get(basename(path));
      return script && { path: script };
    });
  },
};

// The entries that import a framework. Together with the others, esbuild would give each of them its helpers, and the
// client one more file.
const BINDINGS = ["react.js", "svelte.js", "vue.js"];

const options = {
  plugins: [resolve],
  // In Cloudflare Workers the module is an import. The bindings import their frameworks.
  external: ["./client.wasm"],
  packages: "external",
  absWorkingDir: folder,
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
};
const written = new Set();
for (const isBinding of [false, true]) {
  const entryPoints = entries.filter((entry) => BINDINGS.includes(entry) === isBinding);
  const { metafile } = await build({ ...options, entryPoints });
  for (const name of Object.keys(metafile.outputs)) written.add(name);
}
for (const name of readdirSync(folder)) {
  if (name.endsWith(".js") && !written.has(name)) rmSync(join(folder, name));
}
rmSync(join(folder, "snippets"), { recursive: true });

// Writes a Wasm module into a script as text, where its placeholder is.
function inline(script, placeholder, module) {
  const file = join(folder, script);
  const parts = readFileSync(file, "utf8").split(`"${placeholder}"`);
  if (parts.length !== 2) throw new Error(`www/npm/${script} must contain the placeholder ${placeholder} once`);
  const wasm = readFileSync(join(folder, module)).toString("base64");
  writeFileSync(file, parts.join(JSON.stringify(wasm)));
}

// For pages that cannot load a separate file, and for test runners, which do not serve any.
inline("inline.js", "@wasm@", "client.wasm");
inline("testing.js", "@memory.wasm@", "memory.wasm");
rmSync(join(folder, "memory.wasm"));
