// Every task with the keyboard only. The focus must never be lost.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const focusedOn = (page, selector) =>
  page.evaluate((selector) => Boolean(document.activeElement?.closest(selector)), selector);

async function open(t, options) {
  const service = await Service.start(t, { demo: 140 });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  const total = async (...filters) =>
    (await service.call("POST", "/api/leads/query", { filters, page_size: 1 })).body.total;
  const status = (value) => total({ field: "approval_status", operator: "eq", value });
  // Waits, because the replacement of a removed element may take a moment to get the focus.
  const somewhere = async (what) =>
    expectEventually(`an element to have the focus after ${what}`, () =>
      page.evaluate(() => document.activeElement !== document.body),
    );
  return { service, page, leads, total, status, somewhere };
}

// Presses Tab or Shift+Tab until `selector` has the focus.
async function tabTo(page, selector, key = "Tab") {
  for (let n = 0; n < 80; n += 1) {
    if (await page.evaluate((selector) => document.activeElement.matches(selector), selector)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} did not reach ${selector}`);
}

test("every task works without a pointer", async (t) => {
  const { page, leads, total, status, somewhere } = await open(t);
  const { keyboard } = page;
  const all = await total();

  // Search.
  await keyboard.press("/");
  await keyboard.type("a");
  await keyboard.press("Enter");
  await expectEventually("the search in the URL", () => new URL(page.url()).searchParams.get("q") === "a");
  await leads.settled();
  await keyboard.press("Control+a");
  await keyboard.press("Delete");
  await keyboard.press("Enter");
  await expectEventually("no search", () => !new URL(page.url()).searchParams.has("q"));
  await leads.settled();
  await somewhere("a search");

  // A filter in the sidebar.
  await page.getByRole("group", { name: "ICP tier" }).waitFor();
  await tabTo(page, ".sidebar input[type=checkbox]");
  await keyboard.press("Space");
  await expectEventually("a chip", async () => (await page.getByRole("group", { name: "Active filters" }).count()) === 1);
  await leads.settled();
  await somewhere("a filter");
  await keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).waitFor();
  await keyboard.type("clear search");
  await keyboard.press("Enter");
  await expectEventually("no filter", async () => (await page.getByRole("group", { name: "Active filters" }).count()) === 0);
  await leads.settled();
  await somewhere("the palette");

  // Sort with the arrow keys on the header.
  await tabTo(page, "[role=grid]");
  await keyboard.press("j");
  await keyboard.press("ArrowUp");
  await keyboard.press("ArrowRight");
  await keyboard.press("Enter");
  await expectEventually("a sort by name", async () => (await leads.header("Name").getAttribute("aria-sort")) !== "none");
  await leads.settled();
  await somewhere("a sort");
  await keyboard.press("ArrowDown");

  // Decide, undo, redo.
  const approved = await status("approved");
  await keyboard.press("a");
  await expectEventually("one more approved lead", async () => (await status("approved")) === approved + 1);
  await keyboard.press("u");
  await expectEventually("the decision to be undone", async () => (await status("approved")) === approved);
  await keyboard.press("Control+Shift+Z");
  await expectEventually("the decision to be redone", async () => (await status("approved")) === approved + 1);

  // A decision in the details.
  await keyboard.press("Enter");
  const details = page.getByRole("complementary", { name: "Lead details" });
  await details.getByRole("heading", { level: 2 }).waitFor();
  await keyboard.press("r");
  await expectEventually("one lead rejected in the details", () => page.getByText(/^Rejected /).first().isVisible());
  await keyboard.press("Escape");
  await details.waitFor({ state: "detached" });
  assert.ok(await focusedOn(page, "[role=grid]"), "back in the list");

  // Delete.
  await keyboard.press("Delete");
  await page.getByRole("alertdialog").waitFor();
  await tabTo(page, "dialog[open] .danger");
  await keyboard.press("Enter");
  await page.getByText(/^Deleting /).waitFor();
  await somewhere("a deletion");
  await expectEventually("one lead fewer", async () => (await total()) === all - 1);
  await somewhere("a row that went");

  // Hide a column, and show it again.
  await keyboard.press("c");
  const columns = page.getByRole("dialog", { name: "Columns" });
  await columns.waitFor();
  await tabTo(page, "dialog[open] .line:nth-child(4) input[type=checkbox]");
  await keyboard.press("Space");
  await expectEventually("no Company column", async () => (await leads.header("Company").count()) === 0);
  await keyboard.press("Space");
  await keyboard.press("Escape");
  await columns.waitFor({ state: "detached" });
  await somewhere("the columns");

  // Save a view and open it.
  await keyboard.press("v");
  const views = page.getByRole("dialog", { name: "Views" });
  await views.waitFor();
  await tabTo(page, "dialog[open] input[type=text]");
  await keyboard.press("Control+a");
  await keyboard.type("By name");
  await keyboard.press("Enter");
  await views.getByRole("link", { name: "By name" }).waitFor();
  await tabTo(page, "dialog[open] .line a");
  await keyboard.press("Enter");
  await views.waitFor({ state: "detached" });
  await somewhere("the views");

  // Export.
  await keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).waitFor();
  await keyboard.type("export");
  await keyboard.press("Enter");
  await page.locator("button:focus", { hasText: "Everything" }).waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
  assert.match(download.suggestedFilename(), /\.csv$/);
  await somewhere("an export");

  // Select all matching leads, reject them together, and undo it.
  const pending = await status("pending_approval");
  await tabTo(page, "[role=grid]");
  await keyboard.press("Control+a");
  await keyboard.press("Control+a");
  await page.getByText(new RegExp(`^${pending} selected$`)).waitFor();
  await keyboard.press("Shift+R");
  await expectEventually("no pending leads", async () => (await status("pending_approval")) === 0);
  await somewhere("many decisions");
  await keyboard.press("h");
  await page.getByRole("dialog", { name: "Recent decisions" }).waitFor();
  await tabTo(page, "dialog[open] li:first-child .acts button");
  await keyboard.press("Enter");
  await expectEventually("all leads to be pending", async () => (await status("pending_approval")) === pending);
  await keyboard.press("Escape");
  await somewhere("the latest decisions");
});

test("the focus is never lost when an element disappears", async (t) => {
  const { page, leads, somewhere } = await open(t);
  const close = async (key, name) => {
    await leads.grid.focus();
    await page.keyboard.press(key);
    await page.getByRole("dialog", { name }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name }).waitFor({ state: "detached" });
    assert.ok(await focusedOn(page, "[role=grid]"), `back from ${name}`);
  };
  await close("Control+k", "Commands");
  await close("?", "Keyboard shortcuts");
  await close("c", "Columns");
  await close("v", "Views");
  await close("h", "Recent decisions");

  // A button that becomes disabled.
  await leads.decide(leads.rows.nth(2), "Approve");
  await somewhere("a button that is off");
  // A button that is removed together with its target.
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await somewhere("an undo");
  await page.getByRole("button", { name: "Redo", exact: true }).click();
  await somewhere("a redo");
  await leads.rows.nth(4).getByRole("checkbox").click();
  await page.getByRole("button", { name: "Clear selection" }).click();
  await somewhere("a bar that goes");

  await page.getByRole("button", { name: "Refresh" }).click();
  await leads.settled();
  await somewhere("a list that was loaded again");
  await leads.tab("All").click();
  await leads.settled();
  await somewhere("another tab");

  // The focused row is scrolled out of view.
  await leads.rows.nth(1).getByRole("checkbox").click();
  await leads.grid.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  await leads.settled();
  await page.waitForTimeout(100);
  await somewhere("a row that went out of sight");

  await leads.grid.evaluate((grid) => grid.scrollTo(0, 0));
  await leads.settled();
  await leads.rows.nth(1).getByRole("gridcell").nth(2).click();
  const details = page.getByRole("complementary", { name: "Lead details" });
  await details.getByRole("button", { name: "Close" }).click();
  await details.waitFor({ state: "detached" });
  await somewhere("the details");
});

const MANY = 13_000;

// Opens a long list of leads with profile links.
async function openMany(t, options) {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t, options);
  await page.route("**/api/leads/query", async (route) => {
    const { page: number = 1, page_size: size = 50 } = route.request().postDataJSON();
    const first = (number - 1) * size;
    const data = Array.from({ length: Math.min(size, MANY - first) }, (_, n) => ({
      lead_id: `lead-${first + n}`,
      name: `Lead ${first + n}`,
      profile_url: `https://example.com/${first + n}`,
      approval_status: "pending_approval",
    }));
    await route.fulfill({ json: { data, total: MANY, page: number, page_size: size } });
  });
  await page.route("**/api/leads/lead-*", (route) =>
    route.fulfill({ json: { lead_id: "lead-0", name: "Lead 0", profile_url: "https://example.com/0" } }),
  );
  return { page, leads: await LeadsPage.open(page, service.url) };
}

test("keys after another page, a dialog, a search or a press of a button act on the list", async (t) => {
  const { page, leads, status } = await open(t);
  const pending = await status("pending_approval");
  await leads.grid.focus();

  // What is typed after `v` is a name, with a space and letters that are commands elsewhere.
  await page.keyboard.press("v");
  const name = page.getByRole("textbox", { name: "Name of this view" });
  await name.waitFor();
  await page.keyboard.type(" a part");
  assert.equal(await name.inputValue(), " a part");
  await page.keyboard.press("Escape");

  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await page.locator('[role="row"][data-account-id]').first().waitFor();
  await expectEventually("the accounts to have the focus", () => focusedOn(page, "[role=grid]"));
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("region", { name: "Account details" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("l");
  await leads.settled();

  await page.keyboard.press("/");
  await page.keyboard.press("ArrowDown");
  assert.ok(await focusedOn(page, "[role=grid]"), "from the search to the list");
  await page.keyboard.press("/");
  await page.keyboard.type("a");
  await page.keyboard.press("Escape");
  assert.equal(await leads.search.inputValue(), "");
  assert.ok(await focusedOn(page, "[role=searchbox]"), "still in the field");
  await page.keyboard.press("Escape");
  assert.ok(await focusedOn(page, "[role=grid]"), "from the empty field to the list");

  await page.getByRole("button", { name: "Compact rows" }).click();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: "Lead details" }).waitFor();
  assert.equal(await status("pending_approval"), pending, "nothing was decided");
});

test("one Tab leaves a grid of 13,000 leads, and Enter opens the profile", async (t) => {
  const { page, leads } = await openMany(t);
  await leads.rows.first().hover();
  await leads.grid.getByRole("button", { name: "Approve Lead 0" }).waitFor();
  for (const key of ["Tab", "Shift+Tab"]) {
    await leads.grid.focus();
    await page.keyboard.press(key);
    assert.equal(await focusedOn(page, "[role=grid]"), false, key);
  }

  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const details = page.getByRole("complementary", { name: "Lead details" });
  await details.getByRole("heading", { name: "Lead 0" }).waitFor();
  const link = details.getByRole("link", { name: "Profile of Lead 0" });
  await tabTo(page, "a[aria-label='Profile of Lead 0']");
  assert.equal(await link.getAttribute("href"), "https://example.com/0");
});

test("on a phone Tab leaves the cards after the two controls of the visible one", async (t) => {
  const { page, leads } = await openMany(t, { viewport: PHONE });
  await leads.grid.focus();
  for (let presses = 0; presses < 3; presses += 1) await page.keyboard.press("Tab");
  assert.equal(await focusedOn(page, "[role=grid]"), false);
  assert.equal(await leads.grid.evaluate((grid) => grid.scrollTop), 0);
});
