// The package in Bun and Deno: the same script as in Node.

import { test } from "node:test";

import { expectLeads, serviceFor } from "../package/support/matrix.mjs";
import { addFixture, project } from "../package/support/project.mjs";
import { runIn, tool } from "./support/frameworks.mjs";

// Bun's own package would link it with an install script.
const bun = `@oven/bun-${process.platform}-${process.arch === "arm64" ? "aarch64" : process.arch}/bin/bun`;

const RUNTIMES = {
  Bun: [tool(bun)],
  Deno: [process.execPath, tool("deno/bin.cjs"), "run", "--no-prompt", "--allow-net=127.0.0.1"],
};

for (const [name, [program, ...options]] of Object.entries(RUNTIMES)) {
  for (const imports of ["lead-workspace", "lead-workspace/inline"]) {
    test(`${name}, ${imports}`, async (t) => {
      const folder = await project(t, { imports });
      await addFixture(folder, "node.mjs");
      const service = await serviceFor(t);
      const args = [...options, "node.mjs", service.origin, service.key];
      await expectLeads(service, JSON.parse(await runIn(folder, program, args)));
    });
  }
}
