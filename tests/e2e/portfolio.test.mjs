// The portfolio: pulses are requested a few at a time, sorted, and aborted when the user leaves.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { DESKTOP, PHONE, closeBrowser } from "./support/browser.mjs";
import { PULSES, stage } from "./support/pulse.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const cards = (page) => page.locator("[data-account-id]");
const ids = (page) => cards(page).evaluateAll((cards) => cards.map((card) => card.dataset.accountId));
const names = (page) => cards(page).locator("h3").allTextContents();
// Accounts without a conversation are in a collapsed group.
const settled = async (page, count) => {
  await page.locator('[data-account-id][aria-busy="false"]').nth(count - 1).waitFor({ state: "attached" });
  await page.locator("[data-account-id] .flow").nth(count - 1).waitFor({ state: "attached" });
};
const expandQuiet = async (page) => {
  const quiet = page.locator("details:not([open]) > summary").filter({ hasText: "without a conversation" });
  if (await quiet.isVisible()) await quiet.click();
};
const GOOD = ["interested", "meeting_booked", "referral"];
const groupOf = (pulse) => {
  if (pulse.leads_with_conversations === 0) return 2;
  return GOOD.includes(pulse.best_signal?.classification) ? 0 : 1;
};
const order = (page, name) => page.getByRole("navigation", { name: "Sort by" }).getByRole("link", { name });
const idOf = (route) => decodeURIComponent(/accounts\/([^/]+)\/pulse/.exec(route.request().url())[1]);

test("the twelve best accounts load three at a time and can be sorted", async (t) => {
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
    await new Promise((go) => setTimeout(go, 60));
    under_way -= 1;
    await route.fallback();
  });
  await page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: "Portfolio" }).click();
  await settled(page, 12);
  assert.equal(new URL(page.url()).pathname, "/portfolio");
  const query = { sort_by: "icp_score", sort_dir: "desc", page_size: 12 };
  const { body } = await service.call("POST", "/api/accounts/query", query);
  const best = body.data.map(({ id }) => id);
  assert.deepEqual([most, asked], [3, best], "three at a time, each once");

  const pulses = new Map();
  for (const id of best) pulses.set(id, (await service.call("GET", `/api/accounts/${id}/pulse`)).body);
  const inGroups = (list) => [0, 1, 2].flatMap((group) => list.filter((id) => groupOf(pulses.get(id)) === group));
  await expectEventually("the accounts in groups", async () => (await ids(page)).join() === inGroups(best).join());
  const sizes = [0, 1, 2].map((group) => best.filter((id) => groupOf(pulses.get(id)) === group).length);
  const titles = ["worth acting on", "in conversation", "without a conversation"];
  for (const [group, size] of sizes.entries()) {
    const title = page.getByRole("heading", { level: 2 }).filter({ hasText: titles[group] });
    if (size === 0) assert.equal(await title.isVisible(), false);
    else assert.match(await title.innerText(), new RegExp(`^${size} `));
  }
  // Replies are counted out of all leads, never as a percentage.
  const talking = inGroups(best)[0];
  const { leads_replied: replied, total_leads: leads } = pulses.get(talking);
  await cards(page).first().getByText(`${replied} of ${leads} replied`, { exact: true }).waitFor();
  assert.doesNotMatch(await page.getByRole("main").innerText(), /%/);
  const rate = (id) => pulses.get(id).leads_replied / pulses.get(id).leads_with_conversations;
  const by = (value) => best.filter((id) => !Number.isNaN(value(id))).sort((a, b) => value(b) - value(a));
  await order(page, "Reply rate").click();
  const rated = by(rate);
  const by_rate = inGroups([...rated, ...best.filter((id) => !rated.includes(id))]).join();
  assert.ok(rated.length > 1, "the demo has replies");
  await expectEventually("the accounts by reply rate", async () => (await ids(page)).join() === by_rate);
  assert.equal(new URL(page.url()).search, "?sort=reply_rate");
  assert.equal(await order(page, "Reply rate").getAttribute("aria-current"), "page");
  await order(page, "Conversations").click();
  const most_talks = inGroups(by((id) => pulses.get(id).leads_with_conversations));
  await expectEventually("the accounts by conversations", async () => (await ids(page)).join() === most_talks.join());
  await order(page, "Name").click();
  await expectEventually("the accounts by name", async () => {
    const shown = (await names(page)).map((name, nth) => [name.toLowerCase(), nth]);
    const groups = sizes.map((size, group) => {
      const from = sizes.slice(0, group).reduce((sum, one) => sum + one, 0);
      return shown.slice(from, from + size);
    });
    return shown.length === 12 && groups.every((group) => group.every(([name], nth) => nth === 0 || group[nth - 1][0] <= name));
  });
  assert.equal(asked.length, 12, "sorting requests nothing");
  await page.goBack();
  await expectEventually("the previous order", async () => (await ids(page)).join() === most_talks.join());

  // The URL alone restores the view.
  await page.unrouteAll();
  await open("/portfolio?sort=reply_rate");
  await settled(page, 12);
  await expectEventually("the accounts by reply rate", async () => (await ids(page)).join() === by_rate);
});

test("the URL selects accounts, whose details and pulse open; a search finds others", async (t) => {
  const { page, open, accounts, pulse } = await stage(t, { path: "/portfolio" });
  const chosen = accounts.slice(3, 6);
  await open(`/portfolio?${chosen.map(({ id }) => `account=${encodeURIComponent(id)}`).join("&")}`);
  await settled(page, 3);
  await page.getByRole("heading", { name: "3 accounts side by side" }).waitFor();
  assert.deepEqual((await names(page)).toSorted(), chosen.map(({ name }) => name).toSorted());
  await expandQuiet(page);
  const account = page.getByRole("link", { name: chosen[0].name, exact: true });
  await account.click();
  const details = page.getByRole("region", { name: "Account details" });
  await details.getByRole("heading", { name: chosen[0].name, exact: true }).waitFor();
  assert.equal(new URL(page.url()).search, `?account=${chosen[0].id}`);
  await page.goBack();
  await settled(page, 3);
  await expandQuiet(page);
  await page.getByRole("link", { name: `Open pulse of ${chosen[0].name}`, exact: true }).click();
  await pulse.settled();
  await page.getByRole("heading", { level: 2, name: chosen[0].name, exact: true }).waitFor();
  await account.click();
  await details.waitFor();
  await page.goBack();
  await page.getByRole("link", { name: "Best accounts" }).click();
  await settled(page, 12);

  await page.getByRole("searchbox", { name: "Search accounts" }).fill(chosen[1].name);
  await page.getByRole("heading", { name: `Top accounts for “${chosen[1].name}”` }).waitFor();
  await expectEventually("the account that matches the search", async () => (await names(page)).includes(chosen[1].name));
  await page.getByRole("searchbox").fill("no such account anywhere");
  await page.getByRole("heading", { name: "No accounts match “no such account anywhere”" }).waitFor();
  assert.equal(await cards(page).count(), 0);
});

test("a failed pulse has its own Retry, and no card moves", async (t) => {
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
  await settled(page, 11);
  const card = page.locator(`[data-account-id="${[...broken][0]}"]`);
  await card.getByRole("alert").getByText("The service failed").waitFor();
  await page.getByRole("status").filter({ hasText: "pulses loaded" }).waitFor({ state: "detached" });
  await order(page, "Reply rate").click();
  const before = await expectEventually("the accounts in order", async () => {
    const shown = await ids(page);
    // It was first by score, and is sorted behind all accounts with a known rate.
    return shown[0] !== [...broken][0] && shown;
  });
  failing = false;
  await card.getByRole("button", { name: "Retry" }).click();
  await card.getByRole("img", { name: /^Funnel/ }).waitFor();
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
  await page.getByRole("status").filter({ hasText: "0 of 12 pulses loaded" }).waitFor();
  await areas.getByRole("link", { name: "Leads" }).click();
  await expectEventually("all requests to be aborted", () => open.size === 0);
  await page.locator("[data-lead-id]").first().waitFor();
  assert.equal(asked, 3, "no more requests are sent");
});

for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test(`the navigation bar stays in one line, ${name}`, async (t) => {
    const { page } = await stage(t, { viewport, path: "/portfolio" });
    await settled(page, 12);
    for (const width of [viewport.width, 320]) {
      await page.setViewportSize({ ...viewport, width });
      const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.equal(sideways, 0);
      const [links, tools] = [page.getByRole("navigation", { name: "Areas" }), page.getByRole("button", { name: /, menu$/ })];
      const [one, other] = [await links.boundingBox(), await tools.boundingBox()];
      assert.ok(Math.abs(one.y + one.height / 2 - other.y - other.height / 2) < 6, `in one line at ${width}`);
      assert.ok(one.x >= other.x + other.width - 1, `side by side at ${width}`);
    }
  });
}

test("selected accounts are shown side by side", async (t) => {
  // The second half of this test uses accounts that do not exist.
  const { page, open } = await stage(t, { path: "/accounts?sort=lead_count", expected: [/404/, /ERR_FAILED/] });
  const rows = page.locator('[role="row"][data-account-id]');
  await rows.nth(4).waitFor();
  const wanted = (await ids(page)).slice(1, 4);
  for (const id of wanted) await page.locator(`[role="row"][data-account-id="${id}"]`).getByRole("checkbox").check();
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: "Show pulses" }).click();
  await settled(page, 3);
  assert.equal(new URL(page.url()).pathname, "/portfolio");
  assert.deepEqual((await ids(page)).sort(), wanted.sort());
  await page.goBack();
  await rows.first().waitFor();
  // A URL with too many accounts: only the first ones are shown.
  const many = Array.from({ length: 60 }, (_, number) => `account=a${number}`).join("&");
  await page.route(PULSES, (route) => route.abort());
  await open(`/portfolio?${many}`);
  await page.getByText("48 accounts side by side").waitFor();
});
