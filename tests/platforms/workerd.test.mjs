// The package in Cloudflare Workers: bundled as by Wrangler, in the runtime of the platform.

import { build } from "esbuild";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { expectLeads, serviceFor } from "../package/support/matrix.mjs";
import { project, replaceIn } from "../package/support/project.mjs";
import { fixture, freePort, startIn, tool } from "./support/frameworks.mjs";

// Before and after the platform had FinalizationRegistry.
for (const date of ["2024-01-01", "2026-11-01"]) {
  test(`Cloudflare Workers, compatibility date ${date}`, async (t) => {
    const folder = await project(t);
    await copyFile(fixture("workerd.js"), join(folder, "workerd.js"));
    const outdir = join(folder, "dist");
    await build({
      absWorkingDir: folder,
      entryPoints: ["workerd.js"],
      bundle: true,
      format: "esm",
      conditions: ["workerd", "worker", "browser"],
      loader: { ".wasm": "copy" },
      assetNames: "[name]",
      outdir,
    });
    const config = join(outdir, "workerd.capnp");
    await copyFile(fixture("workerd.capnp"), config);
    const port = await freePort();
    await replaceIn(config, "@port@", String(port));
    await replaceIn(config, "@date@", date);
    const origin = `http://127.0.0.1:${port}`;
    const args = [tool("workerd/bin/workerd"), "serve", config];
    await startIn(t, folder, process.execPath, args, origin);

    const service = await serviceFor(t);
    const body = JSON.stringify({ baseUrl: service.origin, apiKey: service.key });
    const answers = [1, 2].map(async () => (await fetch(origin, { method: "POST", body })).json());
    for (const answer of await Promise.all(answers)) await expectLeads(service, answer);
  });
}
