// The portfolio: all accounts in pages, sorted and in groups; pulses are requested a few at a time, and aborted when the
// user leaves.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { DESKTOP, PHONE, closeBrowser } from "./support/browser.mjs";
import { PULSES, stage } from "./support/pulse.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const PAGE = 50;
const rows = (page) => page.locator("[data-account-id]");
const ids = (page) => rows(page).evaluateAll((rows) => rows.map((row) => row.dataset.accountId));
const names = (page) => rows(page).getByRole("rowheader").getByRole("link").allTextContents();
const settled = async (page, count) => {
  await page.locator('[data-account-id][aria-busy="false"]').nth(count - 1).waitFor();
  await page.getByRole("status").filter({ hasText: "pulses loaded" }).waitFor({ state: "detached" });
};
const choose = (page, what, option) => page.getByRole("combobox", { name: what }).selectOption({ label: option });
const step = (page, name) => page.getByRole("button", { name, exact: true });
const range = (page, text) => page.getByRole("status").filter({ hasText: text }).waitFor();
const idOf = (route) => decodeURIComponent(/accounts\/([^/]+)\/pulse/.exec(route.request().url())[1]);
const queried = async (service, query) => {
  const { body } = await service.call("POST", "/api/accounts/query", { page_size: PAGE, ...query });
  return { accounts: body.data, ids: body.data.map(({ id }) => id), total: body.total };
};
const BEST = { sort_by: "icp_score", sort_dir: "desc" };

test("a page of all accounts loads three pulses at a time, and can be sorted", async (t) => {
  const { service, page, open } = await stage(t, { path: "/leads" });
  await page.locator("[data-lead-id]").first().waitFor();
  let under_way = 0;
  let most = 0;
  const asked = [];
  let release;
  const three = new Promise((resolve) => (release = resolve));
  await page.route("**/api/accounts/**", async (route) => {
    if (!PULSES.test(new URL(route.request().url()).pathname)) return route.fallback();
    asked.push(idOf(route));
    most = Math.max(most, (under_way += 1));
    // On a slow page, the first would otherwise be answered before the third is sent.
    if (most === 3) release();
    await three;
    under_way -= 1;
    await route.fallback();
  });
  await page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: "Portfolio" }).click();
  await settled(page, PAGE);
  assert.equal(new URL(page.url()).pathname, "/portfolio");
  const best = await queried(service, BEST);
  assert.deepEqual([most, asked], [3, best.ids], "three at a time, those of the page, each once");
  assert.deepEqual(await ids(page), best.ids);
  await range(page, `1–50 of ${best.total}`);

  const pulses = new Map();
  for (const id of best.ids) pulses.set(id, (await service.call("GET", `/api/accounts/${id}/pulse`)).body);
  const rate = (id) => pulses.get(id).leads_replied / pulses.get(id).leads_with_conversations;
  const rated = best.ids.filter((id) => !Number.isNaN(rate(id))).sort((a, b) => rate(b) - rate(a));
  assert.ok(rated.length > 1, "the demo has replies");
  const by_rate = [...rated, ...best.ids.filter((id) => !rated.includes(id))].join();
  await choose(page, "Sort by", "Reply rate");
  await expectEventually("the accounts by reply rate", async () => (await ids(page)).join() === by_rate);
  assert.equal(new URL(page.url()).search, "?sort=reply_rate");
  await choose(page, "Sort by", "Conversations");
  const talking = (id) => pulses.get(id).leads_with_conversations;
  const most_talks = best.ids.toSorted((a, b) => talking(b) - talking(a)).join();
  await expectEventually("the accounts by conversations", async () => (await ids(page)).join() === most_talks);
  assert.equal(asked.length, PAGE, "sorting a page requests nothing");

  // The server sorts what its records have, over all pages.
  for (const [label, query] of [
    ["Name", { sort_by: "name", sort_dir: "asc" }],
    ["Leads", { sort_by: "lead_count", sort_dir: "desc" }],
  ]) {
    const wanted = (await queried(service, query)).ids.join();
    await choose(page, "Sort by", label);
    await expectEventually(`the accounts by ${label}`, async () => (await ids(page)).join() === wanted);
  }
  await page.goBack();
  await page.goBack();
  await expectEventually("the order before", async () => (await ids(page)).join() === most_talks);

  // The URL alone restores the view.
  await page.unrouteAll();
  await open("/portfolio?sort=reply_rate");
  await settled(page, PAGE);
  assert.equal((await ids(page)).join(), by_rate);
});

test("pages follow each other, and the address has the page", async (t) => {
  const { service, page, open } = await stage(t, { path: "/portfolio" });
  await settled(page, PAGE);
  const { total } = await queried(service, BEST);
  const [previous, next] = [step(page, "Previous"), step(page, "Next")];
  assert.equal(await previous.getAttribute("aria-disabled"), "true");
  const scroller = page.locator(".scroller");
  await scroller.evaluate((area) => area.scrollTo(0, 900));
  const asked = [];
  page.on("request", (request) => PULSES.test(new URL(request.url()).pathname) && asked.push(request));
  await next.press("Enter");
  const second = await queried(service, { ...BEST, page: 2 });
  await expectEventually("the second page", async () => (await ids(page)).join() === second.ids.join());
  await range(page, `51–${50 + second.ids.length} of ${total}`);
  assert.equal(new URL(page.url()).search, "?page=2");
  assert.equal(await scroller.evaluate((area) => area.scrollTop), 0, "it starts at its top");
  await settled(page, second.ids.length);
  assert.equal(asked.length, second.ids.length, "pulses of this page only");

  const last = Math.ceil(total / PAGE);
  await open(`/portfolio?page=${last}`);
  await range(page, `${(last - 1) * PAGE + 1}–${total} of ${total}`);
  assert.equal(await next.getAttribute("aria-disabled"), "true");
  await previous.click();
  await page.waitForURL((url) => url.search === (last === 2 ? "" : `?page=${last - 1}`));
  await open("/portfolio?page=900");
  await page.getByRole("heading", { name: "No accounts on this page" }).waitFor();
});

test("the accounts of a page have bars of one scale, and are grouped, with sums of each group", async (t) => {
  const { service, page } = await stage(t, { path: "/portfolio" });
  await settled(page, PAGE);
  const { accounts } = await queried(service, BEST);
  const pulses = [];
  for (const { id } of accounts) pulses.push((await service.call("GET", `/api/accounts/${id}/pulse`)).body);
  const most = Math.max(...accounts.map((account) => account.lead_count));
  const long = (name) => rows(page).locator(`.${name}`).evaluateAll((cells) => cells.map((cell) => parseInt(cell.style.getPropertyValue("--long"), 10)));
  const wide = (count) => (count === 0 ? 0 : Math.max(1, Math.floor((count * 100) / most)));
  assert.deepEqual(await long("leads"), accounts.map((account) => wide(account.lead_count)));
  assert.deepEqual(await long("talking"), pulses.map((pulse) => wide(pulse.leads_with_conversations)));

  const sum = (of, value) => of.reduce((sum, one) => sum + value(one), 0);
  const leads = sum(accounts, (account) => account.lead_count);
  const talking = sum(pulses, (pulse) => pulse.leads_with_conversations);
  const sums = page.getByRole("region", { name: "Sums of this page" });
  const approved = sum(accounts, (account) => account.approved_count);
  await sums.getByText(`leads, ${approved} approved`).waitFor();
  const figures = await sums.locator("b").allTextContents();
  assert.deepEqual(figures.slice(0, 3), [leads, talking, sum(pulses, (pulse) => pulse.leads_replied)].map(String));

  await choose(page, "Group by", "Industry");
  assert.equal(new URL(page.url()).search, "?group=industry");
  const industries = [...new Set(accounts.map((account) => account.industry))];
  const heads = page.locator("tr.group");
  await expectEventually("a heading for each industry", async () => (await heads.count()) === industries.length);
  const wanted = industries.flatMap((industry) => accounts.filter((account) => account.industry === industry));
  assert.deepEqual(await ids(page), wanted.map(({ id }) => id));
  const first = accounts.filter((account) => account.industry === industries[0]);
  const text = await heads.first().innerText();
  const accounts_of = first.length === 1 ? "1 account" : `${first.length} accounts`;
  assert.ok(text.startsWith(industries[0]) && text.includes(accounts_of), text);
  assert.match(text, new RegExp(`${sum(first, (account) => account.lead_count)} leads? · \\S+% in conversation`));
  for (const [label, title] of [["Size", /^Size \d/], ["Tier", /^Tier A/], ["List", /./]]) {
    await choose(page, "Group by", label);
    await heads.filter({ hasText: title }).first().waitFor();
  }
  await choose(page, "Group by", "No groups");
  await expectEventually("no headings", async () => (await heads.count()) === 0);
  assert.equal(new URL(page.url()).search, "");

  // Columns of less weight give way.
  const weeks = page.getByRole("columnheader", { name: "Last 12 weeks" });
  assert.ok(await weeks.isVisible());
  await page.setViewportSize({ width: 1024, height: 768 });
  await weeks.waitFor({ state: "hidden" });
  await page.setViewportSize(PHONE);
  const card = rows(page).first();
  const { height, width } = await card.boundingBox();
  assert.ok(height < 160 && width <= PHONE.width, `a card of three lines: ${height}`);
  for (const cell of ["who", "fit", "leads", "talking", "replied", "best"]) assert.ok(await card.locator(`.${cell}`).isVisible(), cell);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
});

test("nothing moves when pulses arrive", async (t) => {
  const { page, open } = await stage(t, { path: "/leads" });
  let go;
  const held = new Promise((resolve) => (go = resolve));
  await page.route(PULSES, async (route) => {
    await held;
    await route.fallback();
  });
  await open("/portfolio?group=size");
  await page.getByRole("status").filter({ hasText: "0 of 50 pulses loaded" }).waitFor();
  await rows(page).nth(PAGE - 1).waitFor();
  const boxes = () =>
    page.evaluate(() => [...document.querySelectorAll(".sums > *, tr, .account > *")].map((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return [x, y, width, height].map(Math.round).join();
    }));
  const before = await boxes();
  go();
  await settled(page, PAGE);
  await page.locator(".sparkline").first().waitFor({ state: "attached" });
  assert.deepEqual(await boxes(), before);
});

test("the URL selects accounts, whose details and pulse open; a search finds others", async (t) => {
  const { page, open, accounts, pulse } = await stage(t, { path: "/portfolio" });
  const chosen = accounts.slice(3, 6);
  await open(`/portfolio?${chosen.map(({ id }) => `account=${encodeURIComponent(id)}`).join("&")}`);
  await settled(page, 3);
  await page.getByRole("heading", { name: "3 accounts side by side" }).waitFor();
  assert.deepEqual((await names(page)).toSorted(), chosen.map(({ name }) => name).toSorted());
  const account = page.getByRole("link", { name: chosen[0].name, exact: true });
  await account.click();
  const details = page.getByRole("region", { name: "Account details" });
  await details.getByRole("heading", { name: chosen[0].name, exact: true }).waitFor();
  assert.equal(new URL(page.url()).search, `?account=${chosen[0].id}`);
  await page.goBack();
  await settled(page, 3);
  await page.getByRole("link", { name: `Open pulse of ${chosen[0].name}`, exact: true }).click();
  await pulse.settled();
  await page.getByRole("heading", { level: 2, name: chosen[0].name, exact: true }).waitFor();
  await account.click();
  await details.waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "All accounts" }).click();
  await settled(page, PAGE);

  await page.getByRole("searchbox", { name: "Search accounts" }).fill(chosen[1].name);
  await page.getByRole("heading", { name: `Accounts for “${chosen[1].name}”` }).waitFor();
  await expectEventually("the account that matches the search", async () => (await names(page)).includes(chosen[1].name));
  await page.getByRole("searchbox").fill("no such account anywhere");
  await page.getByRole("heading", { name: "No accounts match “no such account anywhere”" }).waitFor();
  assert.equal(await rows(page).count(), 0);
});

test("a failed pulse has its own Retry, and no row moves", async (t) => {
  const { page } = await stage(t, { path: "/leads", expected: [/500/, /429/] });
  await page.locator("[data-lead-id]").first().waitFor();
  const broken = new Set();
  let failing = true;
  await page.route(PULSES, async (route) => {
    if (broken.size < 1) broken.add(idOf(route));
    if (failing && broken.has(idOf(route))) return route.fulfill({ status: 500, json: { detail: "out of order" } });
    return route.fallback();
  });
  await page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: "Portfolio" }).click();
  await settled(page, PAGE);
  const card = page.locator(`[data-account-id="${[...broken][0]}"]`);
  await card.getByRole("alert").getByText("The service failed").waitFor();
  await choose(page, "Sort by", "Reply rate");
  const before = await expectEventually("the accounts in order", async () => {
    const shown = await ids(page);
    // It was first by score, and is sorted behind all accounts with a known rate.
    return shown[0] !== [...broken][0] && shown;
  });
  failing = false;
  await card.getByRole("button", { name: "Retry" }).click();
  await card.getByRole("alert").waitFor({ state: "detached" });
  await page.locator(`[data-account-id="${[...broken][0]}"][aria-busy="false"] .talking b`).waitFor();
  assert.deepEqual(await ids(page), before);
  assert.ok(await card.evaluate((card) => card.contains(document.activeElement)), "the focus stays");
});

test("leaving the page aborts all pending requests", async (t) => {
  const { page } = await stage(t, { path: "/leads" });
  await page.locator("[data-lead-id]").first().waitFor();
  const open = new Set();
  let asked = 0;
  page.on("requestfailed", (request) => open.delete(request));
  await page.route(PULSES, (route) => {
    asked += 1;
    open.add(route.request());
  });
  const areas = page.getByRole("navigation", { name: "Areas" });
  await areas.getByRole("link", { name: "Portfolio" }).click();
  await expectEventually("three requests", () => open.size === 3);
  await page.getByRole("status").filter({ hasText: "0 of 50 pulses loaded" }).waitFor();
  await areas.getByRole("link", { name: "Leads" }).click();
  await expectEventually("all requests to be aborted", () => open.size === 0);
  await page.locator("[data-lead-id]").first().waitFor();
  assert.equal(asked, 3, "no more requests are sent");
});

test("the navigation bar stays in one line", async (t) => {
  const { page } = await stage(t, { path: "/portfolio" });
  await settled(page, PAGE);
  for (const viewport of [DESKTOP, PHONE, { ...PHONE, width: 320 }]) {
    await page.setViewportSize(viewport);
    const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.equal(sideways, 0);
    const [links, tools] = [page.getByRole("navigation", { name: "Areas" }), page.getByRole("button", { name: /, menu$/ })];
    const [one, other] = [await links.boundingBox(), await tools.boundingBox()];
    assert.ok(Math.abs(one.y + one.height / 2 - other.y - other.height / 2) < 6, `in one line at ${viewport.width}`);
    assert.ok(one.x >= other.x + other.width - 1, `side by side at ${viewport.width}`);
  }
});

test("selected accounts are shown side by side", async (t) => {
  // The second half of this test uses accounts that do not exist.
  const { page, open } = await stage(t, { path: "/accounts?sort=lead_count", expected: [/404/, /ERR_FAILED/] });
  const listed = page.locator('[role="row"][data-account-id]');
  await listed.nth(4).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("sort"), "lead_count");
  const wanted = (await ids(page)).slice(1, 4);
  for (const id of wanted) await page.locator(`[role="row"][data-account-id="${id}"]`).getByRole("checkbox").check();
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Show pulses" }).click();
  await settled(page, 3);
  assert.equal(new URL(page.url()).pathname, "/portfolio");
  assert.deepEqual((await ids(page)).sort(), wanted.sort());
  await page.goBack();
  await listed.first().waitFor();
  // A URL with too many accounts: only the first ones are shown.
  const many = Array.from({ length: 60 }, (_, number) => `account=a${number}`).join("&");
  await page.route(PULSES, (route) => route.abort());
  await open(`/portfolio?${many}`);
  await page.getByText("48 accounts side by side").waitFor();
});
