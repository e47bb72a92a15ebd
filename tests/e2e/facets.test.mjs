// Filters: selected in the sidebar, shown as chips, refused by the server.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { DetailsPane, click, nameOf } from "./support/details-pane.mjs";
import { expectLeft, isIn, open, search, total } from "./support/filters.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { Sidebar } from "./support/sidebar.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("values of a facet combine with OR, facets with AND, and Back undoes each change", async (t) => {
  const { service, page, sidebar } = await open(t);
  await sidebar.choose("ICP tier", "A");
  await expectLeft(page, await total(service, isIn("icp_tier", "A")));
  await sidebar.choose("ICP tier", "B");
  const both = await total(service, isIn("icp_tier", "A", "B"));
  await expectLeft(page, both);
  assert.deepEqual(search(page).getAll("icp_tier"), ["A", "B"]);
  await sidebar.chip("ICP tier A, B").waitFor();

  const size = (await sidebar.values("Company size"))[0];
  await sidebar.choose("Company size", size);
  const narrowed = await total(service, isIn("icp_tier", "A", "B"), isIn("company_size", size));
  assert.ok(narrowed < both);
  await expectLeft(page, narrowed);

  await page.goBack();
  await expectLeft(page, both);
  assert.equal(await sidebar.box("Company size", size).isChecked(), false);
  await page.goForward();
  await expectLeft(page, narrowed);
  assert.equal(await sidebar.box("Company size", size).isChecked(), true);

  await page.reload();
  await expectLeft(page, narrowed);
  assert.equal(await sidebar.box("ICP tier", "B").isChecked(), true);
});

test("every facet with values is shown, counts match the API, and “only” deselects the other values", async (t) => {
  const { service, page, sidebar } = await open(t);
  const { body: facets } = await service.call("GET", "/api/leads/facets");
  const labels = {
    company_sizes: "Company size",
    icp_tiers: "ICP tier",
    intent_types: "Intent",
    discovery_lists: "Discovery list",
    signals: "Signal",
    signal_runs: "Signal run",
    lists: "List",
    campaigns: "Campaign",
    import_jobs: "Import",
    feed_posts: "Feed post",
    chat_labels: "Chat label",
    reply_classifications: "Reply",
    network_accounts: "Network account",
  };
  assert.deepEqual(Object.keys(facets).sort(), Object.keys(labels).sort());
  for (const [name, label] of Object.entries(labels)) {
    const heading = sidebar.panel.getByRole("heading", { name: label, exact: true });
    if (facets[name].length > 0) await heading.waitFor();
    else assert.equal(await heading.count(), 0, label);
  }

  const { body } = await service.call("GET", "/api/leads/facets/search?field=icp_tier");
  for (const { value, count } of body.items) {
    await sidebar.facet("ICP tier").getByRole("checkbox", { name: `${value} ${count}` }).waitFor();
  }
  const most = Math.max(...body.items.map(({ count }) => count));
  for (const { value, count } of body.items) {
    const share = await sidebar.box("ICP tier", value).evaluate((box) => box.closest(".option").style.getPropertyValue("--share"));
    assert.equal(share, `${Math.floor((count * 100) / most)}%`, `the line under ${value}`);
  }
  await sidebar.choose("ICP tier", "A");
  await sidebar.choose("ICP tier", "B");
  await sidebar.panel.getByRole("button", { name: "only C", exact: true }).click();
  await expectLeft(page, await total(service, isIn("icp_tier", "C")));
  assert.deepEqual(search(page).getAll("icp_tier"), ["C"]);
});

test("collapsed facets stay collapsed on the next visit", async (t) => {
  const { page, sidebar } = await open(t);
  const collapsed = sidebar.panel.locator("details:not([open])");
  await sidebar.expand("Campaign");
  await sidebar.facet("Campaign").getByRole("checkbox").first().waitFor();
  const tier = sidebar.panel.locator("summary").filter({ hasText: "ICP tier" });
  await tier.click();
  await collapsed.filter({ hasText: "ICP tier" }).waitFor();
  await page.reload();
  await sidebar.facet("Campaign").getByRole("checkbox").first().waitFor();
  await collapsed.filter({ hasText: "ICP tier" }).waitFor();
});

test("a search finds values that are not shown, and selected values stay on top, also while others are searched", async (t) => {
  const { service, page, sidebar } = await open(t);
  const { body } = await service.call("GET", "/api/leads/facets/search?field=company&limit=100");
  const shown = body.items.slice(0, 20);
  const summary = sidebar.panel.locator("summary").filter({ hasText: "Company" }).first();
  await expectEventually("the number of values", async () =>
    (await summary.innerText()).includes(`20 of ${body.total_distinct}`),
  );
  const rare = body.items.at(-1).value;
  assert.ok(!shown.some(({ value }) => value === rare));
  const box = sidebar.panel.getByRole("searchbox", { name: "Find a company" });
  await box.fill(rare.toUpperCase());
  await sidebar.choose("Company", rare);
  await expectLeft(page, await total(service, isIn("company", rare)));
  await box.fill("zzz no such company");
  await sidebar.panel.getByText("Nothing found").waitFor();
  assert.deepEqual(await sidebar.values("Company"), [rare]);
  assert.ok(await sidebar.box("Company", rare).isChecked());
  await box.fill(shown[0].value);
  await expectEventually("the value that matches the search", async () =>
    (await sidebar.values("Company")).join() === `${rare},${shown[0].value}`,
  );
  await box.fill("");
  await expectEventually("the selected value on top", async () => {
    const values = await sidebar.values("Company");
    return values.length > 3 && values[0] === rare;
  });
  assert.equal(await sidebar.box("Company", rare).isChecked(), true);
  await sidebar.panel.getByRole("button", { name: /^Show \d+ more$/ }).first().click();
  assert.ok((await sidebar.values("Company")).length >= 20);
});

test("a late response never replaces a newer one", async (t) => {
  const { page, sidebar } = await open(t);
  await sidebar.facet("Company").getByRole("checkbox").first().waitFor();
  const held = [];
  let asked = 0;
  await page.route("**/api/leads/facets", async (route) => {
    const company = route.request().postDataJSON()?.facets.find(({ field }) => field === "company");
    if (company?.q !== "a") return route.fallback();
    asked += 1;
    await new Promise((resolve) => held.push(resolve));
    const items = [{ value: "Stale Ltd", label: "Stale Ltd", count: 1 }];
    const facets = [{ field: "company", items, total_distinct: 1, has_more: false }];
    // The page should have aborted this request, in which case `fulfill` fails.
    await route.fulfill({ json: { facets } }).catch(() => {});
  });
  const box = sidebar.panel.getByRole("searchbox", { name: "Find a company" });
  await box.fill("a");
  await expectEventually("the first request", () => asked === 1);
  await box.fill("zzz no such company");
  await sidebar.panel.getByText("Nothing found").waitFor();
  for (const release of held) release();
  await box.fill("");
  await sidebar.facet("Company").getByRole("checkbox").nth(3).waitFor();
  assert.equal(await page.getByText("Stale Ltd").count(), 0);
});

test("a search in a facet goes on while another lead is opened", async (t) => {
  const { service, page, leads, sidebar } = await open(t);
  const { body } = await service.call("GET", "/api/leads/facets/search?field=company&limit=100");
  const rare = body.items.at(-1).value;
  await sidebar.facet("Company").getByRole("checkbox").first().waitFor();
  assert.equal(await sidebar.box("Company", rare).count(), 0);
  const held = [];
  await page.route("**/api/leads/facets", async (route) => {
    const company = route.request().postDataJSON()?.facets.find(({ field }) => field === "company");
    if (company?.q === rare) await new Promise((resolve) => held.push(resolve));
    await route.fallback();
  });
  await sidebar.panel.getByRole("searchbox", { name: "Find a company" }).fill(rare);
  await expectEventually("the request", () => held.length === 1);
  const [id] = await leads.ids();
  await click(leads, id);
  await new DetailsPane(page).shows(await nameOf(service, id));
  held[0]();
  await sidebar.box("Company", rare).waitFor();
  assert.equal(held.length, 1, "asked once");
});

test("facet requests are sent one at a time", async (t) => {
  const service = await Service.start(t, { demo: 300 });
  const page = await openPage(t);
  let flying = 0;
  let most = 0;
  let all = 0;
  await page.route(/api\/leads\/facets/, async (route) => {
    all += 1;
    most = Math.max(most, (flying += 1));
    await new Promise((resolve) => setTimeout(resolve, 60));
    flying -= 1;
    await route.continue();
  });
  const leads = await LeadsPage.open(page, service.url);
  const sidebar = new Sidebar(page);
  await sidebar.facet("Intent").locator("em").first().waitFor();
  await leads.settled();
  await sidebar.expand("Title");
  await sidebar.facet("Title").locator("em").first().waitFor();
  assert.ok(all >= 3, `${all} requests`);
  assert.equal(most, 1);
});

test("chips are removed one by one or all at once", async (t) => {
  const { service, page, sidebar } = await open(t, {
    query: "&icp_tier=A&company_size=51-200&where=icp_score+gte+10",
  });
  assert.equal(await sidebar.chips.locator(".chip").count(), 3);
  await sidebar.chips.getByRole("button", { name: "Remove Company size" }).click();
  const score = { field: "icp_score", operator: "gte", value: 10 };
  await expectLeft(page, await total(service, isIn("icp_tier", "A"), score));
  const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  assert.match(focused ?? "", /^Remove /, "the focus is not lost");
  await page.getByRole("button", { name: "Clear all" }).click();
  await expectEventually("no chips", async () => (await sidebar.chips.count()) === 0);
  assert.equal(search(page).toString(), "tab=all");
});

test("a campaign narrows the facets, and its chip shows its name after a reload", async (t) => {
  const { service, page, sidebar } = await open(t);
  const { body } = await service.call("GET", "/api/leads/facets");
  const campaign = body.campaigns[0];
  await sidebar.expand("Campaign");
  await sidebar.choose("Campaign", campaign.campaign_name);
  await sidebar.chip(campaign.campaign_name).waitFor();
  const within = await service.call(
    "GET",
    `/api/leads/facets/search?field=icp_tier&campaign_id=${campaign.campaign_id}`,
  );
  const { value, count } = within.body.items[0];
  await sidebar.facet("ICP tier").getByRole("checkbox", { name: `${value} ${count}`, exact: true }).waitFor();
  await page.reload();
  await sidebar.chip(campaign.campaign_name).waitFor();
});

test("an empty list names the filter to remove, and a click counts even if its number arrives meanwhile", async (t) => {
  const { service, page, sidebar } = await open(t, { query: "&icp_tier=A&where=icp_score+lt+1", empty: true });
  const empty = page.getByRole("main").locator(".empty-state");
  await empty.getByRole("heading", { name: /No lead matches/ }).waitFor();
  const low = { field: "icp_score", operator: "lt", value: 1 };
  const [tiers, scores] = [await total(service, isIn("icp_tier", "A")), await total(service, low)];
  assert.equal(await total(service, isIn("icp_tier", "A"), low), 0);
  const best = tiers >= scores ? /“ICP score is less than 1” excludes all results/ : /“ICP tier A” excludes all results/;
  await empty.getByText(best).waitFor();

  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route("**/api/leads/query", async (route) => {
    if (route.request().postDataJSON().page_size === 1) await released;
    await route.fallback();
  });
  await page.reload();
  const remove = (count) =>
    empty.getByRole("button", { name: new RegExp(`^Remove ICP score${count}$`) });
  await remove("").hover();
  await page.mouse.down();
  release();
  await remove(` \\(${tiers}\\)`).waitFor();
  await page.mouse.up();
  await expectLeft(page, tiers);
  await sidebar.chip("ICP tier A").waitFor();
});

test("a refused sort shows an error with a button for the default sort", async (t) => {
  const { page, leads, sidebar } = await open(t, { expected: [/422/] });
  await page.route("**/api/leads/query", async (route) => {
    if (route.request().postDataJSON().sort_by !== "name") return route.fallback();
    const entry = { loc: ["body", "sort_by"], msg: "sorting by name is off", type: "enum", input: "name", ctx: {} };
    await route.fulfill({ status: 422, json: { detail: [entry] } });
  });
  await leads.header("Name").getByRole("button").first().click();
  await sidebar.chips.getByText("sorting by name is off").waitFor();
  await page.getByRole("alert").getByText("This sort order isn't accepted: sorting by name is off.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Clear all" }).count(), 0, "there is no filter");
  await sidebar.chips.getByRole("button", { name: "Remove Sort" }).click();
  await leads.settled();
  assert.equal(search(page).get("sort"), null);
});

test("on a phone the filters are in a sheet", async (t) => {
  const { service, page, sidebar } = await open(t, { viewport: PHONE });
  assert.equal(await sidebar.panel.count(), 0, "no sidebar on a phone");
  const button = page.getByRole("button", { name: /^Filters/ });
  await button.click();
  const sheet = page.getByRole("dialog", { name: "Filters" });
  await sheet.waitFor();
  await sidebar.choose("ICP tier", "A");
  const left = await total(service, isIn("icp_tier", "A"));
  await sheet.getByRole("button", { name: `Show ${left} lead` }).click();
  await expectEventually("the sheet to close", async () => (await sheet.count()) === 0);
  assert.equal((await button.innerText()).replaceAll(/\s+/g, " ").trim(), "Filters 1");

  await button.click();
  await page.getByRole("button", { name: "Clear all" }).click();
  await expectEventually("no filters", () => search(page).getAll("icp_tier").length === 0);
  await page.keyboard.press("Escape");
  await expectEventually("the sheet to close", async () => (await sheet.count()) === 0);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.equal(wide, 0, "nothing scrolls sideways");
});
