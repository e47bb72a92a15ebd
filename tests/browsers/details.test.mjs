// The details of a lead, focus mode, and the menu of a row: what they show, and where the focus goes.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { allSaved, expectEventually } from "../e2e/support/wait.mjs";
import { closeBrowser } from "./support/page.mjs";
import { cursor, openLeads, startKeys, statusOf } from "./support/stage.mjs";

after(closeBrowser);

const pane = (page) => page.getByRole("complementary", { name: "Lead details" });
const heading = (page) => pane(page).getByRole("heading", { level: 2 });
const menu = (page) => page.getByRole("menu");
const item = (page, name) => menu(page).getByRole("menuitem", { name: new RegExp(`^${name}`) });
const openId = async (page) => (await page.url()).searchParams.get("lead");

async function shows(service, page, id) {
  const { body } = await service.call("GET", `/api/leads/${encodeURIComponent(id)}`);
  await expectEventually(`the details of ${body.name}`, async () =>
    (await pane(page).getAttribute("aria-busy")) === "false" && (await heading(page).innerText()) === body.name);
}

test("Enter opens the details with the focus, which follow the cursor, and Escape gives the focus back", async (t) => {
  const { service, page, leads, ids } = await openLeads(t);
  await startKeys(leads);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await shows(service, page, ids[1]);
  await expectEventually("the focus on the heading", () => heading(page).hasFocus());
  await page.keyboard.press("j");
  await shows(service, page, ids[2]);
  assert.equal(await openId(page), ids[2]);
  await page.keyboard.press("a");
  await leads.waitForStatus(ids[2], "approved");
  await shows(service, page, ids[3]);
  await page.keyboard.press("Escape");
  await pane(page).waitFor({ state: "detached" });
  await expectEventually("the focus on the list", () => leads.grid.hasFocus());
});

test("a click opens the details and leaves the focus in the list, Back closes them", async (t) => {
  const { service, page, leads, ids } = await openLeads(t);
  await leads.row(ids[3]).getByRole("gridcell").nth(2).click();
  await shows(service, page, ids[3]);
  assert.equal(await pane(page).evaluate((node) => node.contains(document.activeElement)), false);
  const points = pane(page).getByRole("list", { name: "Points for each part" }).getByRole("listitem");
  assert.equal(await points.count(), 5);
  await page.goBack();
  await pane(page).waitFor({ state: "detached" });
  assert.equal(await openId(page), null);
});

test("a link opens a lead that is not in the list", async (t) => {
  const { service, page, ids } = await openLeads(t);
  await page.goto(`${service.origin}/leads?tab=rejected&lead=${encodeURIComponent(ids[5])}`);
  await shows(service, page, ids[5]);
  await pane(page).getByRole("button", { name: "Close", exact: true }).click();
  await pane(page).waitFor({ state: "detached" });
});

test("focus mode decides lead after lead, and leads back to the list", async (t) => {
  const { service, page, leads, ids } = await openLeads(t, { imported: 24 });
  const shown = page.getByRole("region", { name: "Lead", exact: true }).getByRole("heading", { level: 2 });
  const names = await Promise.all(ids.map(async (id) => (await service.call("GET", `/api/leads/${id}`)).body.name));
  const isAt = (n) => expectEventually(names[n], async () => (await shown.innerText()) === names[n]);
  const pace = (text) => page.locator(".pace").getByText(text).waitFor();
  await leads.grid.focus();
  await page.keyboard.press("o");
  await isAt(0);
  assert.equal(await leads.grid.isVisible(), false, "only focus mode is there");
  await pace("24 left");
  for (const [n, key] of ["a", "r", "a"].entries()) {
    await isAt(n);
    await page.keyboard.press(key);
  }
  await isAt(3);
  await pace("3 done");
  await page.keyboard.press("u");
  await pace("2 done");
  await page.keyboard.press("Escape");
  await expectEventually("the list", () => leads.grid.isVisible());
  await expectEventually("the focus", () => leads.grid.evaluate((grid) => grid.contains(document.activeElement)));
  await allSaved(page);
  const statuses = await Promise.all(ids.slice(0, 3).map((id) => statusOf(service, id)));
  assert.deepEqual(statuses, ["approved", "rejected", "pending_approval"]);
});

test("a reload stays in focus mode, and Back leaves it", async (t) => {
  const { page, leads } = await openLeads(t, { imported: 24 });
  const heading = page.getByRole("region", { name: "Lead", exact: true }).getByRole("heading", { level: 2 });
  await leads.grid.focus();
  await page.keyboard.press("o");
  const name = await heading.innerText();
  await page.reload();
  await expectEventually("the same lead", async () => (await heading.innerText()) === name);
  await page.goBack();
  await expectEventually("the list", () => leads.grid.isVisible());
});

test("the leads of a company are decided with one button, as one step", async (t) => {
  const { service, page, leads } = await openLeads(t, { imported: 24 });
  await startKeys(leads);
  await page.keyboard.press("Enter");
  // Four companies have six leads each.
  await pane(page).getByRole("button", { name: "Approve 6 pending" }).click();
  await allSaved(page);
  const filters = [{ field: "approval_status", operator: "eq", value: "approved" }];
  const { body } = await service.call("POST", "/api/leads/query", { filters, page_size: 100 });
  assert.equal(body.total, 6);
  assert.equal(new Set(body.data.map((lead) => lead.current_account.account_id)).size, 1);
});

test("a right click opens the commands of the row, and the focus returns to the list", async (t) => {
  const { page, leads, ids } = await openLeads(t);
  await leads.row(ids[2]).click({ button: "right" });
  await menu(page).waitFor();
  assert.equal(await cursor(leads).getAttribute("data-lead-id"), ids[2]);
  await item(page, "Approve").click();
  await leads.waitForStatus(ids[2], "approved");
  await menu(page).waitFor({ state: "detached" });
  await expectEventually("the focus on the list", () => leads.grid.hasFocus());
});

test("Shift+F10 opens the menu, letters move in it, and Enter runs the command", async (t) => {
  const { page, leads, ids } = await openLeads(t);
  await startKeys(leads);
  await page.keyboard.press("Shift+F10");
  await expectEventually("the first item", () => item(page, "Open details").hasFocus());
  await page.keyboard.press("r");
  await expectEventually("the item with this letter", () => item(page, "Reject").hasFocus());
  assert.equal(await leads.row(ids[0]).getAttribute("data-status"), "pending_approval");
  await page.keyboard.press("Escape");
  await menu(page).waitFor({ state: "detached" });
  await expectEventually("the focus on the list", () => leads.grid.hasFocus());
  await page.keyboard.press("Shift+F10");
  await item(page, "Reject").waitFor();
  await page.keyboard.press("r");
  await page.keyboard.press("Enter");
  await leads.waitForStatus(ids[0], "rejected");
});
