// The package in esbuild, which does not rewrite file URLs in scripts: the Wasm file is copied next to the bundle,
// loaded with a loader, or inlined.

import { build } from "esbuild";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { expectPageWorks } from "./support/matrix.mjs";
import { project, replaceIn } from "./support/project.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

async function bundle(t, folder, options = {}) {
  const outdir = join(folder, "dist");
  await build({
    absWorkingDir: folder,
    entryPoints: ["main.js", "worker.js"],
    bundle: true,
    minify: true,
    format: "esm",
    outdir,
    logLevel: "silent",
    ...options,
  });
  await copyFile(join(folder, "index.html"), join(outdir, "index.html"));
  return outdir;
}

test("esbuild, the Wasm file copied next to the bundle", async (t) => {
  const folder = await project(t);
  const out = await bundle(t, folder);
  const wasm = join(folder, "node_modules/lead-workspace/client.wasm");
  await copyFile(wasm, join(out, "client.wasm"));
  await expectPageWorks(t, await serve(t, out));
});

test("esbuild, the Wasm file through the file loader", async (t) => {
  const folder = await project(t);
  const check = join(folder, "check.js");
  await replaceIn(
    check,
    "create({ baseUrl, apiKey })",
    "create({ baseUrl, apiKey, wasm: new URL(wasm, import.meta.url) })",
  );
  const imports = 'from "lead-workspace";';
  await replaceIn(check, imports, `${imports}\nimport wasm from "lead-workspace/client.wasm";`);
  const out = await bundle(t, folder, { loader: { ".wasm": "file" } });
  await expectPageWorks(t, await serve(t, out));
});

test("esbuild, the inline module", async (t) => {
  const folder = await project(t, { imports: "lead-workspace/inline" });
  await expectPageWorks(t, await serve(t, await bundle(t, folder)));
});
