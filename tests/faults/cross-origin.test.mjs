// Every fault on every operation, from a page of another origin, where CORS hides most headers.

import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { FAULTS } from "./support/faults.mjs";
import { playFault } from "./support/matrix.mjs";
import { openClient, playIn } from "./support/page.mjs";

after(closeBrowser);

test("every fault", async (t) => {
  const page = await openClient(t);
  for (const name of Object.keys(FAULTS)) {
    await t.test(name, (t) => playFault(t, name, { run: (orders) => playIn(page, orders) }));
  }
});
