// Decisions and a service that ends: what was saved stays, and what was not is saved once it is back.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { imported, isDecision, total } from "./support/review.mjs";
import { Service } from "./support/service.mjs";
import { allSaved } from "./support/wait.mjs";

after(closeBrowser);

test("a decision on an imported lead survives a kill of the service", async (t) => {
  const { service, page, leads } = await imported(t, 500);
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

test("after a server restart, three decisions made meanwhile are saved automatically", async (t) => {
  const service = await Service.start(t, { demo: 80 });
  const page = await openPage(t, { expected: [/ERR_CONNECTION/, /ERR_EMPTY_RESPONSE/, /ERR_FAILED/, /50[234]/] });
  const leads = await LeadsPage.open(page, service.url);
  const footer = page.locator("footer");
  const before = await total(service, "approved");
  // The code for decisions is loaded after the first rows.
  await allSaved(page);
  await service.kill();
  await leads.grid.focus();
  for (const key of "jaaa") await page.keyboard.press(key);
  await footer.getByText("3 decisions not saved yet").waitFor();
  await footer.getByText(/retrying in \d+ s/).waitFor();
  await leads.rows.first().getByText("Approved, waiting").waitFor();
  // A failed read of the list changes nothing.
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("Showing previous results.").first().waitFor();
  assert.equal(await leads.rows.first().getAttribute("data-phase"), "retrying");
  assert.equal(await leads.rows.first().getAttribute("data-status"), "approved");

  await service.restart();
  await allSaved(page);
  await footer.getByRole("button", { name: "Retry now" }).waitFor({ state: "detached" });
  assert.equal(await leads.rows.first().getByText("waiting").count(), 0);
  assert.equal(await total(service, "approved"), before + 3);
});
