// Runs `wasm-pack build --target web` at the root of the project and loads its module in a page, as wasm-pack users
// do. All tools are already installed: nothing is downloaded.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { temporaryFolder } from "../e2e/support/service.mjs";
import { REFUSED, expectLeads, serviceFor } from "./support/matrix.mjs";
import { addFixture, required } from "./support/project.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");

test("wasm-pack build --target web", async (t) => {
  const folder = await temporaryFolder(t);
  const pkg = join(folder, "pkg");
  const args = ["build", "--dev", "--target", "web", "--mode", "no-install", "--out-dir", pkg];
  const env = { ...process.env, CARGO_TARGET_DIR: required("WASM_PACK_TARGET_DIR") };
  await run("wasm-pack", args, { cwd: root, env, maxBuffer: 64 << 20 });
  const manifest = JSON.parse(await readFile(join(pkg, "package.json"), "utf8"));
  assert.equal(manifest.name, "lead-workspace");

  await addFixture(folder, "wasm-pack.html");
  const origin = await serve(t, folder);
  const service = await serviceFor(t, origin);
  const page = await openPage(t, { expected: [REFUSED] });
  const options = new URLSearchParams({ baseUrl: service.origin, apiKey: service.key });
  await page.goto(`${origin}/wasm-pack.html#${options}`);
  const output = page.locator("output:not(:empty)");
  await output.waitFor({ state: "attached" });
  await expectLeads(service, JSON.parse(await output.textContent()));
});
