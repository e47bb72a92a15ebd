// What others change, as it happens.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { decideAsOther, isLive } from "../e2e/support/live.mjs";
import { allSaved } from "../e2e/support/wait.mjs";
import { closeBrowser } from "./support/page.mjs";
import { openLeads, startKeys } from "./support/stage.mjs";

after(closeBrowser);

test("a lead that someone else decides says so in place, and own decisions do not", async (t) => {
  const { service, page, leads, ids } = await openLeads(t, { demo: 300 });
  await isLive(page);
  await decideAsOther(service, ids[2], "rejected");
  await leads.grid.locator(`[data-lead-id="${ids[2]}"][data-by-others="true"]`).waitFor();
  await leads.waitForStatus(ids[2], "rejected");
  await startKeys(leads);
  await page.keyboard.press("a");
  await allSaved(page);
  await leads.waitForStatus(ids[0], "approved");
  assert.equal(await leads.row(ids[0]).getAttribute("data-by-others"), "false");
});
