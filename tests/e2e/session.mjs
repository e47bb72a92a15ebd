// Measures a session by keyboard: `cargo xtask bench session`. A reviewer decides on 200 pending leads, sorted by company,
// and reads the details of each before the next key. Whether a lead is approved depends on its company alone.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

const LEADS = 200;
const DEMO_LEADS = 2_000;

after(closeBrowser);

const isApproved = (company) => [...company].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 2 === 0;

async function readAll(service) {
  const leads = new Map();
  for (let page = 1, more = true; more; page += 1) {
    const { body } = await service.call("POST", "/api/leads/query", { page, page_size: 100 });
    for (const { lead_id: id, approval_status: status, current_account: account } of body.data) {
      leads.set(id, { id, status, company: account.account_id });
    }
    more = body.has_more;
  }
  return leads;
}

// Drives one session, and returns the number of keys and of decided leads, and the seconds until all are saved.
async function session(t, { opening, together }) {
  const service = await Service.start(t, { demo: DEMO_LEADS });
  const all = await readAll(service);
  const pending = new Map();
  for (const { status, company } of all.values()) {
    if (status === "pending_approval") pending.set(company, (pending.get(company) ?? 0) + 1);
  }
  const page = await openPage(t);
  const { origin, hash } = new URL(service.url);
  await page.goto(`${origin}/leads?sort=company${hash}`);
  const leads = new LeadsPage(page);
  await leads.settled();
  await leads.grid.focus();
  const start = performance.now();
  const open = () => new URL(page.url()).searchParams.get("lead");
  // Until the details of the lead in the address can be read.
  const shown = async (before) => {
    await page.waitForFunction(
      (before) => {
        const id = new URLSearchParams(location.search).get("lead");
        const pane = document.querySelector(".details-pane, .peek");
        return id && id !== before && pane?.ariaBusy === "false" && pane.querySelector("h2");
      },
      before,
      { polling: "raf" },
    );
    return open();
  };
  let keys = 0;
  const press = async (key) => {
    keys += 1;
    await page.keyboard.press(key);
  };
  for (const key of opening) await press(key);
  let id = await shown(null);
  let decided = 0;
  while (decided < LEADS) {
    const { company } = all.get(id);
    const key = isApproved(company) ? "a" : "r";
    const left = pending.get(company);
    const colleagues = together && left > 1;
    // The company's other leads are loaded a moment after the lead.
    if (colleagues) await page.locator(".together").getByRole("button").first().waitFor();
    await press(colleagues ? `Shift+${key.toUpperCase()}` : key);
    decided += colleagues ? left : 1;
    pending.set(company, colleagues ? 0 : left - 1);
    id = await shown(id);
  }
  const filters = [{ field: "approval_status", operator: "eq", value: "pending_approval" }];
  const left = [...all.values()].filter((lead) => lead.status === "pending_approval").length - decided;
  await expectEventually("all decisions in the service", async () => {
    const { body } = await service.call("POST", "/api/leads/query", { filters, page_size: 1 });
    return body.total === left;
  });
  const seconds = (performance.now() - start) / 1000;
  const changed = [...(await readAll(service)).values()].filter((lead) => lead.status !== all.get(lead.id).status);
  assert.equal(changed.length, decided, "each lead is decided once");
  for (const { id, status, company } of changed) {
    assert.equal(status, isApproved(company) ? "approved" : "rejected", id);
  }
  return { keys, decided, seconds };
}

const SESSIONS = {
  "list, with the details": { opening: ["j", "Enter"], together: false },
  "focus mode": { opening: ["o"], together: false },
  "focus mode, companies together": { opening: ["o"], together: true },
};
const wanted = process.env.LEAD_WORKSPACE_SESSIONS?.split(";") ?? Object.keys(SESSIONS);

for (const name of wanted) {
  test(name, async (t) => {
    const { keys, decided, seconds } = await session(t, SESSIONS[name]);
    const per = (of, digits) => ((of / decided) * LEADS).toFixed(digits);
    console.log(`| ${name} | ${decided} | ${per(keys, 0)} | ${per(seconds, 1)} |`);
  });
}
