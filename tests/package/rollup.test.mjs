// The package in Rollup with the plugin that finds packages. Rollup leaves file URLs in scripts as they are: the Wasm
// file is copied next to the bundle.

import { nodeResolve } from "@rollup/plugin-node-resolve";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { rollup } from "rollup";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { expectPageWorks } from "./support/matrix.mjs";
import { project } from "./support/project.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

// Builds the page and its Worker into the folder `dist`; no warning is allowed.
async function bundle(folder) {
  const bundle = await rollup({
    input: [join(folder, "main.js"), join(folder, "worker.js")],
    plugins: [nodeResolve({ browser: true })],
    onwarn: ({ message }) => {
      throw new Error(message);
    },
  });
  const dir = join(folder, "dist");
  await bundle.write({ dir, format: "es", chunkFileNames: "[name].js" });
  await bundle.close();
  await copyFile(join(folder, "index.html"), join(dir, "index.html"));
  return dir;
}

test("Rollup, the Wasm file copied next to the bundle", async (t) => {
  const folder = await project(t);
  const dist = await bundle(folder);
  await copyFile(join(folder, "node_modules/lead-workspace/client.wasm"), join(dist, "client.wasm"));
  await expectPageWorks(t, await serve(t, dist));
});

test("Rollup, the inline module", async (t) => {
  const folder = await project(t, { imports: "lead-workspace/inline" });
  await expectPageWorks(t, await serve(t, await bundle(folder)));
});
