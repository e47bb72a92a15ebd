// The lazily loaded parts of the UI's module, in a page without a bundler: how many files the first screen loads and
// their size, that all mounts of a page share them, and the error message if one fails to load.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { brotliCompressSync } from "node:zlib";

import { closeBrowser, networkIdle } from "../e2e/support/browser.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { replaceIn, required } from "./support/project.mjs";
import { askForHelp, expectReviewWorks, mounted, openReview, plainPage, uiProject } from "./support/review.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

// The compressed size of each file, as most of them are part of both weights.
const sizes = new Map();

async function sizeOf(folder, path) {
  const size = sizes.get(path) ?? brotliCompressSync(await readFile(join(folder, path))).length;
  sizes.set(path, size);
  return size;
}

// Returns the number and the compressed size of the package files that a page requested.
async function weigh(folder, asked) {
  const weights = await Promise.all(
    [...new Set(asked)]
      .map((url) => new URL(url).pathname)
      .filter((path) => path.startsWith("/node_modules/"))
      .map((path) => sizeOf(folder, path)),
  );
  return { files: weights.length, bytes: weights.reduce((sum, weight) => sum + weight, 0) };
}

function expectWithin({ files, bytes }, what) {
  const budget = Number(required(`LEAD_WORKSPACE_${what}_BYTES`));
  assert.ok(bytes <= budget, `${bytes} bytes in ${files} files, limit ${budget} (xtask/budget.toml)`);
  assert.ok(files <= 40, `${files} files`);
}

test("a plain page on a server without the Wasm content type", async (t) => {
  const types = { ".wasm": "text/plain" };
  const { origin } = await plainPage(t, { types });
  await expectReviewWorks(t, origin);
});

test("the package on a server of another origin", async (t) => {
  const folder = await uiProject(t);
  const headers = { "access-control-allow-origin": "*" };
  const elsewhere = await serve(t, join(folder, "node_modules/lead-workspace"), { headers });
  await replaceIn(join(folder, "main.js"), "lead-workspace/ui", `${elsewhere}/ui.js`);
  for (const what of ["script-src", "style-src"]) {
    await replaceIn(join(folder, "index.html"), `${what} 'self'`, `${what} 'self' ${elsewhere}`);
  }
  await expectReviewWorks(t, await serve(t, folder));
});

test("a review loads what its first screen needs", async (t) => {
  const { folder, origin } = await plainPage(t);
  const { page, asked } = await openReview(t, origin);
  await mounted(page);
  const weight = await weigh(folder, asked);
  t.diagnostic(JSON.stringify(weight));
  expectWithin(weight, "REVIEW_MOUNT");
  assert.ok(!asked.some((url) => /split_(details|pages)/.test(url)));
});

test("a pulse does not load the list", async (t) => {
  const { folder, origin } = await plainPage(t);
  const { page, asked } = await openReview(t, origin, { accountId: "none", expected: [/\b404\b/] });
  await page.getByRole("alert").waitFor();
  await networkIdle(page);
  const weight = await weigh(folder, asked);
  t.diagnostic(JSON.stringify(weight));
  expectWithin(weight, "PULSE_MOUNT");
  assert.ok(!asked.some((url) => /split_(list|pages)/.test(url)));
});

test("two reviews on a page load everything once", async (t) => {
  const { origin } = await plainPage(t);
  const { page, code } = await openReview(t, origin, { second: "yes" });
  const both = page.getByRole("grid", { name: "Leads", exact: true });
  await expectEventually("two grids", async () => (await both.count()) === 2);
  await page.getByRole("complementary", { name: "Filters" }).nth(1).waitFor();
  await networkIdle(page);
  assert.equal(new Set(code()).size, code().length);

  // Parts loaded by one mount are available to the other, which keeps working after the first is unmounted.
  await page.locator("#first").getByRole("button", { name: /^Commands/ }).click();
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  const all = code().length;
  await page.evaluate(() => globalThis.mounted[0].unmount());
  assert.equal(await page.locator("#first").innerHTML(), "");
  await page.locator("#second").getByRole("button", { name: /^Commands/ }).click();
  await page.getByRole("dialog").waitFor();
  assert.equal(code().length, all);
});

test("a part that fails to load shows an error, and Retry loads it", async (t) => {
  const { origin } = await plainPage(t);
  const { page } = await openReview(t, origin, { expected: [/net::ERR_FAILED/, /Failed to fetch/] });
  await mounted(page);
  const parts = /review-.*\.wasm$/;
  await page.route(parts, (route) => route.abort());
  await askForHelp(page);
  const alert = page.getByRole("alert").filter({ hasText: "The help could not be loaded" });
  await alert.waitFor();
  await page.unroute(parts);
  await alert.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});

test("a review that is removed while a part loads leaves nothing behind", async (t) => {
  const { origin } = await plainPage(t);
  const { page } = await openReview(t, origin);
  await mounted(page);
  let pass;
  const held = new Promise((resolve) => (pass = resolve));
  await page.route(/review-split_pages.*\.wasm$/, async (route) => {
    await held;
    await route.continue();
  });
  const asked = page.waitForRequest(/review-split_pages/);
  await askForHelp(page);
  await asked;
  await page.evaluate(() => globalThis.mounted[0].unmount());
  const arrived = page.waitForResponse(/review-split_pages/);
  pass();
  await arrived;
  assert.equal(await page.locator("#first").innerHTML(), "");
  assert.equal(await page.getByRole("dialog").count(), 0);
});
