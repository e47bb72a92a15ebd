// Recent decisions: listed, undone one by one even after newer decisions, and sent again.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const dialog = (page) => page.getByRole("dialog", { name: "Recent decisions" });
const lines = (page) => dialog(page).getByRole("listitem");
const focused = (page) => page.evaluate(() => document.activeElement?.tagName);

async function open(t, options) {
  const service = await Service.start(t, { demo: 80 });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  const ids = await leads.ids();
  const status = async (id) =>
    (await service.call("GET", `/api/leads/${encodeURIComponent(id)}`)).body.approval_status;
  return { service, page, leads, ids, status };
}

test("an older decision is undone alone, and newer decisions stay", async (t) => {
  const { page, leads, ids, status } = await open(t);
  const first = await leads.name(leads.row(ids[0]));
  await leads.grid.focus();
  for (const key of ["j", "a", "r", "a"]) await page.keyboard.press(key);
  // Decides the second lead again.
  await page.keyboard.press("k");
  await page.keyboard.press("k");
  await page.keyboard.press("a");
  await allSaved(page);

  await page.keyboard.press("h");
  await expectEventually("four decisions", async () => (await lines(page).count()) === 4);
  assert.match(await lines(page).nth(0).innerText(), /^Approved .+\n+saved · just now/);
  assert.match(await lines(page).nth(2).innerText(), /^Rejected .+\n+changed since/);
  assert.equal(await lines(page).nth(2).getByRole("button").count(), 0, "nothing left to undo");

  await lines(page).nth(3).getByRole("button", { name: `Undo: Approved ${first}` }).click();
  await dialog(page).getByText(`Undone: ${first} is pending again`).waitFor();
  await expectEventually("the first lead to be pending", async () => (await status(ids[0])) === "pending_approval");
  assert.equal(await status(ids[1]), "approved");
  assert.equal(await status(ids[2]), "approved");
  assert.notEqual(await focused(page), "BODY");
  await dialog(page).getByRole("button", { name: "Redo" }).click();
  await expectEventually("the first lead to be approved", async () => (await status(ids[0])) === "approved");
  assert.equal(await lines(page).count(), 4);

  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("role")), "grid");
});

test("a group is undone except for leads with newer decisions", async (t) => {
  const { page, leads, ids, status } = await open(t);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+A");
  await page.getByText("Approved 3 leads").waitFor();
  await page.keyboard.press("r");
  await allSaved(page);

  await page.keyboard.press("h");
  const group = lines(page).filter({ hasText: "Approved 3 leads" });
  await group.getByText("1 changed since; undo skips them").waitFor();
  await group.getByRole("button", { name: "Undo" }).click();
  await dialog(page).getByText("Undone: 2 leads restored; 1 changed since and kept").waitFor();
  await expectEventually("two pending leads", async () => (await status(ids[0])) === "pending_approval");
  assert.equal(await status(ids[1]), "pending_approval");
  assert.equal(await status(ids[2]), "rejected");

  // Undoing the newer decision restores the status from before both.
  await lines(page).first().getByRole("button", { name: "Undo" }).click();
  await expectEventually("all leads to be pending", async () => (await status(ids[2])) === "pending_approval");
  await dialog(page).getByText("No decisions yet.").waitFor();
  assert.notEqual(await focused(page), "BODY");
});

test("an unsaved decision is listed with its actions and a link to its lead", async (t) => {
  const { page, leads, ids, status } = await open(t, { expected: [/409/] });
  await page.route("**/api/leads/*", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    await route.fulfill({ status: 409, contentType: "application/json", body: '{"detail":"not now"}' });
  });
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await page.getByText("1 decision wasn't accepted").waitFor();
  await page.getByRole("button", { name: "Recent decisions" }).click();
  await lines(page).getByText("not saved", { exact: true }).waitFor();
  await page.unroute("**/api/leads/*");
  await lines(page).getByRole("button", { name: "Retry" }).click();
  await lines(page).getByText("saved", { exact: true }).waitFor();
  assert.equal(await status(ids[0]), "approved");
  // Once saved after a retry, it can be undone.
  await lines(page).getByRole("button", { name: "Undo" }).waitFor();
  const name = await lines(page).getByRole("link").innerText();
  await lines(page).getByRole("link").click();
  await page.getByRole("complementary", { name: "Lead details" }).getByRole("heading", { level: 2, name }).waitFor();
});

test("on a phone recent decisions open from the footer", async (t) => {
  const { page, leads } = await open(t, { viewport: PHONE });
  await leads.rows.first().getByRole("button", { name: /^Approve / }).click();
  await page.getByRole("button", { name: "Recent decisions" }).click();
  await lines(page).getByRole("button", { name: /^Undo/ }).waitFor();
  const size = await lines(page).getByRole("button", { name: /^Undo/ }).boundingBox();
  assert.ok(size.height >= 44, `${size.height}`);
});
