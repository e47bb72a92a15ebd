// A list of a million leads: any position is reachable by key or by scrollbar, and few rows are in the document.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const TOTAL = 1_000_000;

const lead = (n) => ({
  lead_id: `lead-${n}`,
  name: `Lead ${n}`,
  title: `Title ${n}`,
  company: `Company ${n % 977}`,
  icp_score: 100 - (n % 101),
  icp_tier: "B",
  approval_status: "pending_approval",
  created_at: "2025-01-01T00:00:00Z",
});

async function open(t) {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  const asked = [];
  // Only the list is mocked; everything else comes from the service.
  await page.route("**/api/leads/query", async (route) => {
    const { page: number = 1, page_size: size = 50 } = route.request().postDataJSON();
    asked.push(number);
    const first = (number - 1) * size;
    const rows = Math.max(0, Math.min(size, TOTAL - first));
    const data = Array.from({ length: rows }, (_, n) => lead(first + n));
    await route.fulfill({ json: { data, total: TOTAL, page: number, page_size: size } });
  });
  const leads = await LeadsPage.open(page, service.url);
  return { page, leads, asked };
}

const cursor = (leads) => leads.grid.locator('[role="row"][data-cursor="true"]');

async function cursorOn(leads, n) {
  await expectEventually(`the cursor on lead ${n}`, async () =>
    (await cursor(leads).getAttribute("data-lead-id", { timeout: 500 }).catch(() => "")) === `lead-${n}`,
  );
  assert.ok((await leads.grid.locator("[role=row]").count()) <= 61, "60 rows and the head");
}

test("keys and scrollbar reach both ends and the middle of the list", async (t) => {
  const { page, leads, asked } = await open(t);
  assert.equal(await leads.grid.getAttribute("aria-rowcount"), String(TOTAL + 1));
  // Records the smallest number of rows in any frame.
  await leads.grid.evaluate((grid) => {
    globalThis.fewest = Number.POSITIVE_INFINITY;
    const look = () => {
      const rows = grid.querySelectorAll(".rows > [role=row]").length;
      globalThis.fewest = Math.min(globalThis.fewest, rows);
      globalThis.looking = requestAnimationFrame(look);
    };
    look();
  });
  await leads.grid.focus();
  await page.keyboard.press("Control+End");
  await cursorOn(leads, TOTAL - 1);
  assert.equal(await cursor(leads).getAttribute("aria-rowindex"), String(TOTAL + 1));
  await page.getByText("of 1,000,000").waitFor();
  await page.keyboard.press("k");
  await cursorOn(leads, TOTAL - 2);
  await page.keyboard.press("PageUp");
  await expectEventually("a page up", async () =>
    Number((await cursor(leads).getAttribute("aria-rowindex")) ?? TOTAL) < TOTAL - 15,
  );

  await page.keyboard.press("Control+Home");
  await cursorOn(leads, 0);
  assert.ok(asked.length < 20, `${asked.length} pages were requested`);

  // Dragging the scrollbar halfway shows the middle of the list.
  await leads.grid.evaluate((grid) => grid.scrollTo(0, (grid.scrollHeight - grid.clientHeight) / 2));
  const middle = await expectEventually("rows of the middle", async () => {
    const ids = await leads.ids();
    const n = Number(ids[0]?.slice(5));
    return Math.abs(n - TOTAL / 2) < 1_000 ? n : undefined;
  });
  assert.ok((await leads.grid.locator("[role=row]").count()) <= 61);
  // Then row by row from there.
  await leads.rows.nth(12).getByRole("gridcell").nth(1).click({ modifiers: ["Control"] });
  const from = Number((await cursor(leads).getAttribute("data-lead-id")).slice(5));
  assert.ok(from >= middle);
  for (let n = 0; n < 30; n += 1) await page.keyboard.press("j");
  await cursorOn(leads, from + 30);
  assert.ok((await page.evaluate(() => globalThis.fewest)) >= 20, "the grid was nearly empty");
  await page.evaluate(() => cancelAnimationFrame(globalThis.looking));
});
