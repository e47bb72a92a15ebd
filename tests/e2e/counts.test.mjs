// The counts of the tabs and facets: within the view where the server can count that, otherwise of the whole workspace.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { isIn } from "./support/filters.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Sidebar } from "./support/sidebar.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const STATUS = {
  Pending: "pending_approval",
  Approved: "approved",
  Rejected: "rejected",
  Filtered: "filtered",
};
const number = (count) => count.toLocaleString("en-GB");

async function open(t, { query = "", answer, ...options } = {}) {
  const service = await Service.start(t, { demo: 600 });
  const page = await openPage(t, options);
  const counted = [];
  await page.route("**/api/leads/facets", async (route) => {
    const request = route.request();
    if (request.method() !== "POST") return route.fallback();
    counted.push(request.postDataJSON());
    return answer ? answer(route) : route.fallback();
  });
  const { origin, hash } = new URL(service.url);
  const leads = new LeadsPage(page);
  await page.goto(`${origin}/leads?${query}${hash}`);
  await leads.settled();
  const total = async (filters, search) => {
    const body = { filters, search, page_size: 1 };
    return (await service.call("POST", "/api/leads/query", body)).body.total;
  };
  return { service, page, leads, sidebar: new Sidebar(page), counted, total };
}

const tab = (page, name, count) =>
  page.getByRole("tab", { name: count === undefined ? name : `${name} ${number(count)}`, exact: true });

// Waits until every tab shows the number of leads that match these filters and this search.
async function expectTabs(page, total, filters, search) {
  for (const [name, status] of Object.entries(STATUS)) {
    await tab(page, name, await total([...filters, isIn("approval_status", status)], search)).waitFor();
  }
  await tab(page, "All", await total(filters, search)).waitFor();
}

async function expectOption(sidebar, label, value, count) {
  const box = sidebar.facet(label).getByRole("checkbox", { name: `${value} ${number(count)}`, exact: true });
  await box.waitFor();
}

test("tabs and facets count within the filters and the search", async (t) => {
  const { page, sidebar, total } = await open(t);
  await expectTabs(page, total, []);
  const pending = isIn("approval_status", STATUS.Pending);
  for (const tier of ["A", "B", "C", "D"]) {
    await expectOption(sidebar, "ICP tier", tier, await total([pending, isIn("icp_tier", tier)]));
  }
  await page.getByRole("searchbox", { name: "Search leads" }).fill("manager");
  await expectTabs(page, total, [], "manager");
  await sidebar.choose("ICP tier", "A");
  await expectTabs(page, total, [isIn("icp_tier", "A")], "manager");
  // A facet ignores its own values: each count is what the value would add.
  await expectOption(sidebar, "ICP tier", "B", await total([pending, isIn("icp_tier", "B")], "manager"));
  const size = (await sidebar.values("Company size"))[3];
  const both = [pending, isIn("icp_tier", "A"), isIn("company_size", size)];
  await expectOption(sidebar, "Company size", size, await total(both, "manager"));
  const text = await page.getByRole("main").innerText();
  assert.doesNotMatch(text, /whole workspace/);
  const all = await total([pending]);
  await page.getByText(`of ${number(all)} pending`).first().waitFor();

  await page.getByRole("button", { name: "Clear all" }).click();
  await page.getByRole("searchbox", { name: "Search leads" }).fill("");
  await expectTabs(page, total, []);
});

test("values without leads in the view stay, and a facet finds values within the view only", async (t) => {
  const { page, sidebar, total } = await open(t, { query: "tab=all" });
  await expectOption(sidebar, "ICP tier", "D", await total([isIn("icp_tier", "D")]));
  await page.getByRole("searchbox", { name: "Search leads" }).fill("zzz");
  for (const tier of ["A", "D"]) await expectOption(sidebar, "ICP tier", tier, 0);
  await expectEventually("no companies", async () => (await sidebar.values("Company")).length === 0);
  await page.getByRole("searchbox", { name: "Search leads" }).fill("");
  await expectEventually("companies", async () => (await sidebar.values("Company")).length > 3);
});

test("counts follow decisions: tabs at once, facets when the user rests", async (t) => {
  const { page, leads, sidebar, counted, total } = await open(t, { query: "icp_tier=A" });
  const filters = [isIn("icp_tier", "A")];
  const pending = [...filters, isIn("approval_status", STATUS.Pending)];
  const [before, approved] = [await total(pending), await total([...filters, isIn("approval_status", "approved")])];
  await expectOption(sidebar, "ICP tier", "A", before);
  // Of the view, not of the whole workspace.
  const ofView = () => counted.filter(({ search, filters, facets }) => search || filters.length + facets.length > 1).length;
  const requests = ofView();
  await leads.grid.focus();
  for (const key of "jaa") await page.keyboard.press(key);
  await tab(page, "Pending", before - 2).waitFor();
  await tab(page, "Approved", approved + 2).waitFor();
  await expectOption(sidebar, "ICP tier", "A", before - 2);
  assert.equal(ofView(), requests + 1, "counted once for both");
  await tab(page, "Pending", before - 2).waitFor();
  await page.keyboard.press("u");
  await tab(page, "Pending", before - 1).waitFor();
  await expectOption(sidebar, "ICP tier", "A", before - 1);
  assert.equal(await total(pending), before - 1);
});

test("the list does not wait for counts, and another view cancels them", async (t) => {
  const held = [];
  const { page, leads, sidebar, counted, total } = await open(t, {
    answer: async (route) => {
      const search = route.request().postDataJSON().search;
      if (search === undefined) return route.fallback();
      if (search === "manager") await new Promise((resolve) => held.push(resolve));
      // The page should have aborted this request, in which case it cannot be continued.
      await route.fallback().catch(() => {});
    },
  });
  await expectTabs(page, total, []);
  const aborted = page.waitForEvent("requestfailed", (request) => request.postDataJSON()?.search === "manager" &&
    request.url().endsWith("/facets"));
  const box = page.getByRole("searchbox", { name: "Search leads" });
  await box.fill("manager");
  const found = await total([isIn("approval_status", STATUS.Pending)], "manager");
  await page.locator(".sum").getByText(`${number(found)} of`).waitFor();
  await expectEventually("the request", () => held.length === 1);
  await box.fill("director");
  await aborted;
  held[0]();
  await expectTabs(page, total, [], "director");
  // The order of the list does not matter to the counts.
  const requests = counted.length;
  await leads.header("Name").getByRole("button").first().click();
  await leads.settled();
  await sidebar.facet("ICP tier").getByRole("checkbox").first().waitFor();
  assert.equal(counted.length, requests);
});

for (const [what, answer] of Object.entries({
  "a web page": (route) => route.fulfill({ status: 200, contentType: "text/html", body: "<html>" }),
  "another body": (route) => route.fulfill({ status: 200, json: { icp_tiers: ["A"] } }),
})) {
  test(`without counts within a view (${what}), those of the workspace are shown, and named so`, async (t) => {
    const { service, page, sidebar, counted, total } = await open(t, { answer });
    await expectTabs(page, total, []);
    const { body } = await service.call("GET", "/api/leads/facets/search?field=icp_tier");
    for (const { value, count } of body.items) await expectOption(sidebar, "ICP tier", value, count);
    await sidebar.panel.getByText("Counts are of the whole workspace, with any status.").waitFor();
    await sidebar.choose("ICP tier", "A");
    await page.getByText("Tab counts are of the whole workspace").waitFor();
    await expectTabs(page, total, []);
    for (const { value, count } of body.items) await expectOption(sidebar, "ICP tier", value, count);
    assert.equal(counted.length, 1, "asked once");
  });
}

test("a failure to count shows no wrong numbers, and Retry counts again", async (t) => {
  let broken = false;
  const { page, sidebar, total } = await open(t, {
    expected: [/500/],
    answer: (route) => (broken ? route.fulfill({ status: 500, json: { detail: "out of order" } }) : route.fallback()),
  });
  await expectTabs(page, total, []);
  broken = true;
  await sidebar.choose("ICP tier", "A");
  const alert = sidebar.panel.getByRole("alert");
  await alert.getByText(/out of order/).waitFor();
  await tab(page, "Approved").waitFor();
  assert.equal(await page.getByText("whole workspace").count(), 0);
  broken = false;
  await alert.getByRole("button", { name: "Retry" }).click();
  await expectTabs(page, total, [isIn("icp_tier", "A")]);
  assert.equal(await alert.count(), 0);
});

test("a phone counts only its tabs until the filters are opened", async (t) => {
  const { page, counted, total } = await open(t, { viewport: PHONE });
  // Only the selected tab has room for its count.
  await tab(page, "Pending", await total([isIn("approval_status", STATUS.Pending)])).waitFor();
  await expectEventually("the count of the tabs", () => counted.length > 0);
  assert.deepEqual(counted.map(({ facets }) => facets.map(({ field }) => field)), [["approval_status"]]);
  await page.getByRole("button", { name: "Filters" }).click();
  const sheet = new Sidebar(page);
  await expectOption(sheet, "ICP tier", "A", await total([isIn("approval_status", STATUS.Pending), isIn("icp_tier", "A")]));
});
