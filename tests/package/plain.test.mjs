// The package without a bundler: a module script, and files on a server.

import assert from "node:assert/strict";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { expectPageWorks } from "./support/matrix.mjs";
import { addFixture, project } from "./support/project.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

const ENTRY = "./node_modules/lead-workspace/index.js";
const INLINE = "./node_modules/lead-workspace/inline.js";

test("a plain page and its Worker, on a server without the Wasm content type", async (t) => {
  const folder = await project(t, { imports: ENTRY });
  await expectPageWorks(t, await serve(t, folder, { types: { ".wasm": "text/plain" } }));
});

test("the inline module requests no second file", async (t) => {
  const folder = await project(t, { imports: INLINE });
  const requests = await expectPageWorks(t, await serve(t, folder));
  assert.deepEqual(requests.filter((url) => url.endsWith(".wasm")), []);
});

test("a Worker from a blob", async (t) => {
  const folder = await project(t, { imports: ENTRY });
  await addFixture(folder, "blob.js");
  await rename(join(folder, "blob.js"), join(folder, "main.js"));
  await expectPageWorks(t, await serve(t, folder));
});
