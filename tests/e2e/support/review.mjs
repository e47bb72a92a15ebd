// Leads to review, and what was decided.

import { join } from "node:path";

import { openPage } from "./browser.mjs";
import { writeLeads } from "./csv.mjs";
import { LeadsPage } from "./leads.mjs";
import { Service, temporaryFolder } from "./service.mjs";

export const isDecision = (request) =>
  request.method() === "PATCH" && new URL(request.url()).pathname.startsWith("/api/leads");

// Returns the number of leads with a status.
export async function total(service, status) {
  const filters = [{ field: "approval_status", operator: "eq", value: status }];
  const { body } = await service.call("POST", "/api/leads/query", { filters, page_size: 1 });
  return body.total;
}

// Starts a service with imported leads, and opens them.
export async function imported(t, count) {
  const file = join(await temporaryFolder(t), "leads.csv");
  await writeLeads(file, count);
  const service = await Service.start(t, { importFile: file });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}
