// Facets and counts that fail to load.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { isIn, open, total } from "./support/filters.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { Sidebar } from "./support/sidebar.mjs";

after(closeBrowser);

test("facets that fail to load show an error, block nothing else, and can be retried", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/403/] });
  const fail = (route) => route.fulfill({ status: 403, json: { detail: "no" } });
  await page.route("**/api/leads/facets", fail);
  await LeadsPage.open(page, service.url);
  const sidebar = new Sidebar(page);
  const alert = sidebar.panel.getByRole("alert");
  await alert.waitFor();
  await page.unroute("**/api/leads/facets", fail);
  await alert.getByRole("button", { name: "Retry" }).click();
  await sidebar.box("ICP tier", "A").waitFor();
  assert.equal(await alert.count(), 0);
});

test("facets that failed to load are requested again with the next counts", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/403/] });
  // The values are read with GET, the counts with POST.
  const fail = (route) =>
    route.request().method() === "GET" ? route.fulfill({ status: 403, json: { detail: "no" } }) : route.fallback();
  await page.route("**/api/leads/facets", fail);
  const leads = await LeadsPage.open(page, service.url);
  const sidebar = new Sidebar(page);
  await sidebar.panel.getByRole("alert").waitFor();
  await page.unroute("**/api/leads/facets", fail);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await sidebar.box("ICP tier", "A").waitFor();
  assert.equal(await sidebar.panel.getByRole("alert").count(), 0);
});

test("counts that failed to load show an error until they are counted, also when the values arrive", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/418/] });
  // The counts are read with POST, the values with GET.
  const fail = (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 418, json: { detail: "no" } }) : route.fallback();
  await page.route("**/api/leads/facets", fail);
  await LeadsPage.open(page, service.url);
  const sidebar = new Sidebar(page);
  const tier = sidebar.box("ICP tier", "A");
  await tier.waitFor();
  const alert = sidebar.panel.getByRole("alert");
  assert.equal(await alert.count(), 1);
  await page.unroute("**/api/leads/facets", fail);
  await alert.getByRole("button", { name: "Retry" }).click();
  const pending = isIn("approval_status", "pending_approval");
  const count = await total(service, pending, isIn("icp_tier", "A"));
  await sidebar.facet("ICP tier").getByRole("checkbox", { name: `A ${count}`, exact: true }).waitFor();
  assert.equal(await alert.count(), 0);
});

for (const [what, answer] of Object.entries({
  "a 404": { status: 404, json: { detail: "no such page" } },
  "a web page": { status: 200, contentType: "text/html", body: "<html>" },
})) {
  test(`${what} in place of later counts is an error, and the next counts are within the view again`, async (t) => {
    const { service, page, sidebar } = await open(t, { expected: [/404/] });
    // Counted.
    await sidebar.facet("Company size").locator("em").first().waitFor();
    const size = (await sidebar.values("Company size"))[0];
    const fail = (route) => (route.request().method() === "POST" ? route.fulfill(answer) : route.fallback());
    await page.route("**/api/leads/facets", fail);
    await sidebar.choose("ICP tier", "A");
    await sidebar.panel.getByRole("alert").waitFor();
    assert.equal(await sidebar.panel.getByText("Counts are of the whole workspace").count(), 0);
    await page.unroute("**/api/leads/facets", fail);
    await sidebar.choose("ICP tier", "B");
    const within = await total(service, isIn("icp_tier", "A", "B"), isIn("company_size", size));
    await sidebar.facet("Company size").getByRole("checkbox", { name: `${size} ${within}`, exact: true }).waitFor();
    assert.equal(await sidebar.panel.getByRole("alert").count(), 0);
  });
}

test("a tab whose count failed to load gets it with the next view, also on a server that only counts rows", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/404/, /418/] });
  await page.route("**/api/leads/facets", (route) =>
    route.request().method() === "POST" ? route.fulfill({ status: 404, json: { detail: "no" } }) : route.fallback(),
  );
  let failed = 0;
  await page.route("**/api/leads/query", (route) => {
    const { page_size: size, filters } = route.request().postDataJSON();
    // The tab All is the last one to be counted.
    if (failed > 0 || size !== 1 || filters?.length) return route.fallback();
    failed += 1;
    return route.fulfill({ status: 418, json: { detail: "no" } });
  });
  const answered = page.waitForResponse((response) => response.status() === 418);
  const leads = await LeadsPage.open(page, service.url);
  await (await answered).finished();
  assert.equal((await leads.tab("All").innerText()).trim(), "All");
  await new Sidebar(page).choose("ICP tier", "A");
  await page.getByRole("tab", { name: "All 60", exact: true }).waitFor();
  assert.equal(failed, 1);
});

test("an unreadable facet is named, and the others work", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  await page.route("**/api/leads/facets", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ json: { ...(await response.json()), signals: "not a list" } });
  });
  const leads = await LeadsPage.open(page, service.url);
  const sidebar = new Sidebar(page);
  await sidebar.panel.getByText("Signal was not fully read").waitFor();
  assert.equal(await sidebar.panel.getByRole("alert").count(), 0);
  await sidebar.choose("ICP tier", "A");
  await sidebar.chip("ICP tier A").waitFor();
  await leads.settled();
  await sidebar.facet("Company").getByRole("checkbox").first().waitFor();
});
