// The package in webpack 5 as it comes: no configuration but where things are.

import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import webpack from "webpack";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { expectPageWorks } from "./support/matrix.mjs";
import { project } from "./support/project.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

test("webpack", async (t) => {
  const context = await project(t);
  const out = join(context, "dist");
  const stats = await promisify(webpack)({
    context,
    entry: "./main.js",
    mode: "production",
    output: { path: out, filename: "main.js" },
    performance: false,
  });
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  assert.deepEqual([...errors, ...warnings], []);
  await copyFile(join(context, "index.html"), join(out, "index.html"));
  await expectPageWorks(t, await serve(t, out));
});
