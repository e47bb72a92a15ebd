// The view is stored in the URL: search, sort and tab are written to it and restored from it.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

// Returns the ids of a query's first page, requested directly from the API.
async function idsOf(service, query) {
  const { body } = await service.call("POST", "/api/leads/query", query);
  return body.data.map((lead) => lead.lead_id);
}

// Waits until the grid's first rows are those of the query, in order.
async function expectRows(leads, expected) {
  const first = expected.slice(0, 10);
  await expectEventually("the rows of the query", async () => {
    const ids = (await leads.ids()).slice(0, first.length);
    return first.length > 0 && ids.join() === first.join();
  });
}

test("sorting by a header matches the API's order and survives a reload", async (t) => {
  const service = await Service.start(t, { demo: 300 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  const button = leads.header("Name").getByRole("button").first();

  await button.click();
  await expectEventually("a sorted column", async () =>
    /ascending|descending/.test(await leads.header("Name").getAttribute("aria-sort")),
  );
  const direction = await leads.header("Name").getAttribute("aria-sort");
  const sort_dir = direction === "ascending" ? "asc" : "desc";
  const expected = await idsOf(service, { sort_by: "name", sort_dir });
  await expectRows(leads, expected);

  await page.reload();
  await expectRows(leads, expected);
  assert.equal(await leads.header("Name").getAttribute("aria-sort"), direction);
});

test("a search narrows the rows, is in the URL, and Back undoes it", async (t) => {
  const service = await Service.start(t, { demo: 300 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  const before = await leads.ids();
  const name = await leads.name(leads.rows.nth(3));

  await leads.search.fill(name);
  await expectRows(leads, await idsOf(service, { search: name }));
  await expectEventually("the search in the URL", () =>
    new URL(page.url()).href.replaceAll("+", " ").includes(encodeURI(name)) ||
    decodeURIComponent(page.url().replaceAll("+", " ")).includes(name),
  );

  const shared = page.url();
  await page.goBack();
  await expectRows(leads, before);
  await page.goto(shared);
  await expectRows(leads, await idsOf(service, { search: name }));
  assert.equal(await leads.search.inputValue(), name);
});

test("a search without a match shows a message with the search, and Clear the search brings the leads back", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  // The counts of the tabs arrive while the mouse button is down.
  let release;
  const pressed = new Promise((resolve) => (release = resolve));
  await page.route("**/api/leads/facets", async (route) => {
    await pressed;
    await route.continue();
  });
  await leads.search.fill("zzzz no such lead zzzz");
  await expectEventually("no rows", async () => (await leads.rows.count()) === 0);
  const main = page.getByRole("main");
  await main.getByRole("heading", { name: /match “zzzz no such lead zzzz”/ }).waitFor();
  await main.getByRole("button", { name: "Clear the search" }).hover();
  await page.mouse.down();
  release();
  await expectEventually("the counts", async () => /\b0$/.test(await leads.tab("Pending").innerText()));
  // The empty state names the search as removable, and removing it brings the leads back.
  await page.mouse.up();
  await leads.settled();
  await expectEventually("the focus on the page", () => page.evaluate(() => document.activeElement.tagName !== "BODY"));
});

test("each status tab shows the leads of its status", async (t) => {
  const service = await Service.start(t, { demo: 300 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  for (const [tab, status] of [
    ["Approved", "approved"],
    ["Rejected", "rejected"],
    ["Pending", "pending_approval"],
  ]) {
    await leads.tab(tab).click();
    await expectEventually(`only ${status} leads`, async () => {
      const shown = await leads.rows.evaluateAll((rows) => rows.map((row) => row.dataset.status));
      return shown.length > 0 && shown.every((one) => one === status);
    });
  }
});
