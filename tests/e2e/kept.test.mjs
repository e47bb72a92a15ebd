// Decisions stored in the browser across reloads: only those that are still wanted.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const SLOTS = "lead-workspace.outbox ";

// Answers every PATCH of leads with `answer`, or leaves it pending. Returns the URLs of the requests.
async function onDecisions(page, answer) {
  const sent = [];
  await page.route(/\/api\/leads(\/[^/]+)?$/, async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    sent.push(route.request().url());
    if (answer) await route.fulfill(answer);
  });
  return sent;
}

const slots = (page) =>
  page.evaluate(
    (slots) => Object.keys(localStorage).filter((name) => name.startsWith(slots)),
    SLOTS,
  );

async function decided(leads, verb) {
  const row = leads.rows.first();
  const id = await row.getAttribute("data-lead-id");
  await leads.decide(row, verb);
  return id;
}

test("a reverted decision is not sent again after a reload", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t, { expected: [/409/] });
  const leads = await LeadsPage.open(page, service.url);
  const conflict = { status: 409, contentType: "application/json", body: '{"detail": "not now"}' };
  const sent = await onDecisions(page, conflict);
  const id = await decided(leads, "Reject");
  await leads.row(id).getByRole("button", { name: "Retry" }).waitFor();
  await page.getByRole("button", { name: "Show them" }).click();
  await page.getByRole("dialog", { name: "Recent decisions" }).getByRole("button", { name: /^Revert/ }).click();
  await expectEventually("no stored decisions", async () => (await slots(page)).length === 0);
  const before = sent.length;
  await page.reload();
  await leads.settled();
  await page.waitForTimeout(500);
  assert.equal(sent.length, before);
});

test("without locks, only the decisions of a closed tab are taken over", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t);
  const context = page.context();
  await context.addInitScript(() => Object.defineProperty(navigator, "locks", { value: undefined }));
  const leads = await LeadsPage.open(page, service.url);
  await onDecisions(page);
  const id = await decided(leads, "Reject");
  await expectEventually("a stored decision", async () => (await slots(page)).length === 1);
  const number = await page.evaluate(() => sessionStorage.getItem("lead-workspace.tab"));

  // Uses the id of a live tab, as a duplicated tab would.
  const next = await context.newPage();
  await next.addInitScript((number) => {
    if (sessionStorage.getItem("lead-workspace.tab")) return;
    sessionStorage.setItem("lead-workspace.tab", number);
  }, number);
  const other = await LeadsPage.open(next, service.url);
  await expectEventually("the tab to get its own id", async () => {
    const own = await next.evaluate(() => sessionStorage.getItem("lead-workspace.tab"));
    return own !== number;
  });
  const status = async () => (await service.call("GET", `/api/leads/${id}`)).body.approval_status;
  assert.equal((await slots(next)).length, 1);
  assert.notEqual(await status(), "rejected");

  // Simulates a tab that crashed long ago.
  await page.close();
  await next.evaluate(() => {
    const lives = Object.keys(localStorage).filter((name) => name.startsWith("lead-workspace.alive"));
    for (const name of lives) localStorage.setItem(name, "1");
  });
  await next.reload();
  await other.settled();
  await expectEventually("the decision", async () => (await status()) === "rejected");
  await expectEventually("no stored decisions", async () => (await slots(next)).length === 0);
});

test("a confirmed deletion completes after the page is left", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  const [id] = await leads.ids();
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Delete");
  const dialog = page.getByRole("alertdialog");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText(/^Deleting /).waitFor();
  await page.reload();
  await leads.settled();
  await expectEventually("the lead to be deleted", async () => {
    const all = [id, ...(await leads.ids())].slice(0, 3);
    const answers = await Promise.all(all.map((id) => service.call("GET", `/api/leads/${id}`)));
    return answers.some((answer) => answer.status === 404);
  });
});

test("a decision on a selected lead uses its current status, not that at selection", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  const id = await decided(leads, "Approve");
  await leads.waitForStatus(id, "approved");
  await allSaved(page);
  await page.reload();
  await leads.settled();
  await leads.showAll();
  await leads.search.fill((await service.call("GET", `/api/leads/${id}`)).body.name);
  await page.waitForURL(/[?&]q=/);
  await leads.settled();
  await leads.waitForStatus(id, "approved");
  await leads.row(id).getByRole("checkbox").click();
  await service.call("PATCH", `/api/leads/${id}`, { approval_status: "rejected" });
  await page.getByRole("toolbar").getByRole("button", { name: "Approve" }).click();
  await expectEventually("the approval", async () => {
    const lead = await service.call("GET", `/api/leads/${id}`);
    return lead.body.approval_status === "approved";
  });
});
