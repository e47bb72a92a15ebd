// The grid over a list of any length.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const cursor = (leads) => leads.grid.locator('[role="row"][data-cursor="true"]');

test("the scrollbar spans the whole list, and the cursor survives a sort", async (t) => {
  const service = await Service.start(t, { demo: 3000 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  const height = await leads.grid.evaluate((grid) => grid.scrollHeight);
  assert.ok(height >= 3000 * 40, `${height}`);
  await expectEventually("at least 20 rows", async () => (await leads.rows.count()) >= 20);
  assert.ok((await leads.rows.count()) <= 60);

  await leads.grid.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  await expectEventually("the last row", async () =>
    (await leads.grid.locator('[role="row"][aria-rowindex="3001"][data-lead-id]').count()) === 1,
  );
  assert.ok((await leads.grid.locator('[role="row"]').count()) <= 62);
  await leads.grid.focus();
  await page.keyboard.press("Control+Home");
  const first = await expectEventually("the first row", () =>
    cursor(leads).getAttribute("data-lead-id", { timeout: 1000 }).catch(() => null),
  );
  // It is the first by score, so that it stands near the top by the same column turned round twice.
  await leads.header("ICP score").getByRole("button").click();
  await leads.settled();
  await leads.header("ICP score").getByRole("button").click();
  await leads.settled();
  await expectEventually("the cursor on the same lead", async () =>
    (await cursor(leads).getAttribute("data-lead-id", { timeout: 500 }).catch(() => null)) === first,
  );
});

test("pages that are scrolled past are given up", async (t) => {
  const service = await Service.start(t, { demo: 5000 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  const open = new Set();
  let given_up = 0;
  page.on("requestfailed", (request) => {
    if (open.delete(request)) given_up += 1;
  });
  await page.route("**/api/leads/query", async (route) => {
    open.add(route.request());
    await new Promise((go) => setTimeout(go, 400));
    await route.fallback().catch(() => {});
  });
  for (const part of [0.2, 0.5, 0.8]) {
    await leads.grid.evaluate((grid, at) => grid.scrollTo(0, grid.scrollHeight * at), part);
    await page.waitForTimeout(150);
  }
  await expectEventually("requests given up", () => given_up >= 2);
  await leads.settled();
});
