// Commands by keys and in the help; changing key bindings and switching them off.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "./support/browser.mjs";
import { field, gone, help, isCompact, open, option, palette } from "./support/commands.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const keyOf = (page, command) => help(page).getByRole("button", { name: new RegExp(`^${command}: (?!add)`) });

// Holds a key down: one press with many repeats.
async function hold(page, key, times = 20) {
  for (let n = 0; n < times; n += 1) await page.keyboard.down(key);
  await page.keyboard.up(key);
}

test("the help lists what has a key, and the other commands on demand", async (t) => {
  const { page } = await open(t);
  await page.keyboard.press("?");
  await help(page).waitFor();
  await expectEventually("the focus on the dialog, not on a button", () =>
    help(page).evaluate((dialog) => dialog === document.activeElement),
  );
  await help(page).getByText("Next undecided lead").waitFor();
  const unassigned = help(page).getByText("Import leads");
  assert.equal(await unassigned.count(), 0);
  const more = help(page).getByRole("button", { name: "Add a key to another command" });
  await more.click();
  await unassigned.waitFor();
  await help(page).getByRole("button", { name: "Import leads: add a key" }).click();
  await page.keyboard.press("y");
  await help(page).getByText("“Import leads” is now y.").waitFor();
  await page.keyboard.press("Escape");
  await gone(help(page));
  await page.keyboard.press("?");
  await unassigned.waitFor();
  await page.keyboard.press("Escape");
  await gone(help(page));
  await page.keyboard.press("y");
  await page.waitForURL(/\/import/);
});

test("the focus returns when a dialog closes", async (t) => {
  const { page } = await open(t);
  const link = page.getByRole("link", { name: "Leads", exact: true });
  await link.focus();
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  await page.keyboard.press("Escape");
  await gone(palette(page));
  await expectEventually("the focus on the link", () =>
    link.evaluate((link) => link === document.activeElement),
  );
});

test("keys run commands, except while the user types", async (t) => {
  const { page, leads } = await open(t);
  await page.keyboard.press("/");
  await expectEventually("the search box to have the focus", () =>
    leads.search.evaluate((input) => input === document.activeElement),
  );
  await page.keyboard.type("z?vcgl2");
  assert.equal(await leads.search.inputValue(), "z?vcgl2");
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.ok(!isCompact(page));
  // The palette still opens.
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
});

test("holding a key runs its command once", async (t) => {
  const { page, leads } = await open(t);
  await hold(page, "z");
  await expectEventually("compact rows", () => isCompact(page));
  assert.ok(isCompact(page), "an even number of toggles would have restored it");
  await page.goBack();
  await expectEventually("the previous density", () => !isCompact(page));

  // Repeats of the key must not be typed into the search box that it focused.
  await hold(page, "/");
  await expectEventually("the search box to have the focus", () =>
    leads.search.evaluate((input) => input === document.activeElement),
  );
  assert.equal(await leads.search.inputValue(), "");
});

test("a key is changed, kept after a reload, and reset", async (t) => {
  const { page } = await open(t);
  await page.keyboard.press("?");
  const compact = "Compact or comfortable rows";
  await keyOf(page, compact).first().click();
  await page.keyboard.press("y");
  await help(page).getByText(`“${compact}” is now y.`).waitFor();
  await page.keyboard.press("Escape");
  await gone(help(page));

  await page.reload();
  await new LeadsPage(page).settled();
  await page.keyboard.press("z");
  assert.ok(!isCompact(page), "the old key does nothing");
  await page.keyboard.press("y");
  await expectEventually("compact rows", () => isCompact(page));

  await page.keyboard.press("?");
  await help(page).getByRole("button", { name: "Reset to defaults" }).click();
  await keyOf(page, compact).first().waitFor();
  await page.keyboard.press("Escape");
  await gone(help(page));
  await page.keyboard.press("z");
  await expectEventually("comfortable rows", () => !isCompact(page));
});

test("a key that another command uses is reassigned only after confirmation", async (t) => {
  const { page } = await open(t);
  await page.keyboard.press("?");
  const approve = keyOf(page, "Approve");
  await approve.first().click();
  await page.keyboard.press("r");
  await help(page).getByText("r is already used for “Reject”.").waitFor();
  assert.equal(await keyOf(page, "Reject").first().innerText(), "r");
  await page.keyboard.press("Control+w");
  await help(page).getByText("Ctrl W is reserved by the browser.").waitFor();
  await page.keyboard.press("r");
  await page.keyboard.press("r");
  await expectEventually("the key to be reassigned", async () => (await approve.first().innerText()) === "r");
  assert.equal(await keyOf(page, "Reject").count(), 0, "Reject has no key left");

  // Esc first cancels recording, then closes the dialog; Backspace removes the key.
  await approve.first().click();
  await page.keyboard.press("Escape");
  assert.equal(await help(page).count(), 1);
  await approve.first().click();
  await page.keyboard.press("Backspace");
  await help(page).getByText("Key removed from “Approve”.").waitFor();
  await page.keyboard.press("Escape");
  await gone(help(page));
});

test("single-key shortcuts can be switched off and stay off", async (t) => {
  const { page } = await open(t);
  await page.keyboard.press("?");
  await help(page).getByRole("switch", { name: "Single-key shortcuts" }).uncheck();
  await page.keyboard.press("Escape");
  await gone(help(page));
  for (let n = 0; n < 2; n += 1) {
    for (const key of ["?", "z", "/", "v", "c", "2", "g", "a"]) await page.keyboard.press(key);
    assert.equal(await page.getByRole("dialog").count(), 0);
    assert.ok(!isCompact(page));
    assert.ok(!(await page.evaluate(() => document.activeElement.matches("input, button"))));
    if (n === 0) await page.reload();
    await new LeadsPage(page).settled();
  }
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
});

test("a held decision key decides once, and its binding can be changed", async (t) => {
  const { page, leads } = await open(t);
  const [first, second, third] = await leads.ids();
  await page.keyboard.press("j");
  assert.equal(await page.evaluate(() => document.activeElement.role), "grid", "the grid has the focus");
  await hold(page, "a");
  await leads.waitForStatus(first, "approved");
  assert.equal(await leads.row(second).getAttribute("data-status"), "pending_approval");

  await page.keyboard.press("?");
  await keyOf(page, "Reject").first().click();
  await page.keyboard.press("y");
  await page.keyboard.press("Escape");
  await gone(help(page));
  await page.keyboard.press("r");
  await page.keyboard.press("y");
  await leads.waitForStatus(second, "rejected");
  assert.equal(await leads.row(third).getAttribute("data-status"), "pending_approval");

  // The palette runs the same command, and Undo reverts it.
  await page.keyboard.press("Control+k");
  await field(page).fill("undo");
  await page.keyboard.press("Enter");
  await leads.waitForStatus(second, "pending_approval");
});

test("numbers show the tabs in their order", async (t) => {
  const { page, leads } = await open(t);
  const tabs = page.getByRole("tablist", { name: "Status" }).getByRole("tab");
  const selected = (at) =>
    expectEventually(`tab ${at + 1}`, async () => (await tabs.nth(at).getAttribute("aria-selected")) === "true");
  for (const at of [1, 2, 3, 4, 0]) {
    await page.keyboard.press(String(at + 1));
    await selected(at);
  }
  assert.deepEqual(
    await tabs.evaluateAll((all) => all.map((tab) => tab.textContent.split(" ")[0])),
    ["Pending", "Approved", "Rejected", "Filtered", "All"],
  );
  await page.goBack();
  await selected(4);
  await leads.settled();
  // The palette has them, too, but for the tab that is shown.
  await page.keyboard.press("Control+k");
  await field(page).fill("leads");
  await option(page, "Rejected leads").waitFor();
  assert.equal(await option(page, "All leads").count(), 0);
});

test("keys of the grid do nothing where another part of the page has the focus", async (t) => {
  const { page, leads } = await open(t);
  await leads.tab("Pending").focus();
  for (const key of ["j", "a", "x", "Delete"]) await page.keyboard.press(key);
  assert.equal(await page.locator("[data-cursor=true]").count(), 0);
  assert.equal(await page.locator('[data-phase]:not([data-phase="idle"])').count(), 0);
});
