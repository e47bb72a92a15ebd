// The package in webpack 5.

import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { expectPageWorks } from "./support/matrix.mjs";
import { project } from "./support/project.mjs";
import { serve } from "./support/site.mjs";
import { webpacked } from "./support/webpack.mjs";

after(closeBrowser);

test("webpack", async (t) => {
  await expectPageWorks(t, await serve(t, await webpacked(await project(t))));
});
