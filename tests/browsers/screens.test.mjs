// The other screens, colors, a small window, and printing.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { AccountsPage } from "../e2e/support/accounts.mjs";
import { LeadsPage } from "../e2e/support/leads.mjs";
import { openSettings } from "../e2e/support/menu.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { NAME } from "./support/engines.mjs";
import { PHONE, closeBrowser } from "./support/page.mjs";
import { open, openLeads, statusOf } from "./support/stage.mjs";

after(closeBrowser);

test("accounts are listed, and one is opened with its leads", async (t) => {
  const { service, page } = await open(t, { path: "/accounts?sort=lead_count", demo: 300 });
  const accounts = new AccountsPage(page);
  await accounts.settled();
  const [id] = await accounts.ids();
  const { body: account } = await service.call("GET", `/api/accounts/${encodeURIComponent(id)}`);
  await accounts.row(id).getByText(account.name, { exact: true }).click();
  const { details } = accounts;
  await details.getByRole("heading", { level: 2, name: account.name, exact: true }).waitFor();
  await expectEventually("its leads", async () => (await details.locator("[data-lead-id]").count()) === account.leads.length);
  await page.keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  await expectEventually("the focus on the list", () => accounts.grid.hasFocus());
});

test("accounts are searched, selected and sorted", async (t) => {
  const { page } = await open(t, { path: "/accounts", demo: 300 });
  const accounts = new AccountsPage(page);
  await accounts.settled();
  const first = accounts.rows.first();
  await first.getByRole("checkbox").click();
  await accounts.selected(1).waitFor();
  await accounts.header("Leads").getByRole("button").click();
  await expectEventually("the order", async () => (await accounts.header("Leads").getAttribute("aria-sort")) !== "none");
  await accounts.selected(1).waitFor();
  const all = await accounts.total();
  await accounts.search.fill("a");
  await page.waitForURL(/[?&]q=a/);
  await accounts.settled();
  assert.ok((await accounts.total()) <= all);
});

test("the portfolio has a row for each account, and the pulse shows charts and tables", async (t) => {
  const { service, page } = await open(t, { path: "/portfolio", demo: 600 });
  await page.locator('[data-account-id][aria-busy="false"]').nth(49).waitFor();
  await page.locator(".sparkline").first().waitFor();
  // The account with the most leads has conversations.
  const { body } = await service.call("POST", "/api/accounts/query", { sort_by: "lead_count", page_size: 1 });
  await page.locator(`[data-account-id="${body.data[0].id}"]`).getByRole("link", { name: /^Open pulse/ }).click();
  const pulse = page.getByRole("region", { name: "Pulse", exact: true });
  await pulse.getByRole("img", { name: /^Funnel: / }).waitFor();
  const { width, height } = await pulse.getByRole("img", { name: /^Funnel: / }).boundingBox();
  assert.ok(width > 100 && height > 20, `${width} x ${height}`);
  await pulse.getByRole("button", { name: "Show as table" }).first().click();
  await pulse.getByRole("table").first().waitFor();
});

test("insights compare values, and a bar opens its leads", async (t) => {
  const { page } = await open(t, { path: "/insights", demo: 3_000 });
  const differences = page.getByRole("region", { name: /^What gets approved/ });
  const bars = differences.getByRole("listitem").getByRole("link");
  await bars.first().waitFor();
  await differences.getByRole("combobox", { name: "Compare" }).selectOption({ label: "ICP tier" });
  const tiers = () => bars.locator(".name").allTextContents();
  await expectEventually("the tiers in order", async () => (await tiers()).join() === "A,B,C,D");
  await bars.first().click();
  await new LeadsPage(page).settled();
  assert.equal((await page.url()).search, "?tab=all&icp_tier=A");
});

test("settings apply at once, and stay after a reload", async (t) => {
  const { page } = await openLeads(t);
  await openSettings(page);
  await page.getByText("Compact", { exact: true }).click();
  await page.getByLabel("Language of numbers and dates").selectOption("de");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByText(/^1\.234\.567 · /).waitFor();
  await page.reload();
  await page.getByText(/^1\.234\.567 · /).waitFor();
  await page.getByRole("link", { name: "Leads" }).click();
  await new LeadsPage(page).settled();
  assert.equal(await page.locator(".page").first().getAttribute("data-density"), "compact");
});

// Returns the lightness of a color, 0 to 1, as the page paints it.
const lightness = (page, selector, property) =>
  page.locator(selector).first().evaluate((node, property) => {
    const context = document.createElement("canvas").getContext("2d");
    context.fillStyle = getComputedStyle(node)[property];
    context.fillRect(0, 0, 1, 1);
    const [red, green, blue] = context.getImageData(0, 0, 1, 1).data;
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
  }, property);

test("light and dark colors are those of the tokens", async (t) => {
  const { page } = await openLeads(t);
  await openSettings(page);
  const token = (name) =>
    page.evaluate((name) => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = `var(${name})`;
      const context = document.createElement("canvas").getContext("2d");
      context.fillStyle = getComputedStyle(probe).color;
      context.fillRect(0, 0, 1, 1);
      probe.remove();
      return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
    }, name);
  // In sRGB, as Chromium paints them: `--tint` derives from `--ink`.
  const expected = {
    Light: { "--surface": [255, 255, 255], "--ink": [29, 34, 41], "--tint": [17, 33, 62], "--accent": [53, 89, 195] },
    Dark: { "--surface": [23, 27, 33], "--ink": [229, 232, 237], "--tint": [220, 233, 254], "--accent": [147, 179, 251] },
  };
  const seen = { Light: {}, Dark: {} };
  for (const [theme, colors] of Object.entries(expected)) {
    await page.getByText(theme, { exact: true }).click();
    await expectEventually(theme, async () => (await page.locator("html").getAttribute("data-theme")) === theme.toLowerCase());
    for (const name of Object.keys(colors)) seen[theme][name] = await token(name);
  }
  // Otherwise Firefox paints light scrollbars next to a dark list.
  if (NAME === "firefox") {
    const scrollbar = await page.evaluate(() => getComputedStyle(document.documentElement).scrollbarColor);
    assert.notEqual(scrollbar, "auto");
  }
  const isNear = (one, other) => one.every((value, at) => Math.abs(value - other[at]) <= 3);
  for (const [theme, colors] of Object.entries(expected)) {
    for (const [name, color] of Object.entries(colors)) {
      assert.ok(isNear(seen[theme][name], color), `${theme} ${name}: ${JSON.stringify(seen)}`);
    }
  }
});

test("a decided row is dimmed, and texts stay readable in both colors", async (t) => {
  const { page, leads, ids } = await openLeads(t);
  for (const theme of ["light", "dark"]) {
    await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
    const row = `[data-lead-id="${ids[1]}"]`;
    const text = await lightness(page, `${row} b`, "color");
    const ground = await lightness(page, "body", "backgroundColor");
    assert.ok(Math.abs(text - ground) > 0.5, `${theme}: ${text} on ${ground}`);
  }
  await leads.decide(leads.row(ids[0]), "Approve");
  await expectEventually("the row to be dimmed", async () =>
    (await leads.row(ids[0]).getAttribute("data-decided")) === "true");
});

test("a small window shows one lead at a time with two large buttons", async (t) => {
  const { service, page, leads, ids } = await openLeads(t, { viewport: PHONE });
  const seen = () =>
    leads.grid.evaluate((grid) => {
      const view = grid.getBoundingClientRect();
      const rows = [...grid.querySelectorAll("[data-lead-id]")];
      return rows.find((row) => Math.abs(row.getBoundingClientRect().top - view.top) < 4)?.dataset.leadId;
    });
  const sees = (id) => expectEventually(`the card of ${id}`, async () => (await seen()) === id);
  await sees(ids[0]);
  for (const name of [/^Approve /, /^Reject /]) {
    const box = await leads.row(ids[0]).getByRole("button", { name }).boundingBox();
    assert.ok(box.height >= 48 && box.width >= 48, `${name} ${box.width} x ${box.height}`);
  }
  await page.getByRole("button", { name: "Next lead" }).click();
  await sees(ids[1]);
  await leads.row(ids[1]).getByRole("button", { name: /^Approve / }).click();
  await sees(ids[2]);
  await expectEventually("the decision", async () => (await statusOf(service, ids[1])) === "approved");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, "nothing is cut off");
});

test("the whole page fits the window, and only the list scrolls", async (t) => {
  const { page, leads } = await openLeads(t, { demo: 200 });
  const { y, height } = await page.locator("footer").boundingBox();
  assert.equal(Math.round(y + height), await page.evaluate(() => innerHeight));
  const [scrolls, wide] = await page.evaluate(() => {
    const { scrollHeight, scrollWidth } = document.documentElement;
    return [scrollHeight > innerHeight, scrollWidth > innerWidth];
  });
  assert.deepEqual([scrolls, wide], [false, false]);
  assert.ok(await leads.grid.evaluate((grid) => grid.scrollHeight > grid.clientHeight));
  assert.equal(await leads.grid.evaluate((grid) => grid.scrollWidth > grid.clientWidth), false);
});
