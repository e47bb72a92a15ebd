// The package in Parcel without configuration.

import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { expectPageWorks } from "../package/support/matrix.mjs";
import { APP } from "../package/support/project.mjs";
import { serve } from "../package/support/site.mjs";
import { hoisted, runIn, tool } from "./support/frameworks.mjs";

after(closeBrowser);

test("Parcel", async (t) => {
  const folder = await hoisted(t, APP);
  const args = [tool("parcel/lib/bin.js"), "build", "index.html", "--no-cache"];
  await runIn(folder, process.execPath, args, { PARCEL_WORKERS: "0" });
  await expectPageWorks(t, await serve(t, join(folder, "dist")));
});
