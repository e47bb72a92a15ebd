// The checks that every project of the matrix runs.

import assert from "node:assert/strict";

import { openPage } from "../../e2e/support/browser.mjs";
import { Service } from "../../e2e/support/service.mjs";

const LEADS = 40;

// The browser logs the response to the invalid key as an error.
export const REFUSED = /\b401\b/;

// Starts the service with a few leads, for pages of one other origin.
export function serviceFor(t, origin, demo = LEADS) {
  const args = origin ? ["--allow-origin", origin] : [];
  return Service.start(t, { demo, args });
}

// Opens a page of the project, and checks the results of the page and of its Worker.
export async function expectPageWorks(t, origin, path = "/") {
  const service = await serviceFor(t, origin);
  const page = await openPage(t, { expected: [REFUSED] });
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const options = new URLSearchParams({ baseUrl: service.origin, apiKey: service.key });
  await page.goto(`${origin}${path}#${options}`);
  const output = page.locator("output:not(:empty)");
  await output.waitFor({ state: "attached" });
  const results = JSON.parse(await output.textContent());
  await expectLeads(service, results.page);
  await expectLeads(service, results.worker);
  return requests;
}

// Checks the result of `check`: the leads of the service, the lead it approved, and the refused request.
export async function expectLeads(service, result) {
  const { body } = await service.call("POST", "/api/leads/query", { page_size: 3 });
  await expectApproved(service, result.approved);
  assert.deepEqual(result, {
    leads: body.data.map((lead) => lead.name),
    total: LEADS,
    approved: result.approved,
    refused: { typed: true, status: 401, operation: "queryLeads" },
  });
}

export async function expectApproved(service, id) {
  const { body } = await service.call("GET", `/api/leads/${id}`);
  assert.equal(body.approval_status, "approved");
}
