// Dialogs and keys: the palette, the help, recent decisions, and keys that are pressed one after the other.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { field, help, option, palette } from "../e2e/support/commands.mjs";
import { LeadsPage } from "../e2e/support/leads.mjs";
import { allSaved, expectEventually } from "../e2e/support/wait.mjs";
import { closeBrowser } from "./support/page.mjs";
import { openLeads, startKeys, statusOf } from "./support/stage.mjs";

after(closeBrowser);

const recent = (page) => page.getByRole("dialog", { name: "Recent decisions" });
const hint = (page) => page.locator(".key-hint");
const gone = (locator) => locator.waitFor({ state: "detached" });

test("the palette has the focus, finds a command by a few letters, and Enter runs it", async (t) => {
  const { page } = await openLeads(t);
  await page.keyboard.press("Control+k");
  await expectEventually("the focus in the field", () => field(page).hasFocus());
  await field(page).fill("gta");
  const first = palette(page).getByRole("option").first();
  await expectEventually("the command", async () => /^Go to accounts/.test(await first.innerText()));
  assert.equal(await field(page).getAttribute("aria-activedescendant"), await first.getAttribute("id"));
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/accounts/);
  await gone(palette(page));
});

test("Escape closes the palette, and the focus returns to the list", async (t) => {
  const { page, leads } = await openLeads(t);
  await startKeys(leads);
  await page.keyboard.press("Control+k");
  await option(page, "Recent decisions").waitFor();
  await page.keyboard.press("ArrowDown");
  assert.equal(await palette(page).getByRole("option").nth(1).getAttribute("aria-selected"), "true");
  await page.keyboard.press("Escape");
  await gone(palette(page));
  await expectEventually("the focus on the list", () => leads.grid.hasFocus());
});

test("the palette goes to a lead by its name", async (t) => {
  const { page, leads } = await openLeads(t);
  const name = await leads.name(leads.rows.nth(3));
  await page.keyboard.press("Control+k");
  await field(page).fill(name);
  await option(page, name).filter({ hasText: "Lead" }).click();
  await page.getByRole("complementary", { name: "Lead details" }).getByRole("heading", { level: 2, name }).waitFor();
});

test("the help lists all keys, and a key can be changed", async (t) => {
  const { page, leads, ids } = await openLeads(t);
  await startKeys(leads);
  await page.keyboard.press("?");
  await help(page).getByRole("button", { name: /^Approve: (?!add)/ }).click();
  await page.keyboard.press("y");
  await help(page).getByText("“Approve” is now y.").waitFor();
  await page.keyboard.press("Escape");
  await gone(help(page));
  await expectEventually("the focus on the list", () => leads.grid.hasFocus());
  await page.keyboard.press("y");
  await leads.waitForStatus(ids[0], "approved");
});

test("recent decisions are listed, and each is undone alone", async (t) => {
  const { service, page, leads, ids } = await openLeads(t);
  await startKeys(leads);
  for (const key of ["a", "r"]) await page.keyboard.press(key);
  await allSaved(page);
  await page.keyboard.press("h");
  const lines = recent(page).getByRole("listitem");
  await expectEventually("two decisions", async () => (await lines.count()) === 2);
  await lines.nth(1).getByRole("button", { name: /^Undo: Approved / }).click();
  await expectEventually("the first lead to be pending", async () => (await statusOf(service, ids[0])) === "pending_approval");
  assert.equal(await statusOf(service, ids[1]), "rejected");
  await page.keyboard.press("Escape");
  await gone(recent(page));
  await expectEventually("the focus on the list", () => leads.grid.hasFocus());
});

test("Tab stays in a dialog", async (t) => {
  const { page, leads } = await openLeads(t);
  await leads.grid.focus();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await dialog.waitFor();
  const controls = await dialog.evaluate((node) => node.querySelectorAll("button, input, a[href]").length);
  for (let n = 0; n < controls + 5; n += 1) {
    await page.keyboard.press("Tab");
    const outside = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement !== document.body && !activeElement.closest("dialog");
    });
    assert.equal(outside, false, `after ${n + 1} steps`);
  }
});

test("g and then a letter opens a page, with a hint in between", async (t) => {
  const { page, leads } = await openLeads(t);
  await leads.grid.focus();
  for (const [key, path] of [["a", "accounts"], ["p", "portfolio"], ["i", "insights"], ["s", "settings"], ["l", "leads"]]) {
    await page.keyboard.press("g");
    await hint(page).waitFor();
    await page.keyboard.press(key);
    await page.waitForURL(new RegExp(`/${path}`));
    await gone(hint(page));
  }
  const back = new LeadsPage(page);
  await back.settled();
  assert.equal(await back.grid.locator('[data-phase]:not([data-phase="idle"])').count(), 0, "nothing was decided");
});

test("Back closes a dialog and stays on the page", async (t) => {
  const { page, leads } = await openLeads(t);
  await leads.showAll();
  await leads.grid.focus();
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "Columns" });
  await dialog.waitFor();
  await page.goBack();
  await gone(dialog);
  assert.equal((await page.url()).pathname, "/leads");
});
