// The menu of a row: a right click, or the menu key, shows its commands.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { AccountsPage } from "./support/accounts.mjs";
import { colorViolations, violations } from "./support/axe.mjs";
import { DESKTOP, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const menu = (page) => page.getByRole("menu");
const item = (page, name) => menu(page).getByRole("menuitem", { name: new RegExp(`^${name}`) });
const gone = (found) => expectEventually("it to be gone", async () => (await found.count()) === 0);
const cursor = (page) => page.locator('[role="row"][data-cursor=true]');
const isFocused = (locator) => locator.evaluate((node) => node === document.activeElement);

async function open(t, options) {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { viewport: DESKTOP, ...options });
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads, ids: await leads.ids() };
}

async function rightClick(page, row) {
  await row.click({ button: "right" });
  await menu(page).waitFor();
}

test("a right click opens the commands of the row, each with its key", async (t) => {
  const { page, leads, ids } = await open(t);
  const row = leads.row(ids[2]);
  const name = await leads.name(row);
  await rightClick(page, row);
  assert.equal(await menu(page).getAttribute("aria-label"), `Commands for ${name}`);
  assert.equal(await cursor(page).getAttribute("data-lead-id"), ids[2], "the row has the cursor");
  assert.equal(await page.getByRole("complementary", { name: "Lead details" }).count(), 0, "nothing else is opened");
  const texts = await menu(page).getByRole("menuitem").allInnerTexts();
  assert.deepEqual(
    texts.map((text) => text.replaceAll(/\s+/g, " ").trim()),
    [
      "Open details Enter",
      "Approve a",
      "Reject r",
      "Move back to pending p",
      "Filter out f",
      "Select or unselect x",
      "Select all leads of the company Shift X",
      "Copy a link to this row l",
      "Score this account s",
      "Delete Del",
    ],
  );
  await item(page, "Approve").click();
  await leads.waitForStatus(ids[2], "approved");
  await gone(menu(page));
  assert.ok(await isFocused(leads.grid));

  await rightClick(page, leads.row(ids[4]));
  await item(page, "Select or unselect").click();
  await page.getByText("1 selected").waitFor();
  await rightClick(page, leads.row(ids[5]));
  await item(page, "Delete").click();
  const deleted = await leads.name(leads.row(ids[5]));
  await page.getByRole("alertdialog", { name: `Delete ${deleted}?` }).waitFor();
  await page.keyboard.press("Escape");
  await rightClick(page, leads.row(ids[6]));
  const company = await leads.row(ids[6]).locator("[data-column=company]").innerText();
  await item(page, "Score this account").click();
  await page.getByRole("alertdialog", { name: `Score ${company}?` }).waitFor();
});

test("the menu works by keys, and the focus returns to the list", async (t) => {
  const { page, leads, ids } = await open(t);
  await leads.grid.focus();
  for (const key of ["j", "j"]) await page.keyboard.press(key);
  for (const key of ["Shift+F10", "ContextMenu"]) {
    await page.keyboard.press(key);
    await expectEventually("the first item", () => isFocused(item(page, "Open details")));
    await page.keyboard.press("Escape");
    await gone(menu(page));
    assert.ok(await isFocused(leads.grid));
  }
  await page.keyboard.press("Shift+F10");
  await expectEventually("the first item", () => isFocused(item(page, "Open details")));
  // Letters move in the menu, and run no command.
  await page.keyboard.press("r");
  assert.ok(await isFocused(item(page, "Reject")));
  assert.equal(await leads.row(ids[1]).getAttribute("data-status"), "pending_approval");
  await page.keyboard.press("Enter");
  await leads.waitForStatus(ids[1], "rejected");
  assert.equal(await leads.row(ids[0]).getAttribute("data-status"), "pending_approval");
  await page.keyboard.press("Shift+F10");
  await menu(page).waitFor();
  await page.keyboard.press("Tab");
  await gone(menu(page));
  // The palette has it, too.
  await leads.grid.focus();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("commands of this row");
  await page.keyboard.press("Enter");
  await menu(page).waitFor();
});

test("a press elsewhere closes the menu, and another right click moves it", async (t) => {
  const { page, leads, ids } = await open(t);
  await rightClick(page, leads.row(ids[1]));
  const name = await leads.name(leads.row(ids[10]));
  await leads.row(ids[10]).click({ button: "right" });
  await page.getByRole("menu", { name: `Commands for ${name}` }).waitFor();
  assert.equal(await menu(page).count(), 1);
  await leads.search.click();
  await gone(menu(page));
  // At the end of the page it stays in view.
  await page.setViewportSize({ width: 1024, height: 500 });
  await leads.row(ids[8]).click({ button: "right", position: { x: 900, y: 20 } });
  await menu(page).waitFor();
  await expectEventually("the menu within the page", async () => {
    const box = await menu(page).boundingBox();
    return box.x >= 0 && box.y >= 0 && box.x + box.width <= 1024 && box.y + box.height <= 500;
  });
  await page.mouse.move(300, 200);
  await page.mouse.wheel(0, 100);
  await gone(menu(page));
});

test("Shift keeps the menu of the browser", async (t) => {
  const { page, leads, ids } = await open(t);
  const prevented = await leads.row(ids[1]).evaluate((row) => {
    const send = (shiftKey) => {
      const event = new PointerEvent("contextmenu", { bubbles: true, cancelable: true, shiftKey, pointerType: "mouse" });
      row.firstElementChild.dispatchEvent(event);
      return event.defaultPrevented;
    };
    return [send(true), send(false)];
  });
  assert.deepEqual(prevented, [false, true]);
  await menu(page).waitFor();
});

test("a link to the lead is copied", async (t) => {
  const { service, page, leads, ids } = await open(t, { permissions: ["clipboard-read", "clipboard-write"] });
  await rightClick(page, leads.row(ids[3]));
  await item(page, "Copy a link to this row").click();
  await page.getByRole("status").getByText("Link copied").waitFor();
  // The page itself may not read the clipboard.
  await leads.search.focus();
  await page.keyboard.press("ControlOrMeta+V");
  assert.equal(await leads.search.inputValue(), `${service.origin}/leads?lead=${ids[3]}`);
});

test("with details open, the menu is about its own row", async (t) => {
  const { page, leads, ids } = await open(t);
  await leads.row(ids[0]).locator("[data-column=name]").click();
  const details = page.getByRole("complementary", { name: "Lead details" });
  await details.getByRole("heading", { level: 2, name: await leads.name(leads.row(ids[0])) }).waitFor();
  const name = await leads.name(leads.row(ids[3]));
  await rightClick(page, leads.row(ids[3]));
  await details.getByRole("heading", { level: 2, name }).waitFor();
  await item(page, "Filter out").click();
  await leads.waitForStatus(ids[3], "filtered");
  assert.equal(await leads.row(ids[0]).getAttribute("data-status"), "pending_approval");
});

test("an account has the commands that apply to it", async (t) => {
  const { service, page } = await open(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const accounts = await AccountsPage.open(page, service);
  const ids = await accounts.ids();
  await rightClick(page, accounts.row(ids[2]));
  assert.deepEqual(
    await menu(page).locator(".label").allInnerTexts(),
    ["Open details", "Select or unselect", "Copy a link to this row", "Score this account"],
  );
  assert.deepEqual(await violations(page), []);
  // The elements are the same in every scheme.
  for (const media of [{ colorScheme: "dark" }, { forcedColors: "active" }]) {
    await page.emulateMedia(media);
    assert.deepEqual(await colorViolations(page, new Set()), []);
  }
  await item(page, "Open details").click();
  await page.getByRole("region", { name: "Account details" }).getByRole("heading", { level: 2 }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get("account"), ids[2]);
});
