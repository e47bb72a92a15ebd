// A decision persists after a kill of the service.

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
