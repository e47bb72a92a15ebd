// The package in Node, which reads the Wasm file from disk.

import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

import { expectLeads, serviceFor } from "./support/matrix.mjs";
import { addFixture, project } from "./support/project.mjs";

const run = promisify(execFile);

for (const imports of ["lead-workspace", "lead-workspace/inline"]) {
  test(`Node, ${imports}`, async (t) => {
    const folder = await project(t, { imports });
    await addFixture(folder, "node.mjs");
    const service = await serviceFor(t);
    const { stdout } = await run(process.execPath, ["node.mjs", service.origin, service.key], {
      cwd: folder,
    });
    await expectLeads(service, JSON.parse(stdout));
  });
}
