// Account details: their content, decisions on their leads as on the leads page, and links between leads and
// accounts.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { AccountsPage, stage } from "./support/accounts.mjs";
import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { DetailsPane, answerLead } from "./support/details-pane.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const MOST = "?sort=lead_count";

const detail = async (service, id) =>
  (await service.call("GET", `/api/accounts/${encodeURIComponent(id)}`)).body;

// Opens the accounts with the most leads first, and the details of one with at least three pending leads.
async function open(t, options) {
  const set = await stage(t, { query: MOST, ...options });
  const { service, accounts, ids } = set;
  for (const id of ids) {
    const account = await detail(service, id);
    const pending = account.leads.filter((lead) => lead.approval_status === "pending_approval");
    if (pending.length < 3) continue;
    await accounts.row(id).getByText(account.name, { exact: true }).click();
    const { details } = accounts;
    await details.getByRole("heading", { level: 2, name: account.name, exact: true }).waitFor();
    return { ...set, account, pending, details, lead: (lead) => details.locator(`[data-lead-id="${lead}"]`) };
  }
  throw new Error("no account has three pending leads");
}

const status = async (service, id) =>
  (await service.call("GET", `/api/leads/${encodeURIComponent(id)}`)).body.approval_status;

test("a click opens the details with all data from the API; Back and Escape close them", async (t) => {
  const { page, accounts, account, details } = await open(t);
  assert.equal(accounts.param("account"), account.id);
  await details.locator("summary").getByText(/^More: /).click();
  const said = await details.innerText();
  for (const part of [account.industry, account.location, account.tagline, account.lists[0]?.list_name]) {
    if (part) assert.ok(said.includes(part), `${part} is shown`);
  }
  const grade = `Tier ${account.icp_tier}, ${Math.round(account.icp_score)} of 100`;
  await details.getByRole("img", { name: grade, exact: true }).first().waitFor();
  await details.getByRole("heading", { level: 3, name: "Fit", exact: true }).waitFor();
  assert.equal(await details.locator("[data-lead-id]").count(), account.leads.length);
  await page.goBack();
  await details.waitFor({ state: "detached" });
  assert.equal(accounts.param("account"), null);
  await page.keyboard.press("Enter");
  await details.waitFor();
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  await expectEventually("the focus on the list", () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "Accounts"));
});

test("the details follow the cursor, and a deep link opens them", async (t) => {
  const { service, page, accounts, ids, details } = await open(t);
  const at = ids.indexOf(accounts.param("account"));
  await page.keyboard.press("j");
  await expectEventually("the next account", () => accounts.param("account") === ids[at + 1]);
  await details.getByRole("button", { name: "Previous account" }).click();
  await expectEventually("the previous account", () => accounts.param("account") === ids[at]);
  const { name } = await detail(service, ids.at(-1));
  await page.goto(`${service.origin}/accounts?account=${ids.at(-1)}#key=${service.key}`);
  await details.getByRole("heading", { level: 2, name, exact: true }).waitFor();
});

test("leads are decided by buttons and keys, saved, undone and counted as on the leads page", async (t) => {
  const { service, page, account, pending, details, lead } = await open(t);
  const [first] = pending;
  await details.getByRole("button", { name: `Approve ${first.name}`, exact: true }).first().click();
  await expectEventually("saved", async () => (await lead(first.lead_id).getAttribute("data-phase")) === "confirmed");
  assert.equal(await status(service, first.lead_id), "approved");
  await allSaved(page);
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expectEventually("undone", async () => (await status(service, first.lead_id)) === "pending_approval");

  // The first key press moves the focus to the leads and shows the cursor, the second one decides and moves on.
  const leads = details.getByRole("grid", { name: `Leads of ${account.name}`, exact: true });
  await page.getByRole("grid", { name: "Accounts", exact: true }).focus();
  await page.keyboard.press("r");
  await expectEventually("the leads have the focus", () => leads.evaluate((grid) => grid === document.activeElement));
  const cursor = () => leads.locator('[data-cursor="true"]').getAttribute("data-lead-id");
  while ((await cursor()) !== first.lead_id) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("r");
  await expectEventually("rejected", async () => (await status(service, first.lead_id)) === "rejected");
  assert.notEqual(await cursor(), first.lead_id, "the cursor moves on");
  await page.keyboard.press("k");
  assert.equal(await cursor(), first.lead_id, "j and k move between the leads");
  await page.keyboard.press("u");
  await expectEventually("undone by key", async () => (await status(service, first.lead_id)) === "pending_approval");
});

test("a failed decision shows an error, and can be retried or reverted", async (t) => {
  const { service, page, pending, details, lead } = await open(t, { expected: [/422/] });
  const refusal = { detail: [{ loc: ["body", "approval_status"], msg: "not today", type: "value_error" }] };
  await page.route("**/api/leads", (route) => route.fulfill({ status: 422, json: refusal }));
  await page.route("**/api/leads/*", (route) =>
    route.request().method() === "PATCH" ? route.fulfill({ status: 422, json: refusal }) : route.fallback());
  const [{ lead_id: id, name }] = pending;
  await details.getByRole("button", { name: `Approve ${name}`, exact: true }).first().click();
  const alert = lead(id).getByRole("alert");
  await alert.waitFor();
  assert.equal(await lead(id).getAttribute("data-phase"), "failed");
  await lead(id).getByRole("button", { name: "Revert" }).click();
  await expectEventually("reverted", async () => (await lead(id).getAttribute("data-status")) === "pending_approval");
  await details.getByRole("button", { name: `Approve ${name}`, exact: true }).first().click();
  await alert.waitFor();
  await page.unrouteAll();
  await lead(id).getByRole("button", { name: "Retry" }).click();
  await expectEventually("kept", async () => (await status(service, id)) === "approved");
});

test("offline, the leads of an account say that decisions wait", async (t) => {
  const { page, pending, details, lead } = await open(t, { expected: [/ERR_INTERNET_DISCONNECTED/] });
  const [{ lead_id: id, name }] = pending;
  await page.context().setOffline(true);
  await details.getByRole("button", { name: `Approve ${name}`, exact: true }).first().click();
  await lead(id).locator('[data-mark="waiting"]').getByText("Approved, waiting").waitFor();
  await page.context().setOffline(false);
  await lead(id).locator('[data-mark="approved"]').getByText("Approved", { exact: true }).waitFor();
});

test("links lead from the account to its leads and back, and from a lead to its account", async (t) => {
  const { service, page, account, pending, details } = await open(t);
  const [{ lead_id: id, name }] = pending;
  const link = details.locator(`[data-lead-id="${id}"]`).getByRole("link", { name, exact: true });
  assert.match(await link.getAttribute("href"), new RegExp(`^/leads\\?lead=${id}$`));
  await link.click();
  const pane = new DetailsPane(page);
  await pane.shows(name);
  assert.equal(pane.openId(), id);
  await pane.panel.getByRole("link", { name: account.name, exact: true }).click();
  await page.waitForURL(new RegExp(`/accounts\\?account=${account.id}`));
  await details.getByRole("heading", { level: 2, name: account.name, exact: true }).waitFor();
  await page.goBack();
  await pane.shows(name);
  await page.goBack();
  await details.getByRole("heading", { level: 2, name: account.name, exact: true }).waitFor();
  // A decision made here also shows on the leads page.
  await details.getByRole("link", { name: /^Open \d+ leads in the list$/ }).click();
  const leads = new LeadsPage(page);
  await leads.settled();
  assert.equal((await leads.ids()).length, account.lead_count);
  assert.equal(new URL(page.url()).searchParams.get("where"), `account_id eq ${account.id}`);
  assert.ok(service.origin);
});

test("a deleted account and a failed request show a message", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/404/, /503/] });
  const { details } = new AccountsPage(page);
  const { body } = await service.call("POST", "/api/accounts/query", { page_size: 1 });
  const [account] = body.data;
  await page.goto(`${service.origin}/accounts?account=nobody#key=${service.key}`);
  await details.getByRole("heading", { name: "This account is gone" }).waitFor();
  await details.getByRole("button", { name: "Back to the list" }).click();
  await details.waitFor({ state: "detached" });
  let fails = true;
  await page.route(`**/api/accounts/${account.id}*`, (route) =>
    fails ? route.fulfill({ status: 503, body: "" }) : route.fallback());
  await page.goto(`${service.origin}/accounts?account=${account.id}#key=${service.key}`);
  const again = details.getByRole("button", { name: "Retry" });
  await again.waitFor();
  fails = false;
  await again.click();
  await details.getByRole("heading", { level: 2, name: account.name, exact: true }).waitFor();
});

test("signals and campaigns link to the leads that share them", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  await answerLead(page, "ada");
  const at = `${service.origin}/leads?lead=ada#key=${service.key}`;
  const ways = [
    ["Leads with this signal", "signal_id", "signal-4", "2 earlier signals", "Details"],
    ["Leads from this run", "signal_run_id", "run-4", "2 earlier signals", "Details"],
    ["Leads in this campaign", "campaign_id", "campaign-3"],
  ];
  await page.goto(at);
  const pane = new DetailsPane(page);
  for (const [label, name, id, ...collapsed] of ways) {
    await pane.heading.waitFor();
    for (const part of collapsed) await pane.expand(part);
    await pane.button(label).first().click();
    await pane.closed();
    const params = new URL(page.url()).searchParams;
    assert.equal(params.get(name), id);
    assert.equal(params.get("tab"), "all");
    await page.goBack();
  }
  // The event data can be opened, in addition to its summary.
  await pane.heading.waitFor();
  await pane.expand("2 earlier signals");
  await pane.expand("Details");
  await pane.panel.getByText("Open roles", { exact: true }).waitFor();
});

test("the details show the account's pulse", async (t) => {
  const { service, accounts, account, details } = await open(t);
  const pulse = (await service.call("GET", `/api/accounts/${encodeURIComponent(account.id)}/pulse`)).body;
  const panel = details.getByRole("region", { name: "Pulse", exact: true });
  const funnel = panel.getByRole("img", { name: new RegExp(`^Funnel: Leads ${pulse.total_leads},`) });
  await funnel.waitFor();
  // The details of another account request that account's pulse.
  const others = (await accounts.ids()).filter((id) => id !== account.id);
  const asked = accounts.page.waitForRequest((request) => request.url().includes(`${encodeURIComponent(others[0])}/pulse`));
  await accounts.row(others[0]).click();
  await asked;
  const other = (await service.call("GET", `/api/accounts/${encodeURIComponent(others[0])}/pulse`)).body;
  await panel.getByRole("img", { name: new RegExp(`^Funnel: Leads ${other.total_leads},`) }).waitFor();
});
