// The examples without a framework in a browser, as users see them.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "vite";

import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { REFUSED, serviceFor } from "./support/matrix.mjs";
import { project } from "./support/project.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

const EXAMPLES = join(import.meta.dirname, "..", "..", "www", "examples");
const PENDING = [{ field: "approval_status", operator: "eq", value: "pending_approval" }];

// Builds an example and opens it with the service.
async function open(t, name, { key, expected } = {}) {
  const root = await project(t, { from: join(EXAMPLES, name) });
  await build({ root, configFile: false, logLevel: "error", build: { target: "es2022" } });
  const origin = await serve(t, join(root, "dist"));
  const service = await serviceFor(t, origin);
  const page = await openPage(t, { expected });
  const options = new URLSearchParams({ baseUrl: service.origin, apiKey: key ?? service.key });
  await page.goto(`${origin}/#${options}`);
  return { page, service };
}

// Approves the first lead of the page, and waits until the service has the new status.
async function approveFirst(page, service) {
  const button = page.getByRole("button", { name: /^Approve / }).first();
  const name = (await button.getAttribute("aria-label")).replace("Approve ", "");
  await button.click();
  const filters = [{ field: "approval_status", operator: "eq", value: "approved" }];
  await expectEventually(`${name} to be approved`, async () => {
    const { body } = await service.call("POST", "/api/leads/query", { filters, page_size: 100 });
    return body.data.some((lead) => lead.name === name);
  });
  return name;
}

test("plain: pending leads, and a decision", async (t) => {
  const { page, service } = await open(t, "plain");
  const { body } = await service.call("POST", "/api/leads/query", { filters: PENDING });
  await page.getByText(`The best 10 of ${body.total}`).waitFor();
  const name = await approveFirst(page, service);
  await page.getByRole("listitem").filter({ hasText: name }).getByText("approved").waitFor();
});

test("plain: an unknown key", async (t) => {
  const { page } = await open(t, "plain", { key: "lwk_unknown_key", expected: [REFUSED] });
  await page.getByRole("alert").getByText("The workspace rejected this key.").waitFor();
});

test("Worker: every lead is counted", async (t) => {
  const { page } = await open(t, "worker");
  await page.getByText("40 leads", { exact: true }).waitFor();
  const counts = await page.getByRole("listitem").allInnerTexts();
  const sum = counts.reduce((total, text) => total + Number(text.split(": ")[1]), 0);
  assert.equal(sum, 40);
});

test("review: the whole screen, and the page is notified of a decision", async (t) => {
  const { page, service } = await open(t, "review");
  // A row has its buttons only while the pointer is on it.
  await page.getByRole("grid", { name: "Leads", exact: true }).locator("[data-lead-id]").first().hover();
  await approveFirst(page, service);
  await page.getByText("1 decided, the last one approved").waitFor();
});

test("pulse: an account, another one, and the page is notified of a lead", async (t) => {
  const { page, service } = await open(t, "pulse");
  const { body } = await service.call("POST", "/api/accounts/query", { sort_by: "lead_count", page_size: 10 });
  const panel = page.getByRole("region", { name: "Pulse" });
  const pulses = [];
  for (const { id } of body.data) {
    pulses.push({ id, pulse: (await service.call("GET", `/api/accounts/${id}/pulse`)).body });
  }
  const shows = async ({ pulse }) => {
    const name = new RegExp(`^Funnel: Leads ${pulse.total_leads}, In conversation ${pulse.leads_with_conversations}`);
    await panel.getByRole("img", { name }).waitFor();
  };
  await shows(pulses[0]);
  const promising = pulses.find(({ pulse }) => pulse.best_signal?.lead_id) ?? assert.fail("no signal in the demo");
  await page.getByRole("combobox", { name: "Account" }).selectOption(promising.id);
  await shows(promising);
  const { lead_id, lead_name } = promising.pulse.best_signal;
  await panel.getByRole("link", { name: lead_name }).first().click();
  await page.getByText(`Lead to open: leads?lead=${lead_id}`).waitFor();
});
