// The package in Vite without configuration. The two versions treat packages differently in development mode.

import { join } from "node:path";
import { after, test } from "node:test";
import * as vite8 from "vite";
import * as vite7 from "vite-7";

import { afterTest } from "../e2e/support/cleanup.mjs";
import { closeBrowser } from "../e2e/support/browser.mjs";
import { expectPageWorks } from "./support/matrix.mjs";
import { project } from "./support/project.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

const QUIET = { configFile: false, logLevel: "error" };

for (const [name, vite] of Object.entries({ "Vite 8": vite8, "Vite 7": vite7 })) {
  test(`${name}, development server`, async (t) => {
    const root = await project(t);
    const server = await vite.createServer({ ...QUIET, root, server: { host: "127.0.0.1", port: 0 } });
    afterTest(t, () => server.close());
    await server.listen();
    await expectPageWorks(t, `http://127.0.0.1:${server.httpServer.address().port}`);
  });

  test(`${name}, build`, async (t) => {
    const root = await project(t);
    // The page uses top-level await.
    await vite.build({ ...QUIET, root, build: { target: "es2022" } });
    await expectPageWorks(t, await serve(t, join(root, "dist")));
  });
}
