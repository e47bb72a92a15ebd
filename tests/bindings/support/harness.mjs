// Bundles the components of the harness with each version of a framework, for Node.

import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Window } from "happy-dom";

const HERE = join(import.meta.dirname, "harness");
const MODULES = join(import.meta.dirname, "..", "node_modules");

// The frameworks look for the document when they are loaded.
export const window = new Window();
globalThis.window = window;
for (const name of [
  "document", "navigator", "customElements", "Node", "Element", "HTMLElement", "SVGElement", "Text", "Comment",
]) {
  Object.defineProperty(globalThis, name, { value: window[name], configurable: true });
}

const load = async (name, options) => {
  const { outputFiles } = await build({
    absWorkingDir: HERE,
    entryPoints: [name],
    nodePaths: [MODULES],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    logLevel: "warning",
    ...options,
  });
  const module = { exports: {} };
  const run = new Function("module", "exports", "require", outputFiles[0].text);
  run(module, module.exports, createRequire(join(MODULES, "x.cjs")));
  return module.exports;
};

function compiler(name, options) {
  return {
    name: "svelte",
    async setup(build) {
      const { compile } = await import(name);
      build.onLoad({ filter: /\.svelte$/ }, ({ path }) => {
        const { js } = compile(readFileSync(path, "utf8"), { filename: path, ...options });
        return { contents: js.code, loader: "js" };
      });
    },
  };
}

/** Loads the harness of React 18 or 19. */
export const react = (version) =>
  load("react.mjs", version === 18 ? { alias: { react: "react-18", "react-dom": "react-dom-18" } } : {});

const vue = () => load("vue.mjs", { conditions: ["node"] });

async function svelte4() {
  const alias = { svelte: "svelte-4" };
  const of = (generate, conditions) =>
    load("svelte-4.mjs", { alias, conditions, plugins: [compiler("svelte-4/compiler", { generate })] });
  const [client, { render }] = await Promise.all([of("dom", ["browser"]), of("ssr", [])]);
  return { ...client, render };
}

async function svelte5(app) {
  const alias = { "@app": `./${app}` };
  const of = (name, generate, conditions) =>
    load(name, { alias, conditions, plugins: [compiler("svelte/compiler", { generate })] });
  const [client, { render }] = await Promise.all([
    of("svelte-5.mjs", "client", ["browser"]),
    of("svelte-5-server.mjs", "server", []),
  ]);
  return { ...client, render };
}

/**
 * Each with `mount(target, props)`, which returns `set(props)` and `unmount()`, and `render(props)` for a server.
 * `mountElement` is like `mount`, for an element of the screen.
 */
export const FRAMEWORKS = {
  "React 19": () => react(19),
  "React 18": () => react(18),
  Vue: vue,
  "Svelte 5": () => svelte5("App.svelte"),
  "Svelte 5, runes": () => svelte5("Runes.svelte"),
  "Svelte 4": svelte4,
};
