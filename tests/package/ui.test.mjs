// The UI in every bundler with its default configuration. The module is split into many files: a page loads some at
// first, and the others lazily. All tests use a strict Content-Security-Policy.

import { build as esbuild } from "esbuild";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, cp, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { rollup } from "rollup";
import * as vite8 from "vite";
import * as vite7 from "vite-7";

import { afterTest } from "../e2e/support/cleanup.mjs";
import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { addFixture, replaceIn } from "./support/project.mjs";
import { expectReviewWorks, openReview, plainPage, uiProject } from "./support/review.mjs";
import { serve } from "./support/site.mjs";
import { webpacked } from "./support/webpack.mjs";

after(closeBrowser);

const run = promisify(execFile);
const QUIET = { configFile: false, logLevel: "error" };

for (const [name, vite] of Object.entries({ "Vite 8": vite8, "Vite 7": vite7 })) {
  test(`${name}, development server`, async (t) => {
    const root = await uiProject(t);
    const server = await vite.createServer({ ...QUIET, root, server: { host: "127.0.0.1", port: 0 } });
    afterTest(t, () => server.close());
    await server.listen();
    await expectReviewWorks(t, `http://127.0.0.1:${server.httpServer.address().port}`);
  });

  test(`${name}, build`, async (t) => {
    const root = await uiProject(t);
    await vite.build({ ...QUIET, root, base: "/below/", build: { outDir: "dist/below" } });
    await expectReviewWorks(t, await serve(t, join(root, "dist")), "/below/");
  });
}

test("webpack", async (t) => {
  await expectReviewWorks(t, await serve(t, await webpacked(await uiProject(t))));
});

// For bundlers that do not rewrite file URLs: copies the files next to the bundle.
async function expectWorksBeside(t, folder, out) {
  const from = join(folder, "node_modules/lead-workspace");
  for (const name of await readdir(from)) {
    if (/^(review.*\.(wasm|bin)|style\.css)$/.test(name)) await cp(join(from, name), join(out, name));
  }
  await copyFile(join(folder, "index.html"), join(out, "index.html"));
  await expectReviewWorks(t, await serve(t, out));
}

test("esbuild, the files copied next to the bundle", async (t) => {
  const absWorkingDir = await uiProject(t);
  const outdir = join(absWorkingDir, "dist");
  const options = { bundle: true, minify: true, format: "esm", logLevel: "silent" };
  await esbuild({ ...options, absWorkingDir, entryPoints: ["main.js"], outdir });
  await expectWorksBeside(t, absWorkingDir, outdir);
});

test("Rollup, the files copied next to the bundle", async (t) => {
  const folder = await uiProject(t);
  const dir = join(folder, "dist");
  const resolve = {
    name: "package",
    resolveId: (id) => (id === "lead-workspace/ui" ? join(folder, "node_modules/lead-workspace/ui.js") : null),
  };
  const bundle = await rollup({ input: join(folder, "main.js"), plugins: [resolve] });
  await bundle.write({ dir, format: "es" });
  await bundle.close();
  await expectWorksBeside(t, folder, dir);
});

test("Node: importing requests nothing, and mounting fails with a clear error", async (t) => {
  const folder = await uiProject(t);
  await addFixture(folder, "ui.mjs");
  const { stdout } = await run(process.execPath, ["ui.mjs"], { cwd: folder });
  assert.deepEqual(JSON.parse(stdout), {
    names: ["AccountPulseElement", "LeadReviewElement", "mountAccountPulse", "mountLeadReview"],
    element: "undefined",
    refusal: "mountLeadReview needs a browser: there is no document here.",
    asked: [],
  });
});

// What can keep the module from being loaded: how its file is answered, and the reason that is shown.
const FAILURES = {
  "is missing": [{ status: 404 }, /: http:\S+\/review\.wasm responded with status 404\. .* copy `review\*` and `style\.css`/],
  "is a web page": [
    { status: 200, contentType: "text/html", body: "<!doctype html>" },
    /the data from http:\S+\/review\.wasm is not a WebAssembly module .* lacks 'wasm-unsafe-eval'\./,
  ],
  "cannot be reached": [undefined, /could not be loaded from http:\S+\/review\.wasm\. Check that the file is served there/],
};

for (const [failure, [response, reason]] of Object.entries(FAILURES)) {
  test(`a module that ${failure}: the page says why, and what to do`, async (t) => {
    const { origin } = await plainPage(t);
    const page = await openPage(t, { expected: [/review\.wasm/, reason] });
    await page.route(/review\.wasm$/, (route) => (response ? route.fulfill(response) : route.abort()));
    await page.goto(origin);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.match(await alert.textContent(), reason);
  });
}

test("a policy without 'wasm-unsafe-eval': the page names it", async (t) => {
  const { origin, folder } = await plainPage(t);
  await replaceIn(join(folder, "index.html"), " 'wasm-unsafe-eval'", "");
  const page = await openPage(t, { expected: [/wasm-unsafe-eval/], violations: [/wasm-eval|wasm-unsafe-eval|WebAssembly/] });
  await page.goto(origin);
  const alert = page.getByRole("alert");
  await alert.waitFor();
  assert.match(await alert.textContent(), /Content-Security-Policy lacks 'wasm-unsafe-eval'/);
});

// The same for a file that is missing, and for one that the policy does not allow.
for (const [failure, policy, options] of [
  ["is missing", "style-src 'self'", { expected: [/style\.css/] }],
  ["is not allowed", "style-src 'none'", { expected: [/style\.css/], violations: [/style\.css/] }],
]) {
  test(`a style sheet that ${failure} is reported`, async (t) => {
    const { origin, folder } = await plainPage(t);
    await replaceIn(join(folder, "index.html"), "style-src 'self'", policy);
    const page = await openPage(t, options);
    const said = [];
    page.on("console", (message) => said.push(message.text()));
    await page.route(/style\.css$/, (route) => route.fulfill({ status: 404 }));
    await page.goto(origin);
    const text = /^The review has no styles: http:\S+\/style\.css could not be loaded\. .*`style-src`\.$/;
    await expectEventually("the report", () => said.some((line) => text.test(line)));
  });
}
