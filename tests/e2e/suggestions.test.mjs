// Suggestions that learn from the user's decisions: off at first, what they say, offers, and what is stored.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { violations } from "./support/axe.mjs";
import { closeBrowser, openPage } from "./support/browser.mjs";
import { DetailsPane } from "./support/details-pane.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { openSettings, signInPage } from "./support/menu.mjs";
import { Service } from "./support/service.mjs";
import {
  backToLeads,
  decideByRule,
  decideEarlier,
  halfOfTheIndustries,
  pendingLeads,
  slots,
  stored,
  storedDecisions,
  switchSuggestions,
} from "./support/suggestions.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const bar = (page) => page.getByRole("group", { name: "Suggestions" });
const order = (page) => bar(page).getByRole("button", { name: "Order by likelihood" });
const selection = (page) => page.getByRole("toolbar", { name: "Selection" });
const storesDecisions = (page, count) =>
  expectEventually(`${count} stored decisions`, async () => (await storedDecisions(page)) === count);

// Starts a service with demo leads, half of whose industries the reviewer approves.
async function stage(t, demo) {
  const service = await Service.start(t, { demo });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  const pending = await pendingLeads(service, demo);
  const approves = halfOfTheIndustries(pending);
  return { service, page, leads, pending, approves };
}

// Opens the list with 400 leads decided earlier. The decision on the lead at `slip` differs from the others.
async function stageWithDecisions(t, demo, slip) {
  const service = await Service.start(t, { demo });
  const page = await openPage(t);
  const pending = await pendingLeads(service, demo);
  const approves = halfOfTheIndustries(pending);
  const decided = pending.slice(0, 400);
  // A document of the origin, for its storage.
  await page.goto(`${service.origin}/openapi.json`);
  await decideEarlier(service, page, decided, (lead) => approves(lead) !== (lead === decided[slip]));
  const leads = await LeadsPage.open(page, service.url);
  await order(page).waitFor();
  return { service, page, leads, pending };
}

test("nothing is learned or stored until suggestions are switched on", async (t) => {
  const { page, leads } = await stage(t, 60);
  const ids = await leads.ids();
  await leads.decide(leads.row(ids[0]), "Approve");
  await allSaved(page);
  assert.deepEqual(await slots(page), []);
  assert.equal(await bar(page).count(), 0);

  await switchSuggestions(page, true);
  await page.getByText("Suggestions start after 30 decisions: 0 so far.").waitFor();
  await backToLeads(page, leads);
  await leads.decide(leads.row((await leads.ids())[1]), "Reject");
  await bar(page).getByText("Suggestions start after 30 decisions: 1 so far.").waitFor();
  await storesDecisions(page, 1);

  // Nothing is recorded while they are off, and what was stored stays until it is forgotten.
  await switchSuggestions(page, false);
  await backToLeads(page, leads);
  assert.equal(await bar(page).count(), 0);
  await leads.decide(leads.row((await leads.ids())[2]), "Reject");
  await allSaved(page);
  assert.equal(await storedDecisions(page), 1);
  await openSettings(page);
  await page.getByRole("button", { name: "Forget my decisions…" }).click();
  const question = page.getByRole("alertdialog", { name: "Forget your decisions?" });
  await question.getByRole("button", { name: "Forget" }).click();
  await question.waitFor({ state: "hidden" });
  assert.deepEqual(await slots(page), []);
});

test("after 30 decisions the details say how likely a lead is approved, and why", async (t) => {
  const { page, leads, pending, approves } = await stage(t, 200);
  await switchSuggestions(page, true);
  await backToLeads(page, leads);
  const byId = new Map(pending.map((lead) => [lead.lead_id, lead]));
  await decideByRule(page, leads, 40, (id) => approves(byId.get(id)));
  await bar(page).getByText(/^Learned from \d+ of your decisions\.$/).waitFor();
  // In the list, the pending leads have their likelihood, and the decided ones their status.
  const states = () =>
    leads.rows.evaluateAll((rows) =>
      rows
        .filter((row) => !row.querySelector("[data-column=likely] button"))
        .map((row) => [row.dataset.decided, row.querySelector("[data-column=likely]").textContent]),
    );
  await expectEventually("likelihoods", async () => (await states()).some(([, text]) => /^\d+%$/.test(text)));
  for (const [decided, text] of await states()) {
    assert.match(text, decided === "true" ? /^(Approved|Rejected)/ : /^\d+%$/);
  }
  assert.match(await leads.header("Likely").getAttribute("title"), /^Learned from \d+ of your decisions\.$/);
  assert.deepEqual(await violations(page), []);

  await page.keyboard.press("Enter");
  const details = new DetailsPane(page);
  const suggestion = details.section("Suggestion");
  await suggestion.getByText(/^\d+% like those you approved$/).waitFor();
  const facts = suggestion.getByRole("listitem");
  assert.ok((await facts.count()) >= 1 && (await facts.count()) <= 4);
  assert.match(await facts.first().innerText(), /^(For|Against):\s.+/);
  // A decided lead needs no suggestion.
  await page.keyboard.press("k");
  await suggestion.waitFor({ state: "detached" });

  // The order by likelihood has the leads of the wanted industries first. The header of the column is a way to it, too.
  const sort = () => leads.header("Likely").getAttribute("aria-sort");
  assert.equal(await sort(), "none");
  await leads.header("Likely").click();
  await expectEventually("the order", async () => (await sort()) === "descending");
  await leads.header("Likely").click();
  await expectEventually("the order of the server", async () => (await sort()) === "none");
  await order(page).click();
  await bar(page).getByText(/most likely approvals first\.$/).waitFor();
  assert.equal(await order(page).getAttribute("aria-pressed"), "true");
  await leads.settled();
  const first = (await leads.ids()).slice(0, 10);
  assert.ok(first.filter((id) => approves(byId.get(id))).length >= 8, first.join());
  // The order of a column ends it, and the same column keeps its direction.
  await leads.header("Fit").click();
  await expectEventually("the usual order", async () => (await order(page).getAttribute("aria-pressed")) === "false");
  assert.equal(await leads.header("Fit").getAttribute("aria-sort"), "descending");
});

test("the likelihood has a column, in place of the status where all leads have the same one", async (t) => {
  const { page, leads } = await stage(t, 60);
  const columns = () => leads.grid.getByRole("columnheader").evaluateAll((headers) =>
    headers.map((header) => header.innerText.trim()).filter((label) => ["Status", "Likely"].includes(label)));
  const shows = (...labels) => expectEventually(labels.join(), async () => (await columns()).join() === labels.join());
  // While suggestions are off, the status stays.
  await shows("Status");
  await switchSuggestions(page, true);
  await backToLeads(page, leads);
  await shows("Likely");
  // Without likelihoods it is empty, and says why. It has the buttons and the decisions.
  const cell = (row) => row.locator("[data-column=likely]");
  await expectEventually("why it is empty", async () =>
    /^Suggestions start after 30 decisions/.test(await leads.header("Likely").getAttribute("title")));
  assert.equal(await cell(leads.rows.nth(3)).innerText(), "");
  await leads.header("Likely").click();
  assert.equal(await leads.header("Likely").getAttribute("aria-sort"), "none");
  const [id] = await leads.ids();
  await leads.decide(leads.row(id), "Approve");
  await page.mouse.move(0, 0);
  await cell(leads.row(id)).getByText("Approved").waitFor();
  await leads.tab("All").click();
  await shows("Status");
  await leads.settled();
  assert.match(await leads.row(id).locator("[data-column=status]").innerText(), /^Approved/);
  assert.equal(await leads.grid.locator("[data-column=likely]").count(), 0);

  // Both can be chosen. Then both are in every list, and the buttons in the status.
  await leads.header("Status").click({ button: "right" });
  const dialog = page.getByRole("dialog", { name: "Columns" });
  const box = (label) => dialog.getByRole("checkbox", { name: label, exact: true });
  assert.deepEqual([await box("Status").isChecked(), await box("Likely").isChecked()], [true, false]);
  await box("Likely").check();
  await page.keyboard.press("Escape");
  await shows("Status", "Likely");
  await leads.tab("Pending").click();
  await shows("Status", "Likely");
  await leads.settled();
  const row = leads.rows.nth(2);
  assert.equal(await row.locator("[data-column=status]").innerText(), "Pending");
  await row.hover();
  await row.locator("[data-column=status]").getByRole("button", { name: /^Approve / }).waitFor();
  assert.equal(await cell(row).innerText(), "");
  // The cursor is on a lead that left the list.
  await leads.grid.focus();
  await page.keyboard.press("j");
  await leads.grid.locator("[data-cursor=true]").waitFor();
  assert.deepEqual(await violations(page), []);

  // One of them stays.
  await leads.header("Status").click({ button: "right" });
  await box("Likely").uncheck();
  await shows("Status");
  await box("Status").uncheck();
  await shows("Likely");
  await dialog.getByRole("button", { name: "Reset" }).click();
  await shows("Likely");
  await page.keyboard.press("Escape");
  await leads.tab("All").click();
  await shows("Status");
  // Columns that were stored before.
  const { origin } = new URL(page.url());
  await page.goto(`${origin}/leads?cols=name.title.approval_status`);
  await leads.settled();
  await shows("Status");
  // While suggestions are off, a column that was chosen is empty, and says why.
  await switchSuggestions(page, false);
  await page.goto(`${origin}/leads?cols=name.likely.-approval_status`);
  await leads.settled();
  await shows("Likely");
  assert.equal(await leads.header("Likely").getAttribute("title"), "Suggestions are off.");
});

test("several leads are offered together only as a selection, and one undo takes the decision back", async (t) => {
  const { service, page, leads } = await stageWithDecisions(t, 900);
  const before = await storedDecisions(page);
  assert.equal(before, 400);
  await order(page).click();
  const offer = bar(page).getByRole("button", { name: /^Select \d+ to approve$/ });
  await offer.waitFor();
  const count = Number(/\d+/.exec(await offer.innerText())[0]);
  assert.ok(count >= 5);
  const pendingCount = async () => (await pendingLeads(service, 1_000)).length;
  const all = await pendingCount();
  await offer.click();
  await selection(page).getByText(`${count} selected`, { exact: true }).waitFor();
  assert.equal(await pendingCount(), all, "nothing is decided yet");
  // The selected leads are the first ones, so that the user can look at them.
  const selected = leads.grid.locator('[role="row"][aria-selected="true"]');
  const first = (await leads.ids())[0];
  assert.equal(await selected.first().getAttribute("data-lead-id"), first);

  await selection(page).getByRole("button", { name: "Approve" }).click();
  await allSaved(page);
  assert.equal(await pendingCount(), all - count);
  await offer.waitFor({ state: "hidden" });
  assert.equal(await storedDecisions(page), before, "the model does not learn from its own offer");
  await leads.grid.focus();
  await page.keyboard.press("u");
  await expectEventually("all leads to be pending again", async () => (await pendingCount()) === all);
  assert.equal(await storedDecisions(page), before);
});

test("an undone decision is forgotten", async (t) => {
  const { page, leads } = await stage(t, 60);
  await switchSuggestions(page, true);
  await backToLeads(page, leads);
  await leads.grid.focus();
  for (const key of ["j", "a", "r"]) await page.keyboard.press(key);
  await storesDecisions(page, 2);
  await page.keyboard.press("u");
  await storesDecisions(page, 1);
  await page.keyboard.press("Control+Shift+Z");
  await storesDecisions(page, 2);
});

test("the settings say how good the model is, and ask about unusual decisions", async (t) => {
  const { page, pending } = await stageWithDecisions(t, 800, 17);
  await openSettings(page);
  await page.getByText("Learned from 400 of your decisions.").waitFor();
  await page
    .getByText(/: 3\d\d of 400 were right \(9\d%\)\. Always predicting your more frequent decision would be right for 2\d\d \([56]\d%\)\.$/)
    .waitFor();
  const check = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: pending[17].name, exact: true }) });
  await check.getByText(/^(Approved|Not approved), but \d+% like those you approved$/).waitFor();
  await check.getByRole("button", { name: "Keep" }).click();
  await check.waitFor({ state: "detached" });
  await page.getByText("Learned from 400 of your decisions.").waitFor();
  await expectEventually("the decision to be confirmed", async () => {
    const row = JSON.parse(await stored(page))[2].find(([id]) => id === pending[17].lead_id);
    return row[1] >= 2;
  });
});

test("signing out deletes what was learned, and other tabs stop at once", async (t) => {
  const { service, page, leads } = await stageWithDecisions(t, 900);
  const other = await page.context().newPage();
  await LeadsPage.open(other, service.url);
  await bar(other).getByText("Learned from 400 of your decisions.").waitFor();
  // A decision in one tab is counted in the other.
  await leads.decide(leads.row((await leads.ids())[0]), "Approve");
  await storesDecisions(page, 401);
  await openSettings(other);
  await other.getByRole("button", { name: "Sign out…" }).click();
  const question = other.getByRole("dialog", { name: "Sign out" });
  await question.getByText("What suggestions learned from your decisions is deleted").waitFor();
  await question.getByRole("button", { name: "Sign out", exact: true }).click();
  await signInPage(other).waitFor();
  await signInPage(page).waitFor();
  assert.deepEqual(await slots(page), []);
  assert.equal(await stored(page), null);
});
