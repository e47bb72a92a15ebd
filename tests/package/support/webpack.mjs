// Builds a project with webpack's default configuration, except for the paths.

import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import webpack from "webpack";

// Builds the project, which must give no errors or warnings. Returns the folder to serve.
export async function webpacked(context) {
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
  return out;
}
