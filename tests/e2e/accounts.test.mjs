// The accounts grid: search, sort, list, filters, selection, keys, saved views, on a desktop and on a phone.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { AccountsPage, stage } from "./support/accounts.mjs";
import { PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { Service } from "./support/service.mjs";
import { Sidebar } from "./support/sidebar.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const query = (service, body) => service.call("POST", "/api/accounts/query", body);

test("a row shows the fit first, and every column can be sorted", async (t) => {
  const { page, accounts } = await stage(t);
  const heads = accounts.grid.getByRole("columnheader");
  assert.deepEqual(
    (await heads.allInnerTexts()).map((text) => text.trim()).filter(Boolean),
    ["Fit", "Name", "Industry", "Size", "Location", "Leads"],
  );
  assert.equal(await heads.getByRole("button").count(), 6);
  assert.equal(accounts.param("sort"), null);
  assert.equal(await heads.filter({ hasText: "Fit" }).getAttribute("aria-sort"), "descending");
  for (const [label, column] of [["Leads", "lead_count"], ["Size", "staff_count_range"]]) {
    const asked = page.waitForRequest((request) =>
      request.url().endsWith("accounts/query") && JSON.parse(request.postData()).sort_by === column);
    await heads.getByRole("button", { name: label, exact: true }).click();
    await asked;
    assert.equal(accounts.param("sort"), column);
  }
  await accounts.settled();
  await page.goBack();
  await expectEventually("the previous sort", () => accounts.param("sort") === "lead_count");
});

test("rows show how many leads are approved, if the server counts them", async (t) => {
  const { service, page, accounts } = await stage(t);
  const { data } = (await query(service, { sort_by: "icp_score", page_size: 20 })).body;
  const scores = data.map((account) => account.icp_score);
  assert.deepEqual(scores, scores.toSorted((one, other) => other - one));
  const some = data.find((account) => account.approved_count > 0);
  const { body } = await service.call("GET", `/api/accounts/${some.id}`);
  assert.equal(some.approved_count, body.leads.filter((lead) => lead.approval_status === "approved").length);
  await accounts.row(some.id).getByText(`${some.approved_count} of ${some.lead_count} approved`).waitFor();

  // Another server has only what the contract has.
  await page.route("**/api/accounts/query", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    for (const account of json.data) delete account.approved_count;
    await route.fulfill({ response, json });
  });
  await page.reload();
  await accounts.settled();
  assert.equal(await accounts.row(some.id).getByRole("gridcell").last().innerText(), String(some.lead_count));
});

test("tiers and sizes are selected in the sidebar", async (t) => {
  const { service, page, accounts } = await stage(t);
  const all = await accounts.total();
  const sidebar = new Sidebar(page);
  await sidebar.choose("ICP tier", "A");
  await sidebar.choose("ICP tier", "B");
  const filters = [{ field: "icp_tier", operator: "in", value: ["A", "B"] }];
  const wanted = (await query(service, { filters })).body.total;
  await expectEventually("the accounts of two tiers", async () => (await accounts.total()) === wanted);
  assert.ok(wanted < all);
  await sidebar.chip("ICP tier is one of A, B").waitFor();
  assert.equal(await page.getByRole("button", { name: "Add a filter" }).count(), 1, "only in the sidebar");

  const size = (await sidebar.values("Size"))[0];
  await sidebar.choose("Size", size);
  await expectEventually("the size in the URL", () => page.url().includes("staff_count_range"));
  await accounts.chips.getByRole("button", { name: "Remove Size" }).click();
  await expectEventually("no size", async () => !(await sidebar.box("Size", size).isChecked()));

  // Where the sidebar is not in view, its button moves to the chips.
  await page.setViewportSize({ width: 1024, height: 800 });
  await sidebar.panel.waitFor({ state: "hidden" });
  assert.equal(await page.getByRole("button", { name: "Add a filter" }).count(), 1);
  await page.setViewportSize({ width: 1440, height: 900 });
  await sidebar.choose("ICP tier", "B");
  await sidebar.choose("ICP tier", "A");
  await expectEventually("all accounts", async () => (await accounts.total()) === all);
});

// Waits until each value shows the number of accounts that it would add.
async function expectCounts(service, sidebar, label, field, filters) {
  await sidebar.facet(label).locator("em").first().filter({ hasText: /\d/ }).waitFor();
  const values = await sidebar.values(label);
  assert.ok(values.length > 2);
  const counts = [];
  for (const value of values) {
    const own = { field, operator: "in", value: [value] };
    const { total } = (await query(service, { filters: [...filters, own], page_size: 1 })).body;
    const name = `${value} ${total.toLocaleString("en-GB")}`;
    await sidebar.facet(label).getByRole("checkbox", { name, exact: true }).waitFor();
    counts.push(total);
  }
  return counts;
}

test("tiers and sizes show how many accounts each would add, if the server counts them", async (t) => {
  const { service, page, accounts } = await stage(t, { expected: [/404/] });
  const sidebar = new Sidebar(page);
  await expectCounts(service, sidebar, "ICP tier", "icp_tier", []);
  const before = await expectCounts(service, sidebar, "Size", "staff_count_range", []);
  const tiers = await sidebar.values("ICP tier");
  await sidebar.choose("ICP tier", tiers[0]);
  const filter = { field: "icp_tier", operator: "in", value: [tiers[0]] };
  const after = await expectCounts(service, sidebar, "Size", "staff_count_range", [filter]);
  assert.notDeepEqual(after, before);
  // Its own selected values do not restrict a facet.
  await expectCounts(service, sidebar, "ICP tier", "icp_tier", []);
  await accounts.addFilter({ field: "Leads", condition: "is at least", value: "9999" });
  const empty = sidebar.facet("Size").locator(".option.none");
  await expectEventually("values without accounts stay", async () => (await empty.count()) === after.length);

  await accounts.chips.getByRole("button", { name: "Remove Leads" }).click();
  await expectCounts(service, sidebar, "Size", "staff_count_range", [filter]);

  // Another server has only what the contract has.
  let asked = 0;
  await page.route("**/api/accounts/facets", (route) => {
    asked += 1;
    return route.fulfill({ status: 404, json: { detail: "no such path" } });
  });
  await page.reload();
  await accounts.settled();
  await expectEventually("one request for counts", () => asked === 1);
  await sidebar.choose("ICP tier", tiers[0]);
  await sidebar.chip("ICP tier").waitFor({ state: "detached" });
  await accounts.settled();
  assert.doesNotMatch((await sidebar.facet("Size").locator("em").allInnerTexts()).join(""), /\d/);
  assert.equal(asked, 1, "it is not asked again");
});

test("the list and the switch select other accounts and are part of the URL", async (t) => {
  const { service, page, accounts } = await stage(t);
  const all = await accounts.total();
  const select = page.getByRole("combobox", { name: "List" });
  await expectEventually("the lists", async () => (await select.locator("option").count()) > 1);
  const value = await select.locator("option").nth(1).getAttribute("value");
  const name = await select.locator("option").nth(1).innerText();
  await page.getByRole("grid").getByRole("checkbox").nth(1).click();
  await select.selectOption(value);
  await expectEventually("the list in the URL", () => accounts.param("list_id") === value);
  const wanted = (await query(service, { list_id: value })).body.total;
  await expectEventually("its accounts", async () => (await accounts.total()) === wanted);
  assert.ok(wanted < all);
  await accounts.chips.getByText(name).waitFor();

  // The account that was selected before is exported, although it may not be in this list.
  await page.getByRole("button", { name: "Export selected", exact: true }).click();
  const exported = page.waitForRequest("**/export/accounts");
  await page.getByRole("group", { name: "Export accounts as CSV" }).getByRole("button", { name: "What the list shows" }).click();
  const sent = (await exported).postDataJSON();
  assert.deepEqual([sent.ids.length, sent.list_id, sent.include_unpromoted], [1, undefined, true]);

  await page.getByRole("button", { name: "Remove List" }).click();
  await expectEventually("all accounts", async () => (await accounts.total()) === all);
  const asked = page.waitForRequest((request) =>
    request.url().endsWith("accounts/query") && JSON.parse(request.postData()).include_unpromoted === true);
  const unpromoted = page.getByRole("switch", { name: "Include accounts without leads" });
  await unpromoted.check();
  await asked;
  assert.equal(accounts.param("include_unpromoted"), "true");
  await page.reload();
  await accounts.settled();
  assert.ok(await unpromoted.isChecked(), "the switch survives a reload");
});

test("a filter is added, changed and removed; an empty list names the filter to remove, or the search", async (t) => {
  const { page, accounts } = await stage(t);
  const all = await accounts.total();
  await accounts.addFilter({ field: "Leads", condition: "is at least", value: "3" });
  await expectEventually("fewer accounts", async () => (await accounts.total()) < all);
  assert.equal(accounts.param("where"), "lead_count gte 3");
  await page.getByText(/^\d+ accounts?, best fit first$/).waitFor();
  await accounts.chips.getByRole("button", { name: "Leads is at least 3" }).click();
  const editor = page.getByRole("form", { name: "Filter", exact: true });
  assert.equal(await editor.getByLabel("Value").inputValue(), "3");
  await editor.getByLabel("Value").fill("9999");
  await editor.getByRole("button", { name: "Apply" }).click();
  await page.getByRole("button", { name: /^Remove Leads \(\d+\)$/ }).waitFor();
  // The numbers are shown at once: a button that does not help is hidden, and the others move.
  let [hasAsked, answer] = [false];
  const answered = new Promise((resolve) => (answer = resolve));
  await page.route("**/api/accounts/query", async (route) => {
    // The last number is for the switch.
    if (route.request().postDataJSON().include_unpromoted) {
      hasAsked = true;
      await answered;
    }
    await route.fallback();
  });
  await accounts.addFilter({ field: "Name", condition: "contains", value: "a" });
  await expectEventually("the last count", () => hasAsked);
  assert.equal(await page.locator(".empty-state").getByRole("button", { name: /^Remove (Name|Leads)$/ }).count(), 2);
  answer();
  await page.getByText(/“Leads is at least 9999” excludes all results\. Without it, \d+ accounts? match/).waitFor();
  await page.getByRole("button", { name: /^Remove Leads \(\d+\)$/ }).click();
  await accounts.rows.first().waitFor();
  await page.getByRole("button", { name: "Remove Name" }).click();
  await expectEventually("all accounts", async () => (await accounts.total()) === all);
  await expectEventually(
    "the focus on the grid",
    () => page.evaluate(() => document.activeElement?.getAttribute("aria-label") === "Accounts"),
  );

  await accounts.search.fill("no such company");
  await page.getByText("No accounts match “no such company”").waitFor();
  await page.locator(".empty-state").getByRole("button", { name: "Clear the search" }).click();
  await accounts.settled();
});

test("the chip of a filter shows that the server refuses it", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/422/] });
  await page.goto(`${service.origin}/accounts?where=created_at+gte+2026-99-99#key=${service.key}`);
  const accounts = new AccountsPage(page);
  const chip = accounts.chips.locator(".chip[data-wrong]");
  await chip.waitFor();
  assert.match(await chip.innerText(), /^Created/);
  await chip.getByRole("button", { name: "Remove Created" }).click();
  await accounts.settled();
});

test("keys move the cursor, select rows, ranges and the page, and focus the search; one Tab leaves the grid", async (t) => {
  const { page, accounts, ids } = await stage(t);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  assert.equal(await accounts.cursor(), ids[1]);
  await page.keyboard.press("k");
  assert.equal(await accounts.cursor(), ids[0]);
  await page.keyboard.press("x");
  await accounts.selected(1).waitFor();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await accounts.selected(3).waitFor();
  assert.equal(await accounts.row(ids[2]).getAttribute("aria-selected"), "true");
  await accounts.row(ids[5]).getByRole("checkbox").click({ modifiers: ["Shift"] });
  await expectEventually("a range selected by click", async () => (await accounts.selectionBar.innerText()).startsWith("6 "));
  await accounts.selectionBar.getByRole("button", { name: "Clear all" }).click();
  await accounts.selectionBar.waitFor({ state: "detached" });
  await page.keyboard.press("Control+a");
  await accounts.selectionBar.waitFor();
  assert.equal(await accounts.row(ids[0]).getAttribute("aria-selected"), "true");
  await page.keyboard.press("/");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("role")), "searchbox");
  await page.keyboard.type("a");
  await expectEventually("the search", () => accounts.param("q") === "a");

  await accounts.settled();
  await accounts.grid.focus();
  await page.keyboard.press("Tab");
  const isInGrid = await page.evaluate(() => Boolean(document.activeElement.closest("[role=grid]")));
  assert.equal(isInGrid, false);
});

test("all matching accounts are selected and scored, and the best are compared", async (t) => {
  const { service, page, accounts } = await stage(t, { expected: [/400/] });
  const total = await accounts.total();
  assert.ok(total > 48);
  const progress = page.getByRole("region", { name: "Progress" });
  const all = accounts.selectionBar.getByRole("button", { name: `Select all ${total} matching` });
  const asked = [];
  page.on("request", (request) => {
    if (/accounts\/query$/.test(request.url())) asked.push(JSON.parse(request.postData()));
  });
  await page.keyboard.press("Control+a");
  await all.waitFor();
  await page.keyboard.press("Control+a");
  await accounts.selected(total).waitFor();
  await all.waitFor({ state: "detached" });
  // A neighboring page of the list may be prefetched in between.
  assert.ok(asked.some((query) => query.page_size === 100));
  await accounts.selectionBar.getByRole("button", { name: "Score selected" }).click();
  await page.getByRole("alertdialog", { name: `Score ${total} accounts?` }).getByRole("button", { name: "Cancel" }).click();

  // With too many accounts selected, the ones with the best scores are shown, and a message says so.
  await accounts.selectionBar.getByRole("button", { name: "Show pulses" }).click();
  await page.getByText(`48 of ${total} selected accounts are shown: those with the best ICP scores`).waitFor();
  await page.waitForURL(/\/portfolio/);
  const query = { sort_by: "icp_score", sort_dir: "desc", page_size: 100 };
  const { data } = (await service.call("POST", "/api/accounts/query", query)).body;
  const points = new Map(data.map((account) => [account.id, account.icp_score ?? -1]));
  const shown = new URL(page.url()).searchParams.getAll("account");
  const least = Math.min(...shown.map((id) => points.get(id)));
  assert.equal(new Set(shown).size, 48);
  const left = data.filter((account) => !shown.includes(account.id));
  assert.ok(left.every((account) => points.get(account.id) <= least));
  await page.goBack();
  await accounts.selected(total).waitFor();

  // Selects the matches of a search with the command; the new selection replaces the old one.
  await accounts.selectionBar.getByRole("button", { name: "Clear all" }).click();
  await accounts.search.fill("an");
  await expectEventually("the search", () => accounts.param("q") === "an");
  await accounts.settled();
  await expectEventually("fewer accounts", async () => (await accounts.total()) < total);
  const few = await accounts.total();
  await accounts.rows.first().click();
  await accounts.details.waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("Select all matching");
  await page.keyboard.press("Enter");
  await accounts.selected(few).waitFor();
  await page.keyboard.press("Escape");

  // A failure keeps the selection and offers a retry; opening another list cancels it.
  await page.route("**/api/accounts/query", async (route) => {
    if (JSON.parse(route.request().postData()).page_size < 100) return route.fallback();
    await route.fulfill({ status: 400, json: { detail: "no" } });
  });
  await accounts.search.fill("");
  await expectEventually("all accounts", async () => (await accounts.total()) === total);
  await accounts.grid.focus();
  const run = async () => {
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+a");
  };
  await run();
  await progress.getByText("Selecting all matching accounts").waitFor();
  await progress.getByRole("alert").getByText(/Nothing was changed/).waitFor();
  await page.unrouteAll();
  await progress.getByRole("button", { name: "Retry" }).click();
  await accounts.selected(total).waitFor();
});

test("the selection survives a new sort and another page of the list", async (t) => {
  const { page, accounts, ids } = await stage(t);
  await accounts.row(ids[2]).getByRole("checkbox").click();
  await accounts.grid.getByRole("button", { name: "Name", exact: true }).click();
  await accounts.settled();
  await accounts.selected(1).waitFor();
  await page.goBack();
  await accounts.settled();
  await expectEventually(
    "the selected row",
    async () => (await accounts.row(ids[2]).getAttribute("aria-selected")) === "true",
  );
});

test("an accounts view is saved for the accounts only, and opens from the palette", async (t) => {
  const { page, accounts } = await stage(t, { query: "?sort=name" });
  await page.keyboard.press("v");
  const views = page.getByRole("dialog", { name: "Views" });
  await views.getByRole("textbox", { name: "Name of this view" }).fill("By name");
  await page.keyboard.press("Enter");
  await views.getByRole("link", { name: "By name" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Leads", exact: true }).click();
  await page.waitForURL(/\/leads/);
  await page.keyboard.press("v");
  await views.getByText("No saved views yet").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("By name");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/accounts\?sort=name/);
  await accounts.settled();
});

test("on a phone accounts are cards and filters are in a sheet", async (t) => {
  const { page, accounts, ids } = await stage(t, { viewport: PHONE });
  const all = await accounts.total();
  assert.ok(ids.length >= 6);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, "nothing scrolls sideways");
  await accounts.row(ids[0]).getByRole("checkbox").click();
  await accounts.selected(1).waitFor();
  await page.keyboard.press("Control+a");
  await accounts.selectionBar.getByRole("button", { name: `Select all ${all}` }).click();
  await accounts.selected(all).waitFor();
  await accounts.selectionBar.getByRole("button", { name: "Clear all" }).click();
  await page.getByRole("button", { name: "Filters" }).click();
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await sheet.getByRole("button", { name: "Add a filter" }).click();
  await new Sidebar(page).fill({ field: "ICP tier", condition: "is", values: ["A"] });
  await sheet.getByRole("button", { name: /^Show \d+ accounts?$/ }).click();
  await expectEventually("fewer accounts", async () => (await accounts.total()) < all);
  assert.equal(accounts.param("where"), "icp_tier eq A");
});
