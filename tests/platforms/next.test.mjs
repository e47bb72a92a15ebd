// The package in Next.js with the App Router: a server component reads, a client component writes, and another one shows
// the review.

import { after, test } from "node:test";

import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { mounted } from "../package/support/review.mjs";
import { expectRenderedPageWorks, fixture, hoisted, runIn, startIn, tool } from "./support/frameworks.mjs";

after(closeBrowser);

const NEXT = tool("next/dist/bin/next");
const QUIET = { NEXT_TELEMETRY_DISABLED: "1" };

for (const [bundler, option] of [["Turbopack", "--turbopack"], ["webpack", "--webpack"]]) {
  test(`Next.js with ${bundler}`, async (t) => {
    const folder = await hoisted(t, fixture("next"));
    await runIn(folder, process.execPath, [NEXT, "build", option], QUIET);
    const origin = await expectRenderedPageWorks(t, (port, origin, env) => {
      const args = [NEXT, "start", "--hostname", "127.0.0.1", "--port", String(port)];
      return startIn(t, folder, process.execPath, args, origin, { ...env, ...QUIET });
    });
    const page = await openPage(t);
    await page.goto(`${origin}/review`);
    await mounted(page);
  });
}
