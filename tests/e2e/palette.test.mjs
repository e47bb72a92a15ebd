// The command palette and the workspace menu.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "./support/browser.mjs";
import { field, gone, help, isCompact, open, option, palette } from "./support/commands.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { menu, menuButton, openMenu } from "./support/menu.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("the palette finds a command by a few letters and runs it", async (t) => {
  const { page } = await open(t);
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  assert.ok(await field(page).evaluate((input) => input === document.activeElement));

  await field(page).fill("gta");
  const first = palette(page).getByRole("option").first();
  assert.match(await first.innerText(), /^Go to accounts/);
  assert.equal(await first.getAttribute("aria-selected"), "true");
  assert.equal(await field(page).getAttribute("aria-activedescendant"), await first.getAttribute("id"));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/accounts/);
  await gone(palette(page));

  // Recently used commands come first.
  await page.keyboard.press("Control+k");
  await field(page).fill("zzzz");
  await palette(page).getByText("No matches.").waitFor();
  await page.keyboard.press("Escape");
  await gone(palette(page));
  await page.goBack();
  await new LeadsPage(page).settled();
  await page.keyboard.press("Control+k");
  await option(page, "Go to accounts").waitFor();
  assert.match(await palette(page).getByRole("option").first().innerText(), /^Go to accounts/);
});

test("an accidental Enter in the palette decides nothing, and commands for the selection come first", async (t) => {
  const { page, leads } = await open(t);
  await leads.grid.focus();
  await page.keyboard.press("j");
  const first = palette(page).getByRole("option").first();
  const opened = async () => {
    await page.keyboard.press("Control+k");
    await first.waitFor();
  };
  await opened();
  assert.match(await first.innerText(), /^Recent decisions/);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Recent decisions" }).waitFor();
  await page.keyboard.press("Escape");
  assert.equal(await leads.grid.locator('[role="row"][data-phase="confirmed"]').count(), 0);

  await page.keyboard.press("x");
  await opened();
  await field(page).fill("score");
  assert.match(await first.innerText(), /^Score selected/);
});

test("the palette works with arrow keys and mouse, and shows the keys", async (t) => {
  const { page } = await open(t);
  await page.getByRole("button", { name: "Commands" }).click();
  const options = palette(page).getByRole("option");
  await options.first().waitFor();
  await page.keyboard.press("ArrowDown");
  assert.equal(await options.nth(1).getAttribute("aria-selected"), "true");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("ArrowUp");
  assert.equal(await options.last().getAttribute("aria-selected"), "true");
  assert.match(await option(page, "Search").innerText(), /\//);
  await option(page, "Compact or comfortable rows").click();
  await expectEventually("compact rows", () => isCompact(page));
});

test("the palette goes to leads, accounts and lists by name, and recent ones come first", async (t) => {
  const { service, page, leads } = await open(t);
  const name = await leads.name(leads.rows.nth(3));
  const { body } = await service.call("POST", "/api/accounts/query", { page_size: 1 });
  const [account] = body.data;
  const searches = [];
  page.on("request", (request) => {
    if (!request.url().endsWith("/query") || !request.postData()) return;
    const { search, page_size: size } = JSON.parse(request.postData());
    if (search && size === 5) searches.push(search);
  });
  const first = palette(page).getByRole("option").first();
  const opened = async () => {
    await page.keyboard.press("Control+k");
    await field(page).waitFor();
  };

  await opened();
  // By timers of the page: what delays them delays the search, too.
  await field(page).evaluate(async (input, name) => {
    for (let end = 1; end <= name.length; end += 1) {
      input.value = name.slice(0, end);
      input.dispatchEvent(new InputEvent("input", { bubbles: true }));
      await new Promise((next) => setTimeout(next, 20));
    }
  }, name);
  await option(page, name).filter({ hasText: "Lead" }).waitFor();
  assert.deepEqual([...new Set(searches)], [name], "one search after the typing");
  assert.match(await first.innerText(), new RegExp(`^${name}`));
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Lead details" }).getByRole("heading", { level: 2, name }).waitFor();

  await opened();
  assert.match(await first.innerText(), new RegExp(`^${name}`), "the place that was opened last");
  await field(page).fill(account.name);
  await option(page, account.name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")).filter({ hasText: "Account" }).click();
  await page.getByRole("region", { name: "Account details" }).getByRole("heading", { level: 2 }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("account"), account.id);

  const facets = await service.call("GET", "/api/leads/facets");
  const [list] = facets.body.lists;
  await opened();
  await field(page).fill(list.list_name);
  await palette(page).getByRole("option").filter({ hasText: list.list_name }).filter({ hasText: "List" }).first().click();
  await expectEventually("the leads of the list", () => page.url().includes(encodeURIComponent(list.list_id)));
});

test("a failed search in the palette is reported, and commands still work", async (t) => {
  const { page } = await open(t, { expected: [/500/] });
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  await page.route("**/query", (route) => route.fulfill({ status: 500, json: { detail: "broken" } }));
  await field(page).fill("go to accounts");
  await palette(page).getByText("Leads and accounts could not be searched.").waitFor();
  await page.unroute("**/query");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/accounts/);
});

test("the workspace menu works by keys and says where one is", async (t) => {
  const { page } = await open(t);
  const name = "Northwind outbound";
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  const isOpen = () => menuButton(page).getAttribute("aria-expanded");
  assert.equal(await menuButton(page).getAttribute("aria-label"), `${name}, menu`);
  await menuButton(page).focus();
  await page.keyboard.press("ArrowDown");
  await menu(page).waitFor();
  await expectEventually("the first item", async () => (await focused()) === name);
  assert.equal(await menu(page).getByRole("menuitemradio", { name }).getAttribute("aria-checked"), "true");
  await page.keyboard.press("ArrowUp");
  assert.equal(await focused(), "Sign out…");
  await page.keyboard.press("Home");
  await page.keyboard.press("i");
  assert.equal(await focused(), "Import leads");
  assert.ok(!isCompact(page));
  await page.keyboard.press("d");
  assert.equal(await focused(), "Dark", "letters move in the menu, and run no command");
  assert.ok(!isCompact(page));
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("html").getAttribute("data-theme"), "dark");
  assert.equal(await isOpen(), "true", "colors can be compared");
  await page.keyboard.press("Escape");
  await gone(menu(page));
  assert.ok(await menuButton(page).evaluate((node) => node === document.activeElement));

  await page.keyboard.press("ArrowUp");
  await expectEventually("the last item", async () => (await focused()) === "Sign out…");
  await page.keyboard.press("Tab");
  await gone(menu(page));
  assert.equal(await focused(), "Leads", "the next element after the button");

  // A press elsewhere, and a second press of the button, close it.
  await openMenu(page);
  await page.getByRole("tab").last().click();
  await gone(menu(page));
  await openMenu(page);
  await menuButton(page).click();
  await gone(menu(page));

  await openMenu(page);
  await menu(page).getByRole("menuitem", { name: "Keyboard shortcuts" }).click();
  await help(page).waitFor();
  await page.keyboard.press("Escape");
  await gone(help(page));
  await expectEventually("the focus on the button", () =>
    menuButton(page).evaluate((node) => node === document.activeElement),
  );
  await openMenu(page);
  await menu(page).getByRole("menuitem", { name: "Import leads" }).click();
  await page.waitForURL(/\/import/);
});
