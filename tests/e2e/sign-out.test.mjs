// Signing out, in one tab or in all tabs, with a single input for the next key.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const question = (page) => page.getByRole("dialog", { name: "Sign out" });
const keyDialog = (page) => page.getByRole("dialog", { name: "Workspace key" });
const keys = (page) => page.evaluate(() => Object.values(sessionStorage).join());

async function ask(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("sign out");
  await page.getByRole("option", { name: /^Sign out/ }).waitFor();
  await page.keyboard.press("Enter");
  await question(page).waitFor();
}

const confirm = (page) => question(page).getByRole("button", { name: "Sign out", exact: true }).click();

test("Sign out is found by its name, and one box asks for the next key", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.search.fill("a");
  await expectEventually("the search in the URL", () => page.url().includes("q=a"));
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await ask(page);
  await confirm(page);
  await keyDialog(page).waitFor();
  assert.equal(await page.locator("input[type=password]").count(), 1);
  const { pathname, search } = new URL(page.url());
  assert.equal(pathname + search, "/leads", "nothing says what was looked at");
  assert.ok(!(await keys(page)).includes(service.key));

  // The settings page has its own key input and shows no dialog over it.
  await page.goto(`${service.origin}/settings`);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.locator("input[type=password]:visible").waitFor();
  assert.equal(await page.locator("input[type=password]:visible").count(), 1);
  assert.equal(await keyDialog(page).count(), 0);
  await page.getByRole("link", { name: "Leads", exact: true }).click();
  await keyDialog(page).getByLabel("API key").fill(service.key);
  await keyDialog(page).getByRole("button", { name: "Use this key" }).click();
  await leads.settled();
});

test("signing out everywhere also deletes the keys of other tabs; signing out of this tab keeps them", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  const other = await page.context().newPage();
  const others = await LeadsPage.open(other, service.url);

  await page.bringToFront();
  await ask(page);
  const everywhere = question(page).getByRole("checkbox", { name: "Sign out everywhere in this browser" });
  assert.ok(await everywhere.isChecked());
  await everywhere.uncheck();
  await confirm(page);
  await keyDialog(page).waitFor();
  assert.equal(await keyDialog(other).count(), 0);
  assert.ok((await keys(other)).includes(service.key));
  assert.ok((await others.rows.count()) > 0);

  await keyDialog(page).getByLabel("API key").fill(service.key);
  await keyDialog(page).getByRole("button", { name: "Use this key" }).click();
  await leads.settled();
  await ask(page);
  await confirm(page);
  await keyDialog(other).getByText("You signed out in another tab.").waitFor();
  assert.ok(!(await keys(other)).includes(service.key));
  assert.equal(await others.rows.count(), 0);
  await keyDialog(page).getByText("Paste the API key of your workspace").waitFor();
  assert.ok(!(await keys(page)).includes(service.key));
});
