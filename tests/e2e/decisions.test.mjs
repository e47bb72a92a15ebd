// Decisions persist: after a kill of the service, a refusal, an outage.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { writeLeads } from "./support/csv.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service, temporaryFolder } from "./support/service.mjs";

after(closeBrowser);

const isDecision = (message) =>
  message.method() === "PATCH" && new URL(message.url()).pathname.startsWith("/api/leads");

test("a decision on an imported lead survives a kill of the service", async (t) => {
  const file = join(await temporaryFolder(t), "leads.csv");
  await writeLeads(file, 500);
  const service = await Service.start(t, { importFile: file });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  const found = await service.call("POST", "/api/leads/query", { page_size: 1 });
  assert.equal(found.body.total, 500);

  const [id] = await leads.ids();
  const row = leads.row(id);
  const name = await leads.name(row);
  assert.match(name, /-\d{3}$/, "the lead is from the file");
  const answered = page.waitForResponse((response) => isDecision(response.request()));
  await leads.decide(row, "Approve");
  assert.equal((await answered).status(), 200);
  await leads.waitForStatus(id, "approved");
  await page.context().close();

  await service.kill();
  await service.restart();

  // A new browser context: all it shows comes from the service.
  const again = await LeadsPage.open(await openPage(t), service.url);
  await again.tab("Approved").click();
  await again.waitForStatus(id, "approved");
  const lead = await service.call("GET", `/api/leads/${encodeURIComponent(id)}`);
  assert.equal(lead.status, 200);
  const approved = await service.call("POST", "/api/leads/query", {
    filters: [{ field: "approval_status", operator: "eq", value: "approved" }],
  });
  assert.deepEqual(approved.body.data.map((one) => one.lead_id), [id]);
});

test("the Reject button works", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  const row = leads.rows.first();
  const id = await row.getAttribute("data-lead-id");
  await leads.decide(row, "Reject");
  await leads.waitForStatus(id, "rejected");
});

test("a refused decision is rolled back and shows an error", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t, { expected: [/422/] });
  const leads = await LeadsPage.open(page, service.url);
  await page.route("**/api/leads**", async (route) => {
    if (!isDecision(route.request())) return route.fallback();
    await route.fulfill({
      status: 422,
      contentType: "application/json",
      body: JSON.stringify({
        detail: [{ loc: ["body", "approval_status"], msg: "not now", type: "value_error" }],
      }),
    });
  });

  const row = leads.grid.locator('[role="row"][data-status="pending_approval"]').first();
  const id = await row.getAttribute("data-lead-id");
  const answered = page.waitForResponse((response) => isDecision(response.request()));
  await leads.decide(row, "Approve");
  await answered;
  await leads.waitForStatus(id, "pending_approval");
  await page.getByRole("alert").filter({ hasText: /\S/ }).first().waitFor();
  const kept = await service.call("POST", "/api/leads/query", {
    filters: [{ field: "approval_status", operator: "eq", value: "pending_approval" }],
    page_size: 100,
  });
  assert.ok(kept.body.data.some((lead) => lead.lead_id === id), "the service kept the old status");
});

test("a decided row says how long ago it was decided here", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t);
  await page.clock.install();
  const leads = await LeadsPage.open(page, service.url);
  const [first, second, third] = await leads.ids();
  const cell = (id) => leads.row(id).locator("[data-column=status]");
  await leads.decide(leads.row(first), "Approve");
  await leads.waitForStatus(first, "approved");
  // The row with the cursor and the one under the pointer have buttons.
  await page.keyboard.press("j");
  await leads.row(third).hover();
  await cell(first).getByText("Approved, now", { exact: true }).waitFor();
  await page.clock.fastForward(130_000);
  await leads.decide(leads.row(second), "Reject");
  await leads.waitForStatus(second, "rejected");
  await cell(first).getByText("Approved, 2 min ago", { exact: true }).waitFor();
  // Undone, it is pending as before.
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  await leads.waitForStatus(first, "pending_approval");
  await leads.row(third).hover();
  assert.doesNotMatch(await cell(first).innerText(), /ago|now/);
});
