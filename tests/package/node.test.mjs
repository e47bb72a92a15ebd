// The package in Node, with `import` and with `require`.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { expectLeads, serviceFor } from "./support/matrix.mjs";
import { addFixture, project, replaceIn } from "./support/project.mjs";

const run = promisify(execFile);

test("Node, the inline module", async (t) => {
  const folder = await project(t, { imports: "lead-workspace/inline" });
  await addFixture(folder, "node.mjs");
  const service = await serviceFor(t);
  const { stdout } = await run(process.execPath, ["node.mjs", service.origin, service.key], { cwd: folder });
  await expectLeads(service, JSON.parse(stdout));
});

test("Node, require", async (t) => {
  const folder = await project(t);
  await addFixture(folder, "require.cjs");
  const service = await serviceFor(t);
  const { stdout } = await run(process.execPath, ["require.cjs", service.origin, service.key], { cwd: folder });
  assert.deepEqual(JSON.parse(stdout), { typed: true, same: true, total: 40 });
});

// With the URL of the Wasm file, that is read instead of the text in the script.
test("Node, the Wasm file", async (t) => {
  const folder = await project(t);
  await addFixture(folder, "node.mjs");
  await replaceIn(
    join(folder, "check.js"),
    "create({ baseUrl, apiKey })",
    'create({ baseUrl, apiKey, wasm: new URL(import.meta.resolve("lead-workspace/client.wasm")) })',
  );
  const service = await serviceFor(t);
  const { stdout } = await run(process.execPath, ["node.mjs", service.origin, service.key], { cwd: folder });
  await expectLeads(service, JSON.parse(stdout));
});
