// Opens the app on a service of the test.

import { join } from "node:path";

import { writeLeads } from "../../e2e/support/csv.mjs";
import { LeadsPage } from "../../e2e/support/leads.mjs";
import { Service, temporaryFolder } from "../../e2e/support/service.mjs";
import { openPage } from "./page.mjs";

// Starts a service with demo leads, or with `imported` leads of a file, and opens a page of the app.
export async function open(t, { path = "/leads", demo = 60, imported, importFile, ...options } = {}) {
  if (imported) {
    importFile = join(await temporaryFolder(t), "leads.csv");
    await writeLeads(importFile, imported);
  }
  const service = await Service.start(t, importFile ? { importFile } : { demo });
  const page = await openPage(t, options);
  const { origin, hash } = new URL(service.url);
  await page.goto(`${origin}${path}${hash}`);
  return { service, page };
}

// The same with the rows of the list.
export async function openLeads(t, options) {
  const { service, page } = await open(t, options);
  const leads = new LeadsPage(page);
  await leads.settled();
  return { service, page, leads, ids: await leads.ids() };
}

// Starts with the cursor on the first row.
export async function startKeys(leads) {
  await leads.grid.focus();
  await leads.page.keyboard.press("j");
}

// Returns the number of leads with a status in the service.
export async function total(service, status) {
  const filters = status ? [{ field: "approval_status", operator: "eq", value: status }] : [];
  const { body } = await service.call("POST", "/api/leads/query", { filters, page_size: 1 });
  return body.total;
}

export const cursor = (leads) => leads.grid.locator('[role="row"][data-cursor="true"]');

export async function statusOf(service, id) {
  const { body } = await service.call("GET", `/api/leads/${encodeURIComponent(id)}`);
  return body.approval_status;
}
