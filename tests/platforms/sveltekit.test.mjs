// The package in SvelteKit: a page that is rendered on the server and writes in the browser.

import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { expectRenderedPageWorks, fixture, hoisted, runIn, startIn, tool } from "./support/frameworks.mjs";

after(closeBrowser);

test("SvelteKit", async (t) => {
  const folder = await hoisted(t, fixture("sveltekit"));
  await runIn(folder, process.execPath, [tool("vite/bin/vite.js"), "build"]);
  await expectRenderedPageWorks(t, (port, origin, env) =>
    startIn(t, folder, process.execPath, ["build"], origin, {
      ...env,
      HOST: "127.0.0.1",
      PORT: String(port),
      ORIGIN: origin,
    }),
  );
});
