// Signing out, in one tab or in all tabs, and the page that asks for the next key.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { fromMenu, openSettings, signIn, signInPage } from "./support/menu.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const question = (page) => page.getByRole("dialog", { name: "Sign out" });
// The addresses of the views that the first query of the next visit is noted for.
const noted = (page) => page.evaluate(() => Object.keys(JSON.parse(localStorage["lead-workspace.first-query"] ?? "{}")));
const keys = (page) => page.evaluate(() => Object.values(sessionStorage).join());

async function ask(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("sign out");
  await page.getByRole("option", { name: /^Sign out/ }).waitFor();
  await page.keyboard.press("Enter");
  await question(page).waitFor();
}

const confirm = (page) => question(page).getByRole("button", { name: "Sign out", exact: true }).click();

test("a first visit without a key is a page of its own, and a wrong key is reported on it", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  await page.goto(service.origin);
  await signInPage(page).waitFor();
  await page.getByRole("heading", { level: 1, name: "Lead workspace" }).waitFor();
  await page.getByRole("heading", { name: "Where do I get a key?" }).waitFor();
  assert.equal(await page.title(), "Sign in · Lead workspace");
  assert.equal(await page.getByRole("grid").count(), 0, "no list behind it");
  assert.equal(await page.getByRole("dialog").count(), 0);
  await expectEventually("the focus in the field", () =>
    page.evaluate(() => document.activeElement.matches("input[type=password]")),
  );
  await page.keyboard.press("Control+k");
  assert.equal(await page.getByRole("dialog").count(), 0, "nothing to run yet");

  await signIn(page, "two words");
  await page.getByRole("alert").getByText(/contains a space/).waitFor();
  await signIn(page, service.key);
  const leads = new LeadsPage(page);
  await leads.settled();
  assert.match(await page.title(), /^Leads/);
  await page.reload();
  await leads.settled();
});

test("a visit without a key can connect to another address", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  await page.goto(service.origin);
  await page.getByRole("link", { name: "Connect to another address" }).click();
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.getByText("Not connected").waitFor();
  await page.getByRole("textbox", { name: "Workspace id" }).waitFor();
  await page.goBack();
  await signInPage(page).waitFor();
});

test("Sign out is found by its name, and one box asks for the next key", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.search.fill("a");
  await expectEventually("the search in the URL", () => page.url().includes("q=a"));
  await expectEventually("the note of the view", async () => (await noted(page)).some((address) => address.includes("q=a")));
  await openSettings(page);
  await ask(page);
  await confirm(page);
  await signInPage(page).waitFor();
  await expectEventually("the removal of the note", async () => (await noted(page)).length === 0);
  assert.equal(await page.locator("input[type=password]").count(), 1);
  const { pathname, search } = new URL(page.url());
  assert.equal(pathname + search, "/leads", "nothing says what was looked at");
  assert.ok(!(await keys(page)).includes(service.key));

  // The settings page has its own key input and shows no dialog over it.
  await page.goto(`${service.origin}/settings`);
  await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
  await page.locator("input[type=password]:visible").waitFor();
  assert.equal(await page.locator("input[type=password]:visible").count(), 1);
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByRole("link", { name: "Leads", exact: true }).click();
  await signIn(page, service.key);
  await leads.settled();

  // The menu has it, too.
  await fromMenu(page, "Sign out…");
  await question(page).waitFor();
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
  await signInPage(page).waitFor();
  assert.equal(await signInPage(other).count(), 0);
  assert.ok((await keys(other)).includes(service.key));
  assert.ok((await others.rows.count()) > 0);

  await signIn(page, service.key);
  await leads.settled();
  await ask(page);
  await confirm(page);
  await signInPage(other).getByText("You signed out in another tab.").waitFor();
  assert.ok(!(await keys(other)).includes(service.key));
  assert.equal(await others.rows.count(), 0);
  await signInPage(page).getByText("Paste the API key of your workspace").waitFor();
  assert.ok(!(await keys(page)).includes(service.key));
});
