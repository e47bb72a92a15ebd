// Views: density, columns, saved views; all of it in the URL, with Back and Forward.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PHONE, closeBrowser, networkIdle, openPage } from "./support/browser.mjs";
import { click } from "./support/details-pane.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const params = (page) => new URL(page.url()).searchParams;
const dialog = (page, name) => page.getByRole("dialog", { name });
const heads = (leads) =>
  leads.grid
    .getByRole("columnheader")
    .evaluateAll((heads) => heads.map((head) => head.innerText.trim()));
const cells = (leads) =>
  leads.rows.first().evaluate((row) => [...row.children].map((cell) => cell.innerText.trim()));

async function open(t, options) {
  const service = await Service.start(t, { demo: 80 });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

async function expectHeads(leads, expected) {
  await expectEventually(`the columns ${expected}`, async () => {
    const shown = (await heads(leads)).filter((label) => expected.includes(label));
    return shown.join() === expected.join();
  });
}

// The next key needs the focus, which returns to the page after the dialog closes.
async function close(page, name) {
  await page.keyboard.press("Escape");
  await expectEventually("the dialog to close", async () => (await dialog(page, name).count()) === 0);
  await expectEventually("the focus to return", () =>
    page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body),
  );
}

test("compact rows are lower, in the URL, kept after a reload, and undone by Back", async (t) => {
  const { service, page, leads } = await open(t);
  const height = async () => (await leads.rows.first().boundingBox()).height;
  assert.equal(Math.round(await height()), 40);
  await page.getByRole("button", { name: "Compact rows" }).click();
  await expectEventually("lower rows", async () => Math.round(await height()) === 32);
  assert.equal(params(page).get("density"), "compact");

  await page.goBack();
  await expectEventually("higher rows", async () => Math.round(await height()) === 40);
  await page.goForward();
  await expectEventually("lower rows again", async () => Math.round(await height()) === 32);

  // A URL without parameters opens the last layout.
  await page.goto(`${service.origin}/leads`);
  await leads.settled();
  assert.equal(params(page).get("density"), "compact");
  // Visiting the accounts and returning keeps it.
  await page.getByRole("link", { name: "Accounts" }).click();
  await page.waitForURL(/accounts/);
  await page.getByRole("link", { name: "Leads", exact: true }).click();
  await leads.settled();
  assert.equal(params(page).get("density"), "compact");
});

test("a link's layout is shown but not saved", async (t) => {
  const { service, page, leads } = await open(t);
  await page.goto(`${service.origin}/leads?density=compact&cols=name.company.title`);
  await leads.settled();
  await expectHeads(leads, ["Name", "Company", "Title"]);
  await page.goto(`${service.origin}/leads`);
  await leads.settled();
  await expectHeads(leads, ["Name", "Title", "Company"]);
  assert.equal(params(page).get("density"), null);
});

test("columns are hidden, moved and pinned by keyboard, and survive a reload", async (t) => {
  const { page, leads } = await open(t);
  const usual = await cells(leads);
  await page.keyboard.press("c");
  const columns = dialog(page, "Columns");
  await columns.getByRole("checkbox", { name: "Why now" }).focus();
  await page.keyboard.press("Space");
  await expectEventually("no signal column", async () => !(await heads(leads)).includes("Why now"));
  await columns.getByRole("checkbox", { name: "Location" }).focus();
  await page.keyboard.press("Space");
  await expectEventually("a Location column", async () => (await heads(leads)).includes("Location"));
  await columns.getByRole("checkbox", { name: "Company" }).focus();
  await page.keyboard.press("Alt+ArrowUp");
  await expectHeads(leads, ["Fit", "Name", "Company", "Title"]);
  await columns.getByRole("button", { name: "Move down Company" }).focus();
  await page.keyboard.press("Enter");
  await expectHeads(leads, ["Fit", "Name", "Title", "Company"]);
  // Moves past the signal and the industry, which are hidden, and past Location.
  for (let n = 0; n < 3; n += 1) {
    await page.keyboard.press("Enter");
    await expectEventually("the focus to stay on the moved column", () =>
      page.evaluate(() => document.activeElement.ariaLabel === "Move down Company"),
    );
  }
  await expectHeads(leads, ["Fit", "Name", "Title", "Location", "Company"]);
  await columns.getByRole("button", { name: "Pin Title" }).click();
  await expectHeads(leads, ["Title", "Fit", "Name"]);
  assert.equal(await columns.getByRole("checkbox", { name: "Name" }).isDisabled(), true);
  await close(page, "Columns");

  // The cells moved with their headers.
  const now = await cells(leads);
  assert.deepEqual([now[1], now[2], now[3]], [usual[3], usual[1], usual[2]]);
  assert.equal(now.length, usual.length, "one more and one less");

  await page.reload();
  await leads.settled();
  await expectHeads(leads, ["Title", "Fit", "Name", "Location", "Company"]);
  assert.match(params(page).get("cols"), /^title\*\.fit\.name\./);

  // All changes made in the dialog are one history step.
  await page.goBack();
  await expectHeads(leads, ["Fit", "Name", "Title", "Company", "Why now", "Status"]);
  await page.goForward();
  await expectHeads(leads, ["Title", "Fit", "Name", "Location", "Company"]);
  await page.keyboard.press("c");
  await columns.getByRole("button", { name: "Reset" }).click();
  await expectHeads(leads, ["Fit", "Name", "Title", "Company", "Why now", "Status"]);
  assert.equal(params(page).get("cols"), null);
});

test("a column is resized while others are hidden for lack of room", async (t) => {
  const { page, leads } = await open(t);
  const all = await heads(leads);
  await click(leads, (await leads.ids())[0]);
  await expectEventually("fewer columns beside the details", async () => (await heads(leads)).length < all.length);
  const fewer = await heads(leads);
  const header = leads.header("Name");
  const width = async () => Math.round((await header.boundingBox()).width);
  const before = await width();

  const edge = await header.locator(".edge").boundingBox();
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 3 });
  await expectEventually("the column to be resized", async () => (await width()) === before + 30);
  assert.deepEqual(await heads(leads), fewer, "no column appears under the pointer");
  await page.mouse.up();
  await expectEventually("the width in the URL", () => params(page).get("cols")?.includes(`name-${before + 30}`));
});

test("a column width is set by number or by dragging, and reset by a double click", async (t) => {
  const { page, leads } = await open(t);
  const width = async () => Math.round((await leads.header("Title").boundingBox()).width);
  await page.keyboard.press("c");
  const field = dialog(page, "Columns").getByRole("spinbutton", { name: "Width of Title" });
  await field.fill("300");
  await page.keyboard.press("Tab");
  await expectEventually("a wide column", async () => (await width()) === 300);
  await field.fill("9");
  await page.keyboard.press("Tab");
  await expectEventually("the minimum width", async () => (await field.inputValue()) === "48");
  await field.fill("200");
  await page.keyboard.press("Tab");
  await close(page, "Columns");
  await expectEventually("a width of 200", async () => (await width()) === 200);

  const edge = await leads.header("Title").locator(".edge").boundingBox();
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y, { steps: 3 });
  await expectEventually("the column to be resized", async () => (await width()) === 230);
  await page.mouse.up();
  await expectEventually("the width in the URL", () => params(page).get("cols")?.includes("title-230"));
  assert.equal(await leads.header("Title").getAttribute("aria-sort"), "none", "a drag does not sort");

  await leads.header("Title").locator(".edge").dblclick();
  await expectEventually("the default width", () => params(page).get("cols") === null);
});

test("a column is moved by its header, and a right click opens its menu", async (t) => {
  const { page, leads } = await open(t);
  await leads.header("Company").dragTo(leads.header("Title"));
  await expectHeads(leads, ["Fit", "Name", "Company", "Title", "Why now"]);
  await leads.header("Title").click({ button: "right" });
  await dialog(page, "Columns").waitFor();
});

test("a layout change reloads no rows and keeps the scroll position", async (t) => {
  const { page, leads } = await open(t);
  await networkIdle(page);
  const asked = [];
  page.on("request", (request) => {
    // Tab counts are queries for one row.
    const isList = request.url().includes("/api/leads/query") && !/"page_size":1\b/.test(request.postData());
    if (isList) asked.push(request.url());
  });
  await leads.grid.evaluate(async (grid) => {
    grid.scrollTo(0, 300);
    // The app handles the scroll event in the next frame.
    for (let n = 0; n < 3; n += 1) await new Promise(requestAnimationFrame);
  });
  await page.keyboard.press("z");
  await expectEventually("compact rows", () => params(page).get("density") === "compact");
  await page.keyboard.press("c");
  await dialog(page, "Columns").getByRole("checkbox", { name: "Company" }).uncheck();
  await expectEventually("no Company column", async () => !(await heads(leads)).includes("Company"));
  assert.deepEqual(asked, []);
  assert.ok((await leads.grid.evaluate((grid) => grid.scrollTop)) > 100);
});

test("the accounts have their own columns", async (t) => {
  const { page } = await open(t);
  await page.getByRole("link", { name: "Accounts" }).click();
  await page.locator('[role="row"][data-account-id]').first().waitFor();
  await page.keyboard.press("c");
  const columns = dialog(page, "Columns");
  await columns.getByRole("checkbox", { name: "Size" }).uncheck();
  await expectEventually("the columns in the URL", () => params(page).get("cols")?.includes("-staff_count_range"));
  await close(page, "Columns");
  await page.getByRole("link", { name: "Leads", exact: true }).click();
  await new LeadsPage(page).settled();
  assert.equal(params(page).get("cols"), null);
});

test("a view is saved, opened, renamed, removed, and used as the start view", async (t) => {
  const { service, page, leads } = await open(t);
  const views = dialog(page, "Views");
  const name = views.getByRole("textbox", { name: "Name of this view" });
  const link = (label) => views.getByRole("link", { name: label, exact: true });
  await leads.tab("Approved").click();
  await leads.settled();
  await page.keyboard.press("z");
  await page.getByRole("button", { name: "Views" }).click();
  assert.equal(await name.inputValue(), "Approved", "a name is offered");
  await name.fill("Done");
  await page.keyboard.press("Enter");
  await link("Done").waitFor();
  assert.equal(await link("Done").getAttribute("aria-current"), "true");
  await close(page, "Views");

  await leads.tab("All").click();
  await page.keyboard.press("v");
  await link("Done").click();
  await expectEventually("the view", () => params(page).get("tab") === "approved");
  assert.equal(params(page).get("density"), "compact");
  await page.goBack();
  await expectEventually("the previous tab", () => params(page).get("tab") === "all");

  // View names are unique and not blank.
  await page.keyboard.press("v");
  await name.fill("   ");
  await page.keyboard.press("Enter");
  await views.getByText("Give the view a name.").waitFor();
  await name.fill("Everything");
  await page.keyboard.press("Enter");
  await views.getByRole("button", { name: "Rename Everything" }).click();
  await views.getByRole("textbox", { name: "New name of Everything" }).fill("Done");
  await page.keyboard.press("Enter");
  await views.getByText("Another view has this name.").waitFor();
  await views.getByRole("textbox", { name: "New name of Everything" }).fill("Whole");
  await page.keyboard.press("Enter");
  await link("Whole").waitFor();

  await views.getByRole("button", { name: "Open the app with Done" }).click();
  await close(page, "Views");
  await page.goto(`${service.origin}/`);
  await leads.settled();
  assert.equal(params(page).get("tab"), "approved");
  // A reload keeps the current view instead of the start view.
  await leads.tab("Pending").click();
  await leads.settled();
  await page.reload();
  await leads.settled();
  assert.equal(params(page).get("tab"), null);

  await page.keyboard.press("Control+k");
  await page.getByRole("option", { name: /^Whole/ }).click();
  await expectEventually("the view from the palette", () => params(page).get("tab") === "all");
  await page.keyboard.press("v");
  await views.getByRole("button", { name: "Remove Whole" }).click();
  await expectEventually("the view to be removed", async () => (await link("Whole").count()) === 0);
  await page.reload();
  await leads.settled();
  await page.keyboard.press("v");
  await link("Done").waitFor();
  assert.equal(await link("Whole").count(), 0);
});

test("a command clears search and filters", async (t) => {
  const { page, leads } = await open(t);
  await leads.search.fill("director");
  await expectEventually("the search", () => params(page).get("q") === "director");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).waitFor();
  await page.keyboard.type("clear search");
  await page.keyboard.press("Enter");
  await expectEventually("no search", () => params(page).get("q") === null);
  await page.goBack();
  await expectEventually("the search again", () => params(page).get("q") === "director");
});

test("Back closes a dialog", async (t) => {
  const { page, leads } = await open(t);
  await leads.tab("All").click();
  await leads.settled();
  await page.keyboard.press("c");
  await dialog(page, "Columns").waitFor();
  await page.goBack();
  await expectEventually("the dialog to close", async () => (await dialog(page, "Columns").count()) === 0);
});

test("phone cards have no columns", async (t) => {
  const { page } = await open(t, { viewport: PHONE });
  await page.keyboard.press("c");
  await page.keyboard.press("Control+k");
  const all = page.getByRole("dialog", { name: "Commands" }).getByRole("option");
  await all.first().waitFor();
  const labels = (await all.allInnerTexts()).join("\n");
  assert.match(labels, /Saved views/);
  assert.doesNotMatch(labels, /Columns|Compact/);
});
