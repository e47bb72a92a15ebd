// Bulk actions: selecting all matching leads, changing them with pause and cancel, retry, undo and export.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { writeLeads } from "./support/csv.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service, temporaryFolder } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const LEADS = 300;

const progress = (page) => page.getByRole("region", { name: "Progress" });
const button = (page, name) => progress(page).getByRole("button", { name, exact: true });
const bar = (page) => page.getByRole("toolbar", { name: "Selection" });
const selectAll = (page) => bar(page).getByRole("button", { name: /^Select all/ });

async function open(t, options) {
  const file = join(await temporaryFolder(t), "leads.csv");
  await writeLeads(file, LEADS);
  const service = await Service.start(t, { importFile: file });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

// Returns the number of leads with a status in the service.
async function held(service, status) {
  const found = await service.call("POST", "/api/leads/query", {
    filters: [{ field: "approval_status", operator: "eq", value: status }],
    page_size: 1,
  });
  return found.body.total;
}

// Routes every PATCH of leads to `meet`, with the ids in it.
async function onDecisions(page, meet) {
  await page.route("**/api/leads", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    await meet(route, route.request().postDataJSON().lead_ids);
  });
}

async function tickAll(page) {
  await page.keyboard.press("Control+a");
  await selectAll(page).waitFor();
  await page.keyboard.press("Control+a");
  await bar(page).getByText(`${LEADS} selected`, { exact: true }).waitFor();
}

async function says(page, text) {
  await progress(page).getByText(text, { exact: true }).first().waitFor();
}

test("select all finds every matching lead with an exact count, and can be canceled", async (t) => {
  const { page, leads } = await open(t);
  await page.keyboard.press("Control+a");
  await bar(page).getByText(/^\d+ selected$/).waitFor();
  const before = await bar(page).getByText(/^\d+ selected$/).innerText();
  assert.notEqual(before, `${LEADS} selected`);

  // Holds the third page back until the test has seen the progress.
  let go;
  let gate = new Promise((resolve) => (go = resolve));
  await page.route("**/api/leads/query", async (route) => {
    const query = route.request().postDataJSON();
    if (query.page_size === 100 && query.page === 3) await gate;
    await route.fallback().catch(() => {});
  });
  await selectAll(page).click();
  await says(page, `200 of ${LEADS}`);
  assert.equal(await bar(page).getByText(before, { exact: true }).count(), 1, "nothing is selected yet");
  await page.keyboard.press("Shift+A");
  await page.getByText(/^Nothing was decided: all matching leads are still being selected/).waitFor();
  await button(page, "Cancel").click();
  await expectEventually("the panel to close", async () => (await progress(page).count()) === 0);
  await bar(page).getByText(before, { exact: true }).waitFor();

  // Another selection takes the place of the one that is being made.
  await selectAll(page).click();
  await says(page, `200 of ${LEADS}`);
  await bar(page).getByRole("button", { name: "Clear selection" }).click();
  await expectEventually("the panel to close", async () => (await progress(page).count()) === 0);

  go();
  await page.keyboard.press("Control+a");
  await selectAll(page).click();
  await bar(page).getByText(`${LEADS} selected`, { exact: true }).waitFor();
  assert.equal(await selectAll(page).count(), 0, "there is nothing more to select");

  // Opening another list while the ids are loaded must not select that list's leads.
  await bar(page).getByRole("button", { name: "Clear selection" }).click();
  gate = new Promise((resolve) => (go = resolve));
  await leads.rows.first().getByRole("checkbox").click();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("select all matching");
  await page.keyboard.press("Enter");
  await says(page, `200 of ${LEADS}`);
  await leads.tab("Rejected").click();
  await expectEventually("the panel to close", async () => (await progress(page).count()) === 0);
  go();
  await bar(page).getByText("1 selected, 1 not in this list", { exact: true }).waitFor();
});

test("after selecting all has failed, the selected leads can be decided", async (t) => {
  const { service, page } = await open(t, { expected: [/400/] });
  await page.route("**/api/leads/query", (route) =>
    route.request().postDataJSON().page_size === 100 ? route.fulfill({ status: 400 }) : route.fallback());
  await page.keyboard.press("Control+a");
  await selectAll(page).click();
  await button(page, "Retry").waitFor();
  await page.keyboard.press("Shift+A");
  await expectEventually("a page of decisions", async () => {
    const approved = await held(service, "approved");
    return approved > 0 && approved < LEADS;
  });
});

test("300 leads are approved with a pause, and all are undone", async (t) => {
  const { service, page } = await open(t);
  const waiting = [];
  let free = false;
  await onDecisions(page, async (route) => {
    if (!free) await new Promise((resolve) => waiting.push(resolve));
    await route.fallback();
  });
  await tickAll(page);
  await page.keyboard.press("Shift+A");
  await expectEventually("two requests in flight", () => waiting.length === 2);
  await says(page, `0 of ${LEADS}`);
  await button(page, "Pause").click();
  await says(page, "Paused. Unsent changes are waiting.");
  free = true;
  for (const go of waiting) go();
  await says(page, "200 approved");
  assert.equal(await held(service, "approved"), 200, "nothing more leaves");

  await button(page, "Resume").click();
  await says(page, `${LEADS} approved`);
  await says(page, "All saved");
  assert.equal(await held(service, "approved"), LEADS);

  await button(page, "Undo all").click();
  await expectEventually("all leads to be restored", async () => (await held(service, "approved")) === 0);
  assert.equal(await held(service, "pending_approval"), LEADS);
  await says(page, "All saved");
  await button(page, "Close").click();
  await expectEventually("the panel to close", async () => (await progress(page).count()) === 0);
});

test("paused decisions are not called in flight, and the values are counted meanwhile, also after a reload", async (t) => {
  const { service, page } = await open(t);
  let pause;
  const paused = new Promise((resolve) => (pause = resolve));
  await onDecisions(page, async (route) => {
    await paused;
    await route.fallback();
  });
  await tickAll(page);
  await page.keyboard.press("Shift+A");
  await button(page, "Pause").click();
  pause();
  const footer = page.locator(".save-line").getByRole("status").first();
  const isPaused = () => footer.getByText("100 decisions are paused", { exact: true }).waitFor();
  await isPaused();
  await page.reload();
  await isPaused();
  await page.getByRole("checkbox", { name: /^Quantum Dairy \d+$/ }).waitFor();
  assert.equal(await held(service, "approved"), 200);
  await button(page, "Resume").click();
  await says(page, "100 approved");
  assert.equal(await held(service, "approved"), LEADS);
});

test("Cancel stops the requests that are not sent yet", async (t) => {
  const { service, page } = await open(t);
  const waiting = [];
  await onDecisions(page, async (route) => {
    await new Promise((resolve) => waiting.push(resolve));
    await route.fallback();
  });
  await tickAll(page);
  await bar(page).getByRole("button", { name: "Reject selected" }).click();
  await expectEventually("two requests in flight", () => waiting.length === 2);
  await button(page, "Cancel").click();
  for (const go of waiting) go();
  await says(page, "200 rejected");
  await says(page, `${LEADS - 200} not changed`);
  assert.equal(waiting.length, 2);
  assert.equal(await held(service, "rejected"), 200);
  assert.equal(await held(service, "pending_approval"), LEADS - 200);

  // Undo reverts only the leads that were changed.
  await page.unroute("**/api/leads");
  await button(page, "Undo all").click();
  await expectEventually("all leads to be restored", async () => (await held(service, "rejected")) === 0);
  assert.equal(await held(service, "pending_approval"), LEADS);
});

test("a failed chunk is reported, retried, and undone with the rest", async (t) => {
  const { service, page } = await open(t, { expected: [/409/] });
  let refused;
  await onDecisions(page, async (route, ids) => {
    refused ??= ids[0];
    if (!ids.includes(refused)) return route.fallback();
    await route.fulfill({
      status: 409,
      contentType: "application/json",
      body: JSON.stringify({ detail: "not now" }),
    });
  });
  await tickAll(page);
  await page.keyboard.press("Shift+A");
  await says(page, "Some changes weren't saved");
  await says(page, "200 approved");
  await says(page, "100 not saved");
  await says(page, "200 approved, 100 not saved");
  // The bar has a part of another color for them.
  const widths = await progress(page)
    .getByRole("progressbar")
    .evaluate((bar) => [...bar.children].map((part) => [part.clientWidth, getComputedStyle(part).backgroundColor]));
  const [[saved, one], [stuck, other]] = widths;
  assert.ok(saved > stuck && stuck > 0, `${widths}`);
  assert.notEqual(one, other);
  assert.equal(await held(service, "approved"), LEADS - 100);

  await page.unroute("**/api/leads");
  await button(page, "Retry 100").click();
  await says(page, `${LEADS} approved`);
  await says(page, "All saved");
  assert.equal(await held(service, "approved"), LEADS);
  await button(page, "Undo all").click();
  await expectEventually("all leads to be restored", async () => (await held(service, "approved")) === 0);
});

test("an export shows progress, can be canceled, and continues after a failure", async (t) => {
  const { page } = await open(t, { expected: [/404/, /409/] });
  let refuse = true;
  let downloads = 0;
  page.on("download", () => (downloads += 1));
  await page.route("**/api/leads/query", async (route) => {
    const query = route.request().postDataJSON();
    if (!refuse || query.page_size !== 100 || query.page !== 2) return route.fallback();
    await route.fulfill({ status: 409, contentType: "application/json", body: '{"detail":"not now"}' });
  });
  // A server without exports.
  await page.route("**/export/leads", (route) => route.fulfill({ status: 404 }));
  const begin = async () => {
    await page.getByRole("button", { name: "Export", exact: true }).click();
    await button(page, "Everything").click();
  };
  await begin();
  await progress(page).getByRole("alert").waitFor();
  await says(page, `100 of ${LEADS}`);
  await button(page, "Cancel").click();
  await expectEventually("the panel to close", async () => (await progress(page).count()) === 0);
  assert.equal(downloads, 0);

  await begin();
  await progress(page).getByRole("alert").waitFor();
  refuse = false;
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    button(page, "Retry").click(),
  ]);
  const text = await readFile(await download.path(), "utf8");
  assert.equal(text.split("\r\n").length, LEADS + 2);
});

test("the bar counts selected leads that the list does not show, and shows or clears them", async (t) => {
  const { page, leads } = await open(t);
  const selected = leads.grid.locator('[role="row"][aria-selected="true"]');
  const ids = (await leads.ids()).slice(0, 2);
  for (const id of ids) await leads.row(id).getByRole("checkbox").click();
  await bar(page).getByText("2 selected", { exact: true }).waitFor();
  const other = await leads.name(leads.rows.nth(9));

  await leads.search.fill(other);
  await bar(page).getByText("2 selected, 2 not in this list", { exact: true }).waitFor();
  // Sorting changes which rows are loaded, but not which are in the list.
  await leads.rows.first().getByRole("checkbox").click();
  await leads.header("Name").click();
  await bar(page).getByText("3 selected, 2 not in this list", { exact: true }).waitFor();
  await bar(page).getByRole("button", { name: "Show them" }).click();
  await expectEventually("both leads in the list", async () => (await selected.count()) >= 2);
  assert.equal(await leads.search.inputValue(), "");
  await bar(page).getByRole("button", { name: "Show them" }).waitFor({ state: "hidden" });

  await page.goBack();
  await bar(page).getByRole("button", { name: "Clear them" }).click();
  await bar(page).getByText("1 selected", { exact: true }).waitFor();
});
