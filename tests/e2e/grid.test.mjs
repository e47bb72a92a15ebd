// The grid with lists of any length.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { AccountsPage } from "./support/accounts.mjs";
import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const cursor = (leads) => leads.grid.locator('[role="row"][data-cursor="true"]');

test("the scrollbar spans the whole list, and the cursor survives a sort", async (t) => {
  const service = await Service.start(t, { demo: 600 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  const height = await leads.grid.evaluate((grid) => grid.scrollHeight);
  assert.ok(height >= 600 * 40, `${height}`);
  await expectEventually("at least 20 rows", async () => (await leads.rows.count()) >= 20);
  assert.ok((await leads.rows.count()) <= 60);

  await leads.grid.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  await expectEventually("the last row", async () =>
    (await leads.grid.locator('[role="row"][aria-rowindex="601"][data-lead-id]').count()) === 1,
  );
  assert.ok((await leads.grid.locator('[role="row"]').count()) <= 62);
  await leads.grid.focus();
  await page.keyboard.press("Control+Home");
  const first = await expectEventually("the first row", () =>
    cursor(leads).getAttribute("data-lead-id", { timeout: 1000 }).catch(() => null),
  );
  // It has the best score, so reversing the sort order twice brings it back near the top.
  await leads.header("Fit").getByRole("button").click();
  await leads.settled();
  await leads.header("Fit").getByRole("button").click();
  await leads.settled();
  await expectEventually("the cursor on the same lead", async () =>
    (await cursor(leads).getAttribute("data-lead-id", { timeout: 500 }).catch(() => null)) === first,
  );
});

// Returns what a click would meet at points across the cells of a row that open its details.
function controlsIn(row) {
  return row.evaluate((row) =>
    [...row.querySelectorAll("[role=gridcell]:not([data-column=select], [data-column=status], :has(input))")].flatMap((cell) => {
      const { left, width, top, height } = cell.getBoundingClientRect();
      return Array.from({ length: 20 }, (_, at) => document.elementFromPoint(left + (width * (at + 0.5)) / 20, top + height / 2))
        .filter((element) => element?.closest("a, button, input"))
        .map((element) => element.outerHTML);
    }),
  );
}

test("a row under the pointer puts nothing where a click opens the details", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  for (const row of (await leads.rows.all()).slice(0, 5)) {
    await row.hover();
    await row.getByRole("button", { name: /^Approve / }).waitFor();
    assert.deepEqual(await controlsIn(row), []);
  }
  const name = await leads.name(leads.rows.first());
  await leads.rows.first().locator("[data-column=name]").click();
  await page.getByRole("complementary", { name: "Lead details" }).getByRole("heading", { name }).waitFor();

  await page.getByRole("link", { name: "Accounts" }).click();
  const accounts = new AccountsPage(page);
  await accounts.settled();
  for (const row of (await accounts.rows.all()).slice(0, 5)) {
    await row.hover();
    assert.deepEqual(await controlsIn(row), []);
  }
});

test("a click anywhere on a header sorts, but not on its edge", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  for (const label of ["Name", "Fit", "Title", "Company", "Status"]) {
    const header = leads.header(label);
    const { width, height } = await header.boundingBox();
    const order = () => header.getAttribute("aria-sort");
    for (const x of [4, width / 2, width - 10]) {
      const before = await order();
      await header.click({ position: { x, y: 2 } });
      await expectEventually(`${label} to be sorted by a click at ${x}`, async () => (await order()) !== before);
      assert.notEqual(await order(), "none");
    }
    const before = await order();
    await header.click({ position: { x: width + 3, y: height / 2 } });
    assert.equal(await order(), before);
  }
});

test("requests for pages that are scrolled past are aborted", async (t) => {
  const service = await Service.start(t, { demo: 1000 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  const open = new Set();
  let given_up = 0;
  let release;
  const held = new Promise((go) => (release = go));
  page.on("requestfailed", (request) => {
    if (open.delete(request)) given_up += 1;
  });
  await page.route("**/api/leads/query", async (route) => {
    open.add(route.request());
    await held;
    await route.fallback().catch(() => {});
  });
  for (const part of [0.2, 0.5, 0.8]) {
    const asked = page.waitForRequest("**/api/leads/query");
    await leads.grid.evaluate((grid, at) => grid.scrollTo(0, grid.scrollHeight * at), part);
    await asked;
  }
  await expectEventually("aborted requests", () => given_up >= 2);
  release();
  await leads.settled();
});

test("the grid is busy during the first load, and shows a skeleton instead of an empty list", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/api/leads/query", async (route) => {
    await held;
    await route.fallback().catch(() => {});
  });
  await page.goto(service.url);
  const leads = new LeadsPage(page);
  await leads.grid.waitFor();
  await expectEventually("the grid to be busy", async () => (await leads.grid.getAttribute("aria-busy")) === "true");
  assert.equal(await leads.grid.getAttribute("aria-rowcount"), "-1");
  await leads.grid.locator(".skeletons").waitFor();
  release();
  await leads.settled();
  assert.equal(await page.locator(".skeletons").count(), 0);
  assert.ok(Number(await leads.grid.getAttribute("aria-rowcount")) > 20);
});

test("next to the details no columns overlap, and the sorted column stays", async (t) => {
  const service = await Service.start(t, { demo: 200 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.header("Company").getByRole("button").click();
  await leads.settled();
  await leads.rows.first().getByRole("gridcell").nth(2).click();
  await page.getByRole("complementary", { name: "Lead details" }).waitFor();
  await expectEventually("fewer columns", async () => (await leads.header("Why now").count()) === 0);
  assert.equal(await leads.header("Company").getAttribute("aria-sort"), "ascending");
  assert.ok(await leads.header("Company").isVisible());

  await page.setViewportSize({ width: 1024, height: 768 });
  await expectEventually("the Title column to be hidden", async () => (await leads.header("Title").count()) === 0);
  const isWhole = () =>
    leads.grid.evaluate((grid) => {
      const row = grid.querySelector("[data-lead-id]");
      const cells = [...row.querySelectorAll("[role=gridcell]")].map((cell) => cell.getBoundingClientRect());
      const inView = cells.every((cell) => cell.right <= grid.getBoundingClientRect().right);
      return inView && cells.every((cell, at) => at === 0 || cell.left >= cells[at - 1].right);
    });
  await expectEventually("all cells to be visible without overlap", isWhole);
  for (const label of ["Fit", "Name", "Company", "Status"]) {
    assert.ok(await leads.header(label).isVisible(), label);
  }
  await leads.rows.first().hover();
  assert.equal(await leads.rows.first().getByRole("button").count(), 0, "the details have the buttons");
  await page.keyboard.press("Escape");
  await expectEventually("all columns", async () => (await leads.grid.getByRole("columnheader").count()) === 7);
});

test("a refused decision is rolled back, and its error covers no cell of its row", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/422/] });
  const leads = await LeadsPage.open(page, service.url);
  const entry = { loc: ["body", "approval_status"], msg: "locked", type: "value_error", input: "", ctx: {} };
  await page.route("**/api/leads/*", (route) =>
    route.request().method() === "PATCH" ? route.fulfill({ status: 422, json: { detail: [entry] } }) : route.fallback(),
  );
  await page.route("**/api/leads", (route) => route.fulfill({ status: 422, json: { detail: [entry] } }));
  const [id] = await leads.ids();
  const row = leads.row(id);
  await leads.decide(row, "Approve");
  await row.getByRole("button", { name: "Retry" }).waitFor();
  await leads.waitForStatus(id, "pending_approval");
  assert.match(await row.getByRole("alert").textContent(), /locked/);
  const covered = await row.evaluate((row) => {
    const state = row.querySelector(".state");
    const { left, right } = state.getBoundingClientRect();
    const buttons = [...state.querySelectorAll("button")].map((button) => button.getBoundingClientRect());
    return {
      buttons: buttons.length,
      cut: state.scrollWidth > state.clientWidth,
      within: buttons.every((button) => button.left >= left && button.right <= right + 1),
    };
  });
  assert.deepEqual(covered, { buttons: 1, cut: false, within: true });
  // The reason is also available without a mouse.
  await leads.grid.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Lead details" }).getByText(/locked/).waitFor();
});

test("a decided lead that has left the list is not named as the current row", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.grid.focus();
  for (const key of ["j", "a", "k"]) await page.keyboard.press(key);
  const [decided] = await leads.ids();
  await expectEventually("the cursor on the decided lead", async () =>
    (await cursor(leads).getAttribute("data-lead-id", { timeout: 500 }).catch(() => null)) === decided,
  );
  const current = () => leads.grid.evaluate((grid) => grid.getAttribute("aria-activedescendant") ?? "");
  const named = async () => page.locator(`[id="${await current()}"]`).evaluate((cell) => cell.parentElement.dataset.leadId);
  assert.equal(await named(), decided);
  await allSaved(page);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectEventually("the lead to leave the list", async () => (await leads.row(decided).count()) === 0);
  assert.equal(await current(), "");
  await leads.grid.focus();
  await page.keyboard.press("j");
  const next = await cursor(leads).getAttribute("data-lead-id");
  await expectEventually("the new current row", async () => (await current()) !== "" && (await named()) === next);
});
