// Decisions: by key and by mouse, undone, on many leads, without a connection, over reloads and in several tabs.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { LeadsPage } from "../e2e/support/leads.mjs";
import { allSaved, expectEventually } from "../e2e/support/wait.mjs";
import { closeBrowser } from "./support/page.mjs";
import { cursor, openLeads, startKeys, statusOf, total } from "./support/stage.mjs";

after(closeBrowser);

// What browsers say about a server that is away.
const AWAY = [/NetworkError|ERR_|Could not connect|Load cannot follow|due to access control|Failed to load resource/i];

const becomes = (service, status, count) =>
  expectEventually(`${count} leads ${status}`, async () => (await total(service, status)) === count);

test("keys decide, the cursor moves on, and each decision is saved once", async (t) => {
  const { service, page, leads, ids } = await openLeads(t, { imported: 60 });
  await startKeys(leads);
  const wanted = [["a", "approved"], ["r", "rejected"], ["f", "filtered"], ["a", "approved"]];
  for (const [n, [key]] of wanted.entries()) {
    await expectEventually(`the cursor on lead ${n}`, async () =>
      (await cursor(leads).getAttribute("data-lead-id")) === ids[n]);
    await page.keyboard.press(key);
  }
  await allSaved(page);
  for (const [n, [, status]] of wanted.entries()) assert.equal(await statusOf(service, ids[n]), status);
  assert.equal(await total(service, "pending_approval"), 56);
});

test("fast keys lose and duplicate nothing, and a held key decides once", async (t) => {
  const { service, page, leads } = await openLeads(t, { imported: 60 });
  await startKeys(leads);
  for (let n = 0; n < 25; n += 1) await page.keyboard.press("a");
  await allSaved(page);
  assert.equal(await total(service, "approved"), 25);
  await page.keyboard.hold("r", 10);
  await allSaved(page);
  assert.equal(await total(service, "rejected"), 1);
});

test("undo and redo go back and forth, one step for many leads", async (t) => {
  const { service, page, leads } = await openLeads(t, { imported: 60 });
  await startKeys(leads);
  await page.keyboard.press("a");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("3 selected").waitFor();
  await page.keyboard.press("Shift+R");
  await becomes(service, "rejected", 3);
  await leads.grid.focus();
  await page.keyboard.press("u");
  await page.getByText("Undone: 3 leads restored").waitFor();
  await becomes(service, "rejected", 0);
  await page.keyboard.press("Control+z");
  await becomes(service, "approved", 0);
  await page.keyboard.press("Control+Shift+Z");
  await becomes(service, "approved", 1);
});

test("the buttons of the row under the pointer decide", async (t) => {
  const { service, leads, ids } = await openLeads(t);
  await leads.decide(leads.row(ids[2]), "Approve");
  await leads.waitForStatus(ids[2], "approved");
  await leads.decide(leads.row(ids[4]), "Reject");
  await leads.waitForStatus(ids[4], "rejected");
  await expectEventually("both in the service", async () =>
    (await statusOf(service, ids[2])) === "approved" && (await statusOf(service, ids[4])) === "rejected");
});

test("clicks with Shift select ranges, and the box of the header the rows in view", async (t) => {
  const { page, leads, ids } = await openLeads(t);
  const selected = async (...wanted) => {
    const rows = leads.grid.locator('[role="row"][aria-selected=true]');
    await expectEventually(`${wanted.length} selected leads`, async () =>
      (await rows.evaluateAll((rows) => rows.map((row) => row.dataset.leadId))).join() === wanted.join());
  };
  const name = (id) => leads.row(id).locator("[data-column=name]");
  await leads.row(ids[1]).getByRole("checkbox").click();
  await name(ids[4]).click({ modifiers: ["Shift"] });
  await selected(...ids.slice(1, 5));
  await name(ids[2]).click({ modifiers: ["Shift"] });
  await selected(...ids.slice(1, 3));
  await name(ids[6]).click({ modifiers: ["Control"] });
  await selected(ids[1], ids[2], ids[6]);
  await page.getByRole("toolbar", { name: "Selection" }).locator("button").filter({ hasText: "Clear" }).click();
  await leads.grid.getByRole("columnheader").first().getByRole("checkbox").click();
  await page.getByText(/^\d\d selected$/).waitFor();
  assert.equal(await page.evaluate(() => String(getSelection())), "", "a range selects no text");
});

test("a range grows and shrinks by keys", async (t) => {
  const { page, leads, ids } = await openLeads(t);
  await leads.grid.focus();
  for (const key of ["j", "j", "Shift+J", "Shift+ArrowDown", "Shift+K"]) await page.keyboard.press(key);
  await page.getByText("2 selected").waitFor();
  assert.equal(await leads.row(ids[1]).getAttribute("aria-selected"), "true");
  assert.equal(await leads.row(ids[2]).getAttribute("aria-selected"), "true");
});

test("600 leads are selected, rejected and restored", async (t) => {
  const { service, page, leads } = await openLeads(t, { imported: 600 });
  const bar = page.getByRole("toolbar", { name: "Selection" });
  const progress = page.getByRole("region", { name: "Progress" });
  await leads.grid.focus();
  await page.keyboard.press("Control+a");
  await bar.getByRole("button", { name: /^Select all/ }).waitFor();
  await page.keyboard.press("Control+a");
  await bar.getByText("600 selected", { exact: true }).waitFor();
  await page.keyboard.press("Shift+R");
  await progress.getByText("600 rejected", { exact: true }).waitFor();
  await becomes(service, "rejected", 600);
  await progress.getByRole("button", { name: "Undo all", exact: true }).click();
  await becomes(service, "rejected", 0);
});

test("without a connection decisions wait, and are sent when it is back", async (t) => {
  const { service, page, leads, ids } = await openLeads(t, { imported: 60, expected: AWAY });
  await service.kill();
  await startKeys(leads);
  for (const key of ["a", "r", "a"]) await page.keyboard.press(key);
  await leads.waitForStatus(ids[2], "approved");
  await page.locator("footer").getByText("3 decisions not saved yet").waitFor();
  await service.restart();
  await becomes(service, "approved", 2);
  await becomes(service, "rejected", 1);
  await allSaved(page);
});

test("unsent decisions are sent after the page was left and loaded again", async (t) => {
  const { service, page, leads } = await openLeads(t, { imported: 60, expected: AWAY });
  await service.kill();
  await startKeys(leads);
  for (let n = 0; n < 3; n += 1) await page.keyboard.press("a");
  await page.locator("footer").getByText("3 decisions not saved yet").waitFor();
  await page.goto("about:blank");
  await service.restart();
  assert.equal(await total(service, "approved"), 0, "nothing was sent before");
  await page.goto(service.url);
  await leads.settled();
  await becomes(service, "approved", 3);
  await allSaved(page);
});

test("two tabs show the same decisions", async (t) => {
  const { service, page, leads, ids } = await openLeads(t, { imported: 60 });
  const other = await page.newPage();
  const there = await LeadsPage.open(other, service.url);
  await startKeys(there);
  await other.keyboard.press("a");
  await there.waitForStatus(ids[0], "approved");
  await leads.waitForStatus(ids[0], "approved");
  await leads.tab("Approved").getByText("1", { exact: true }).waitFor();
});

test("an open tab sends the decisions of a tab that was closed", async (t) => {
  const { service, page, leads } = await openLeads(t, { imported: 60, expected: AWAY });
  const other = await page.newPage();
  const there = await LeadsPage.open(other, service.url);
  await service.kill();
  await startKeys(there);
  await other.keyboard.press("r");
  await other.locator("footer").getByText("1 decision not saved yet").waitFor();
  await other.close();
  await service.restart();
  await becomes(service, "rejected", 1);
  await leads.settled();
});

test("a lead is deleted after a question and a delay, and Undo keeps it", async (t) => {
  const { service, page, leads } = await openLeads(t, { imported: 60 });
  const question = page.getByRole("alertdialog");
  await startKeys(leads);
  const id = await cursor(leads).getAttribute("data-lead-id");
  await page.keyboard.press("Delete");
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await expectEventually("the focus on the list", () => leads.grid.hasFocus());
  await page.keyboard.press("Delete");
  await question.getByRole("button", { name: "Delete" }).click();
  await leads.row(id).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await leads.row(id).waitFor();
  await leads.grid.focus();
  await page.keyboard.press("Delete");
  await question.getByRole("button", { name: "Delete" }).click();
  await expectEventually("the deletion", async () => (await total(service)) === 59);
});
