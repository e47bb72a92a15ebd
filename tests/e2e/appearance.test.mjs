// The settings of the appearance: colors, formats of numbers and dates, density, and the rows per request.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { AccountsPage } from "./support/accounts.mjs";
import { closeBrowser, openPage, PHONE } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { openSettings as settings } from "./support/menu.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("theme, number format and date format can be set", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t, { viewport: PHONE });
  await LeadsPage.open(page, service.url);
  await settings(page);
  for (const colors of ["Dark", "Light"]) {
    await page.getByText(colors, { exact: true }).click();
    assert.equal(await page.locator("html").getAttribute("data-theme"), colors.toLowerCase());
  }
  await page.getByText("Compact", { exact: true }).click();
  await page.getByLabel("Language of numbers and dates").selectOption("de");
  await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
  await page.getByText(/^1\.234\.567 · /).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= PHONE.width);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("button", { name: "Keyboard shortcuts…", exact: true }).click();
  await page.getByRole("dialog", { name: /shortcuts/i }).waitFor();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByText(/^1\.234\.567 · /).waitFor();
  await page.getByRole("link", { name: "Leads" }).click();
  const leads = new LeadsPage(page);
  await leads.settled();
  assert.equal(await page.locator(".page").first().getAttribute("data-density"), "compact");
  await page.keyboard.press("c");
  await page.getByRole("dialog", { name: "Columns" }).getByRole("checkbox", { name: "Created" }).check();
  await leads.rows.first().getByText(/\d+\. \p{L}+\.? \d{4}/u).waitFor();
});

test("the rows per request apply to both lists, which keep their scroll position", async (t) => {
  const service = await Service.start(t, { demo: 400 });
  const page = await openPage(t);
  const asked = [];
  page.on("request", (request) => {
    if (!/\/api\/(leads|accounts)\/query$/.test(request.url())) return;
    const { page: number, page_size: size } = JSON.parse(request.postData());
    // Tab counts request a single row.
    if (size > 1) asked.push({ number, size });
  });
  const only = async (size) => {
    await expectEventually(`${size} rows in each request`, () => asked.some((one) => one.size === size));
    assert.deepEqual(asked.filter((one) => one.size !== size), []);
  };
  const choose = async (size) => {
    await settings(page);
    asked.length = 0;
    await page.getByRole("group", { name: "Rows per request" }).getByText(`${size}`, { exact: true }).click();
  };
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  await only(50);
  const cursor = leads.grid.locator('[role="row"][data-cursor="true"]');
  const ids = await leads.ids();
  await leads.row(ids[1]).getByRole("checkbox").click();
  await leads.row(ids[3]).getByRole("gridcell").nth(1).click();
  await page.getByRole("complementary", { name: "Lead details" }).waitFor();
  await page.keyboard.press("Escape");
  await leads.grid.evaluate((grid) => grid.scrollTo(0, 8000));
  const range = page.locator(".footer .range");
  await expectEventually("another scroll position", async () => (await range.innerText()).startsWith("201–"));
  const place = await range.innerText();
  await leads.settled();

  await choose(25);
  await page.getByText("More rows mean fewer, larger responses.").waitFor();
  await page.goBack();
  await leads.settled();
  await only(25);
  assert.ok(asked.every(({ number }) => number > 5), "from the previous scroll position");
  assert.equal(await range.innerText(), place);
  await page.getByText("1 selected").waitFor();
  await page.keyboard.press("j");
  await expectEventually("the previous cursor", async () => (await cursor.getAttribute("data-lead-id")) === ids[4]);
  assert.equal(await leads.row(ids[1]).getAttribute("aria-selected"), "true");

  asked.length = 0;
  await page.reload();
  await leads.settled();
  await page.getByRole("link", { name: "Accounts", exact: true }).click();
  const accounts = new AccountsPage(page);
  await accounts.settled();
  await only(25);
  await accounts.rows.first().getByRole("checkbox").click();
  await choose(100);
  await page.getByRole("link", { name: "Accounts", exact: true }).click();
  await accounts.settled();
  await only(100);
  await accounts.selected(1).waitFor();
  await page.reload();
  await settings(page);
  assert.ok(await page.getByRole("radio", { name: "100" }).isChecked());
});
