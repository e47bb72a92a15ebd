// Layout: nothing important is cut off, covered or out of reach.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { AccountsPage } from "./support/accounts.mjs";
import { closeBrowser, openPage, PHONE } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const QUERY = "**/api/leads/query";

async function open(t, { query = "", first, expected, ...options } = {}) {
  const service = await Service.start(t, { demo: 120 });
  const page = await openPage(t, { expected, ...options });
  // Overrides fields of the first lead, or of the first ones.
  const change = async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    for (const [at, fields] of [first].flat().entries()) Object.assign(body.data[at] ?? {}, fields);
    await route.fulfill({ response, json: body });
  };
  // Ignores errors of list responses that are still pending when the test ends.
  const changed = (route) => change(route).catch(() => {});
  if (first) await page.route(QUERY, changed);
  const { origin, hash } = new URL(service.url);
  await page.goto(`${origin}/leads${query}${hash}`);
  const leads = new LeadsPage(page);
  await leads.settled();
  return { service, page, leads };
}

// Returns whether a click on the element's center hits it.
const isOnTop = (locator) =>
  locator.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    const met = document.elementFromPoint(x + width / 2, y + height / 2);
    return node === met || node.contains(met);
  });

test("facet labels fill the sidebar, fit is a bar, a company has its initials, and what was decided is dimmed", async (t) => {
  const { page, leads } = await open(t);
  const label = page.locator(".facet .option label").first();
  await label.waitFor();
  const { width, height } = await label.boundingBox();
  assert.ok(width > 175, `a label has ${width} px of the sidebar`);
  assert.ok(height < 32, `a label is ${height} px high`);

  const row = leads.rows.first();
  const id = await row.getAttribute("data-lead-id");
  const drawn = await row.evaluate((row) => {
    const [fit, company] = ["fit", "company"].map((column) => row.querySelector(`[data-column=${column}]`));
    const before = (cell) => getComputedStyle(cell, "::before").content;
    return {
      score: fit.textContent,
      bar: fit.style.getPropertyValue("--v"),
      picture: getComputedStyle(fit).backgroundImage,
      tier: before(fit),
      initials: before(company),
      company: company.textContent,
    };
  });
  assert.equal(drawn.bar, `${drawn.score}%`);
  assert.match(drawn.picture, /^linear-gradient/);
  assert.match(drawn.tier, /^"[A-D]"$/);
  assert.ok(drawn.initials.startsWith(`"${drawn.company[0]}`), drawn.initials);

  await page.keyboard.press("j");
  await page.keyboard.press("a");
  const decided = leads.row(id);
  await expectEventually("dimmed", async () => (await decided.getAttribute("data-decided")) === "true");
  // In a list that was read after the decision it is a lead as any other.
  await allSaved(page);
  await leads.tab("Approved").click();
  await expectEventually("read again", async () => (await decided.getAttribute("data-decided")) === "false");
});

test("on a small screen, score, status and buttons are visible, and every sort is available", async (t) => {
  const { page, leads } = await open(t, { viewport: { width: 1024, height: 768 } });
  await leads.showAll();
  for (const name of ["Fit", "Status"]) {
    assert.ok(await isOnTop(leads.header(name)), `${name} is covered`);
  }
  const row = leads.grid.locator("[data-lead-id]").first();
  assert.ok(await isOnTop(row.locator(".points")), "the score is covered");
  assert.ok(await isOnTop(row.locator(".state")), "the status is covered");
  await row.hover();
  for (const name of [/^Approve /, /^Reject /]) {
    assert.ok(await isOnTop(row.getByRole("button", { name })), "a button is covered");
  }
  const isWider = await leads.grid.evaluate((node) => node.scrollWidth > node.clientWidth);
  assert.equal(isWider, false, "the list scrolls sideways");
  const isTabCut = await page.getByRole("tablist").evaluate((tabs) => tabs.scrollWidth > tabs.clientWidth);
  assert.equal(isTabCut, false, "a tab is cut off");
  // Sort fields without a column are available here.
  await page.getByRole("combobox", { name: "Sort by" }).selectOption({ label: "Created" });
  await expectEventually("the new sort order", () => page.url().includes("created_at"));
});

test("a name of 300 letters leaves both buttons in reach", async (t) => {
  const name = "Maximiliana-Josephine ".repeat(14);
  const { leads } = await open(t, { viewport: PHONE, first: { name } });
  const approve = leads.grid.getByRole("button", { name: /^Approve Max/ });
  const { y, height } = await approve.boundingBox();
  assert.ok(y + height < PHONE.height, `the button ends at ${y + height}`);
  assert.ok(await isOnTop(approve));
});

test("a right-to-left name is cut off at its end", async (t) => {
  const name = "محمد عبد الرحمن الخوارزمي بن موسى";
  const { leads } = await open(t, { first: { name } });
  const shown = leads.grid.getByText(name, { exact: true });
  assert.equal(await shown.evaluate((node) => getComputedStyle(node).direction), "rtl");
});

test("only text that is cut off has a tooltip, while the pointer is on it", async (t) => {
  const name = "Maximiliana-Josephine ".repeat(14).trim();
  const { leads } = await open(t, { first: { name } });
  const row = leads.rows.first();
  const tooltip = (element) => element.getAttribute("title");
  await row.locator("b").hover();
  assert.equal(await tooltip(row.locator("b")), name);
  const company = row.locator("[data-column=company]");
  await company.hover();
  assert.equal(await tooltip(company), null);
  assert.equal(await tooltip(row.locator("b")), null);
});

test("on a phone a failed decision is reported although its lead is no longer on the screen", async (t) => {
  const { page, leads } = await open(t, { viewport: PHONE, expected: [/409/] });
  await page.route(/\/api\/leads(\/[^/?]+)?$/, async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    return route.fulfill({ status: 409, json: { detail: "Somebody else is changing it" } });
  });
  await leads.grid.getByRole("button", { name: /^Approve / }).first().click();
  const said = page.getByText("1 decision wasn't accepted");
  await said.waitFor();
  await expectEventually("the error to be on the screen", () => isOnTop(said));
});

test("on a phone the tab from the URL is visible", async (t) => {
  const { page } = await open(t, { viewport: PHONE, query: "?tab=all" });
  const tabs = await page.getByRole("tablist").boundingBox();
  const all = await page.getByRole("tab", { name: /^All/ }).boundingBox();
  assert.ok(all.x >= tabs.x && all.x + 20 < tabs.x + tabs.width, JSON.stringify({ tabs, all }));
});

test("the footer shows the configured keys, on the leads page only", async (t) => {
  const { page, leads } = await open(t);
  const hints = page.locator(".hints");
  assert.match(await hints.innerText(), /^j\s+next\s+a\s+approve\s+r\s+reject/);
  await leads.grid.focus();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Approve: (?!add)/ }).click();
  await page.keyboard.press("y");
  await expectEventually("the new key", async () => /y\s+approve/.test(await hints.innerText()));
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Accounts", exact: true }).click();
  await new AccountsPage(page).settled();
  assert.equal(await hints.count(), 0, "accounts have no decision keys");
});

test("in the details nothing covers the name, and an empty pulse is small", async (t) => {
  const { service, page, leads } = await open(t);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const details = page.getByRole("complementary", { name: "Lead details" });
  const heading = details.getByRole("heading", { level: 2 });
  await expectEventually("the focus on the name", () => heading.evaluate((node) => node === document.activeElement));
  assert.equal(await heading.evaluate((node) => getComputedStyle(node).outlineStyle), "none", "no ring round the name");
  const [name, title] = [await heading.boundingBox(), await details.locator(".top .sub").boundingBox()];
  assert.ok(title.y - (name.y + name.height) >= 1, "nothing covers the title");

  const { origin, hash } = new URL(service.url);
  const nothing = { total_leads: 0, leads_with_conversations: 0, leads_replied: 0, campaigns: [], chats: [] };
  await page.route("**/pulse**", (route) => route.fulfill({ json: nothing }));
  await page.goto("about:blank");
  await page.goto(`${origin}/accounts${hash}`);
  const accounts = new AccountsPage(page);
  await accounts.settled();
  await page.locator("[data-account-id]").first().click();
  const pulse = page.getByRole("region", { name: "Pulse" });
  const nobody = pulse.getByRole("heading", { name: "No leads yet" });
  await nobody.waitFor();
  const [head, said] = [await pulse.boundingBox(), await nobody.boundingBox()];
  assert.ok(said.y - head.y < 80, `the message is ${said.y - head.y} px below`);
});

test("the age of a signal stands out for three days", async (t) => {
  const first = [1, 5, 20].map((days) => {
    const created_at = new Date(Date.now() - days * 86_400_000).toISOString();
    return { intent: { event_type: "hiring", created_at } };
  });
  const { leads } = await open(t, { first });
  const classes = [];
  for (const at of first.keys()) {
    const signal = leads.rows.nth(at).locator(".last-signal");
    await signal.getByText("Hiring").waitFor();
    classes.push(await signal.getAttribute("class"));
  }
  assert.deepEqual(classes, ["last-signal fresh", "last-signal", "last-signal sub"]);
});
