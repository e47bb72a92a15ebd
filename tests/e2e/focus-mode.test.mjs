// Focus mode: one lead at a time, and all leads of a company together.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";

import { DESKTOP, PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { writeLeads } from "./support/csv.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service, temporaryFolder } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

async function imported(t, count = 24, viewport = DESKTOP) {
  const file = join(await temporaryFolder(t), "leads.csv");
  await writeLeads(file, count);
  const service = await Service.start(t, { importFile: file });
  const page = await openPage(t, { viewport });
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

// Names of the leads in the order of the list.
async function names(leads) {
  return Promise.all((await leads.grid.locator("[data-lead-id]").all()).map((row) => leads.name(row)));
}

const heading = (page, name) => page.getByRole("region", { name: "Lead", exact: true }).getByRole("heading", { name });
const done = (page, text) => page.locator(".pace").getByText(text).waitFor();

async function statuses(service) {
  const { body } = await service.call("POST", "/api/leads/query", { page_size: 100 });
  return new Map(body.data.map((lead) => [lead.name, lead.approval_status]));
}

test("a session by keyboard decides lead after lead, counts them, and leads back to the list", async (t) => {
  const { service, page, leads } = await imported(t);
  const order = await names(leads);
  await leads.grid.focus();
  await page.keyboard.press("o");
  await heading(page, order[0]).waitFor();
  // Only focus mode is there, for everyone.
  assert.equal(await leads.grid.isVisible(), false);
  await done(page, "24 left");
  for (const [n, key] of ["a", "r", "a", "a"].entries()) {
    await heading(page, order[n]).waitFor();
    await page.keyboard.press(key);
  }
  await done(page, "4 done");
  await done(page, "20 left");
  await done(page, "s each");
  await page.keyboard.press("n");
  await heading(page, order[5]).waitFor();
  await page.keyboard.press("u");
  await done(page, "3 done");
  await page.keyboard.press("Escape");
  await expectEventually("the list", () => leads.grid.isVisible());
  await expectEventually("the address of the list", () => !page.url().includes("focus"));
  await expectEventually("the focus", () => leads.grid.evaluate((grid) => grid.contains(document.activeElement)));
  await allSaved(page);
  const after = await statuses(service);
  assert.deepEqual(
    order.slice(0, 4).map((name) => after.get(name)),
    ["approved", "rejected", "approved", "pending_approval"],
  );
});

test("the next lead is loaded ahead and shown without another request", async (t) => {
  const { page, leads } = await imported(t);
  const order = await names(leads);
  const ids = await leads.ids();
  const requested = [];
  let answered = 0;
  const isLead = (request) => request.method() === "GET" && /\/api\/leads\/lead_/.test(request.url());
  page.on("request", (request) => {
    if (isLead(request)) requested.push(ids.indexOf(new URL(request.url()).pathname.split("/").pop()));
  });
  page.on("response", (response) => {
    if (isLead(response.request())) answered += 1;
  });
  await leads.grid.focus();
  await page.keyboard.press("o");
  await heading(page, order[0]).waitFor();
  await expectEventually("the next two", () => answered === 3);
  // Until the last response is read.
  await page.waitForTimeout(200);
  await page.keyboard.press("a");
  await heading(page, order[1]).waitFor();
  await expectEventually("one more ahead", () => requested.length === 4);
  assert.deepEqual(requested.toSorted(), [0, 1, 2, 3]);
});

test("a reload stays in focus mode, and Back leaves it", async (t) => {
  const { page, leads } = await imported(t);
  const [, second] = await names(leads);
  await leads.grid.focus();
  await page.keyboard.press("o");
  await page.keyboard.press("a");
  await heading(page, second).waitFor();
  await allSaved(page);
  await page.reload();
  await heading(page, second).waitFor();
  await page.goBack();
  await expectEventually("the list", () => leads.grid.isVisible());
});

test("the last lead is said to be the last", async (t) => {
  const { page, leads } = await imported(t, 2);
  await leads.grid.focus();
  await page.keyboard.press("o");
  await page.keyboard.press("a");
  await page.getByText("This is the last lead of this list.").waitFor();
  await page.keyboard.press("a");
  await page.getByText("That was the last lead of this list.").waitFor();
  await done(page, "0 left");
  await page.getByRole("button", { name: "Back to the list" }).click();
  await expectEventually("the list", () => leads.grid.isVisible());
});

// Opens focus mode at the lead `first`, and there a colleague by its number. Returns the colleague's name.
async function openColleague(page, leads, first) {
  await leads.grid.focus();
  await page.keyboard.press("o");
  const side = page.getByRole("complementary", { name: "Company" });
  await side.getByText("6 leads at this company").waitFor();
  const colleagues = await side.getByRole("listitem").locator("b").allInnerTexts();
  const number = colleagues.findIndex((name) => name !== first) + 1;
  await page.keyboard.press(String(number));
  await heading(page, colleagues[number - 1]).waitFor();
  return colleagues[number - 1];
}

test("a colleague is opened by number, decided, and the lead of the list is back", async (t) => {
  const { service, page, leads } = await imported(t);
  const [first] = await names(leads);
  const name = await openColleague(page, leads, first);
  await page.keyboard.press("r");
  await heading(page, first).waitFor();
  await allSaved(page);
  const after = await statuses(service);
  assert.equal(after.get(name), "rejected");
  assert.equal(after.get(first), "pending_approval");
});

test("all pending leads of a company are decided together, as one step", async (t) => {
  const { service, page, leads } = await imported(t);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const details = page.getByRole("complementary", { name: "Lead details" });
  await details.getByRole("button", { name: "Approve 6 pending" }).click();
  await page.getByText("Approved 6 leads").waitFor();
  await allSaved(page);
  const approved = async () => [...(await statuses(service)).values()].filter((status) => status === "approved").length;
  assert.equal(await approved(), 6);
  await page.getByRole("button", { name: "Undo" }).click();
  await expectEventually("none approved", async () => (await approved()) === 0);
});

test("the leads of a company that were decided together are not left", async (t) => {
  const { page, leads } = await imported(t);
  await leads.grid.focus();
  await page.keyboard.press("o");
  await done(page, "24 left");
  await page.getByRole("button", { name: "Approve 6 pending" }).click();
  await done(page, "6 done");
  await done(page, "18 left");
});

test("all leads of a company are selected from the list, loaded or not", async (t) => {
  const { service, page, leads } = await imported(t, 60);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await page.getByText("15 selected").waitFor();
  await page.keyboard.press("Shift+R");
  await page.getByText("Rejected 15 leads").waitFor();
  await allSaved(page);
  const { body } = await service.call("POST", "/api/leads/query", {
    filters: [{ field: "approval_status", operator: "eq", value: "rejected" }],
  });
  assert.equal(new Set(body.data.map((lead) => lead.current_account.account_id)).size, 1);
  assert.equal(body.total, 15);
});

test("when the company cannot be loaded, nothing is selected, and the reason is shown", async (t) => {
  const file = join(await temporaryFolder(t), "leads.csv");
  await writeLeads(file, 8);
  const service = await Service.start(t, { importFile: file });
  const page = await openPage(t, { expected: [/403/] });
  const leads = await LeadsPage.open(page, service.url);
  await page.route("**/api/accounts/*", (route) =>
    route.fulfill({ status: 403, contentType: "application/json", body: JSON.stringify({ detail: "No accounts for you" }) }),
  );
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Shift+X");
  await page.getByText("The company's leads were not loaded, and nothing was selected.").waitFor();
});

test("a list sorted by company shows which leads belong together", async (t) => {
  const { page, leads } = await imported(t);
  await leads.grid.getByRole("columnheader", { name: "Company" }).getByText("Company").click();
  await page.waitForURL(/sort=company/);
  await leads.settled();
  const rows = () => leads.grid.locator("[data-lead-id]");
  await expectEventually("six rows for each of four companies", async () => {
    const first = await rows().evaluateAll((all) => all.map((row) => row.dataset.company));
    const starts = first.flatMap((value, index) => (value === "first" ? [index] : []));
    return starts.join() === "0,6,12,18" && first.filter((value) => value === "same").length === 20;
  });
});

test("a phone has the details instead", async (t) => {
  const { page, leads } = await imported(t, 8, PHONE);
  const id = (await leads.ids())[0];
  await page.goto(`${new URL(page.url()).origin}/leads?lead=${id}&focus=1`);
  await page.getByRole("complementary", { name: "Lead details" }).waitFor();
  assert.equal(await page.locator(".focus-mode").count(), 0);
});

test("in a narrow window a decided colleague stays open, as in the details", async (t) => {
  const { service, page, leads } = await imported(t);
  const [first] = await names(leads);
  const name = await openColleague(page, leads, first);
  await page.setViewportSize(PHONE);
  const details = page.getByRole("complementary", { name: "Lead details" });
  await details.getByRole("heading", { name }).waitFor();
  await page.keyboard.press("r");
  await details.getByText("Rejected").first().waitFor();
  await allSaved(page);
  assert.equal((await statuses(service)).get(name), "rejected");
  assert.equal(await details.getByRole("heading", { name }).count(), 1);
});
