// The columns of the user's own file in the list: a spreadsheet with 30 columns. Six have fields of their own.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import { DESKTOP, PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service, temporaryFolder } from "./support/service.mjs";
import { Sidebar } from "./support/sidebar.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const HOSTILE = '<img src=x onerror="document.title=1"><b>bold</b>';

// The values of a column in each line, from the number of the line.
const OWN = {
  "Deal size": (n) => String(1_000 * (n + 1)),
  Renewal: (n) => `2019-0${(n % 9) + 1}-14`,
  "Owner e-mail": (n) => `owner${n}@halden.example`,
  Wiki: (n) => `https://wiki.halden.example/leads/${n}`,
  Paid: (n) => (n % 2 ? "true" : "false"),
  Remark: () => HOSTILE,
  "Next.step - 100%*": () => "call back",
  Script: () => "javascript:alert(1)",
  Long: () => "long ".repeat(400),
  "Postal code": () => "01067",
};
for (let at = 1; at <= 14; at += 1) OWN[`Survey ${at}`] = (n) => (n % 3 ? `answer ${n % at}` : "");

const KNOWN = {
  "First Name": (n) => ["Ada", "Bo", "Cleo"][n % 3],
  "Last Name": (n) => `Lindqvist-${n}`,
  Title: () => "Head of Sales",
  Company: (n) => ["Halden", "Quantum Dairy"][n % 2],
  Email: (n) => `lead${n}@example.com`,
  Location: () => "Zürich",
};

const COLUMNS = { ...KNOWN, ...OWN };
assert.equal(Object.keys(COLUMNS).length, 30);

async function open(t, { query = "tab=all", ...options } = {}) {
  const importFile = join(await temporaryFolder(t), "spreadsheet.csv");
  const quoted = (cell) => `"${cell.replaceAll('"', '""')}"`;
  const lines = Array.from({ length: 40 }, (_, n) => Object.values(COLUMNS).map((value) => value(n)));
  const text = [Object.keys(COLUMNS), ...lines].map((cells) => `${cells.map(quoted).join(",")}\r\n`).join("");
  await writeFile(importFile, text);
  const service = await Service.start(t, { importFile });
  const page = await openPage(t, options);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const { origin, hash } = new URL(service.url);
  const leads = await LeadsPage.open(page, `${origin}/leads?${query}${hash}`);
  return { service, page, leads, asked };
}

const dialog = (page) => page.getByRole("dialog", { name: "Columns" });
const yours = (page) => page.getByRole("list", { name: "Your columns" });
const cell = (leads, name) => leads.rows.first().locator(`[data-column="custom:${name}"]`);

async function show(page, ...names) {
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  for (const name of names) await dialog(page).getByRole("checkbox", { name, exact: true }).check();
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "detached" });
}

// The number of the line that a lead is from.
const lineOf = async (leads) => Number((await leads.name(leads.rows.first())).split("-").at(-1));

test("each column of the file can be shown, and a value looks like what it is", async (t) => {
  const { page, leads, asked } = await open(t);
  const fields = () => asked.filter((path) => path.endsWith("/leads/fields"));
  await page.getByRole("complementary", { name: "Filters" }).waitFor();
  assert.deepEqual(fields(), [], "nothing is asked of columns that are not shown");

  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await yours(page).waitFor();
  const offered = await yours(page).getByRole("checkbox").evaluateAll((boxes) => boxes.map((box) => box.parentElement.textContent));
  for (const name of Object.keys(OWN)) assert.ok(offered.includes(name), name);
  assert.equal(new Set(offered).size, offered.length);
  await dialog(page).getByRole("searchbox", { name: "Find a column" }).fill("deal");
  assert.equal(await dialog(page).getByRole("checkbox").count(), 1);
  await dialog(page).getByRole("checkbox", { name: "Deal size" }).check();
  await dialog(page).getByRole("searchbox", { name: "Find a column" }).fill("");
  for (const name of ["Renewal", "Owner e-mail", "Wiki", "Paid", "Remark", "Next.step - 100%*", "Script", "Long", "Postal code"]) {
    await yours(page).getByRole("checkbox", { name, exact: true }).check();
  }
  await page.keyboard.press("Escape");

  const n = await lineOf(leads);
  const shows = (name, text) =>
    expectEventually(`${name} to show ${text}`, async () => (await cell(leads, name).innerText()).trim() === text);
  await shows("Deal size", OWN["Deal size"](n));
  await expectEventually("the header of numbers on the right", async () =>
    /\bnumber\b/.test(await leads.header("Deal size").getAttribute("class")),
  );
  assert.match(await cell(leads, "Deal size").getAttribute("class"), /\bnumber\b/);
  await expectEventually("the age of a date", async () => /years ago$/.test(await cell(leads, "Renewal").innerText()));
  assert.match(await cell(leads, "Renewal").locator("[title]").getAttribute("title"), /14.*2019|2019.*14/);
  await shows("Owner e-mail", OWN["Owner e-mail"](n));
  assert.equal(await cell(leads, "Owner e-mail").getByRole("link").getAttribute("href"), `mailto:owner${n}@halden.example`);
  const link = cell(leads, "Wiki").getByRole("link");
  assert.equal(await link.getAttribute("href"), `https://wiki.halden.example/leads/${n}`);
  assert.equal(await link.getAttribute("rel"), "noopener noreferrer");
  assert.equal(await cell(leads, "Paid").textContent(), n % 2 ? "Yes" : "No");
  await shows("Remark", HOSTILE);
  assert.equal(await cell(leads, "Remark").locator("*").count(), 0, "a value is text");
  await shows("Next.step - 100%*", "call back");
  await shows("Script", "javascript:alert(1)");
  assert.equal(await cell(leads, "Script").getByRole("link").count(), 0);
  assert.equal((await cell(leads, "Long").textContent()).length, 201);
  await shows("Postal code", "01067");
  assert.doesNotMatch(await cell(leads, "Postal code").getAttribute("class"), /\bnumber\b/);
});

test("an own column is resized, moved, kept over a reload, saved in a view, and exported", async (t) => {
  const { page, leads } = await open(t);
  await show(page, "Deal size", "Next.step - 100%*");
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  const line = dialog(page).getByRole("listitem").filter({ hasText: "Deal size" });
  await line.getByText("Yours", { exact: true }).waitFor();
  await line.getByRole("spinbutton").fill("180");
  await line.getByRole("spinbutton").press("Enter");
  // Hidden columns are between them.
  for (let step = 0; step < 8; step += 1) await line.getByRole("button", { name: "Move up Deal size" }).click();
  await page.keyboard.press("Escape");
  const headers = async () => (await leads.grid.getByRole("columnheader").allInnerTexts()).map((text) => text.trim());
  const wanted = ["", "Fit", "Name", "Deal size", "Title", "Company", "Why now", "Next.step - 100%*", "Status"];
  await expectEventually("the column after the name", async () => JSON.stringify(await headers()) === JSON.stringify(wanted));
  assert.equal(Math.round((await leads.header("Deal size").boundingBox()).width), 180);

  await page.reload();
  await leads.settled();
  const n = await lineOf(leads);
  await expectEventually("the value after a reload", async () => (await cell(leads, "Deal size").innerText()) === OWN["Deal size"](n));
  assert.deepEqual(await headers(), wanted);

  await page.keyboard.press("v");
  const views = page.getByRole("dialog", { name: "Views" });
  await views.getByRole("textbox").fill("Deals");
  await views.getByRole("button", { name: "Save", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.goto(new URL("/leads?tab=pending&cols=name", page.url()).href);
  await leads.settled();
  await page.keyboard.press("v");
  await views.getByRole("link", { name: "Deals" }).click();
  await expectEventually("the columns of the view", async () => JSON.stringify(await headers()) === JSON.stringify(wanted));

  await page.getByRole("button", { name: "Export", exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "What the list shows" }).click(),
  ]);
  const [header] = (await readFile(await download.path(), "utf8")).split("\r\n");
  assert.match(header, /Deal size/);
  assert.match(header, /Next\.step - 100%\*/);
  assert.doesNotMatch(header, /Renewal/);
});

test("an own column has cells that the cursor reaches, is not on the cards of a phone, and can be hidden again", async (t) => {
  const { page, leads } = await open(t, { query: "tab=all&cols=name.custom%3ADeal+size.approval_status.-fit.-title.-company.-signal" });
  await cell(leads, "Deal size").waitFor();
  await leads.rows.first().locator("[data-column=name]").click();
  await page.keyboard.press("Escape");
  await leads.grid.focus();
  for (const key of ["Home", "ArrowRight", "ArrowRight"]) await page.keyboard.press(key);
  await expectEventually("the cursor on the cell", async () => (await cell(leads, "Deal size").getAttribute("data-active")) === "true");
  assert.equal(await leads.grid.getAttribute("aria-activedescendant"), await cell(leads, "Deal size").getAttribute("id"));
  assert.equal(await leads.grid.getAttribute("aria-colcount"), "4");
  // On a phone the cards are as before.
  await page.setViewportSize(PHONE);
  await leads.grid.locator(".card").first().waitFor();
  assert.equal(await page.locator('[data-column="custom:Deal size"]').count(), 0);
  await page.setViewportSize(DESKTOP);
  await cell(leads, "Deal size").waitFor();
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await dialog(page).getByRole("checkbox", { name: "Deal size" }).uncheck();
  await page.keyboard.press("Escape");
  await cell(leads, "Deal size").waitFor({ state: "detached" });
});

test("the list is sorted by an own column: numbers from the largest, texts from A", async (t) => {
  const { page, leads } = await open(t);
  await show(page, "Deal size", "Survey 1");
  const values = (name) => leads.grid.locator(`[data-lead-id] [data-column="custom:${name}"]`).allInnerTexts();
  const sorts = async (name, values, wanted) => {
    // Once the server has named it.
    await leads.grid.locator("[role=columnheader][aria-sort]").filter({ hasText: name }).click();
    await expectEventually(`the order by ${name}`, async () => JSON.stringify((await values()).slice(0, 3)) === JSON.stringify(wanted));
  };
  const sizes = () => values("Deal size");
  await sorts("Deal size", sizes, ["40000", "39000", "38000"]);
  await sorts("Deal size", sizes, ["1000", "2000", "3000"]);
  assert.match(page.url(), /sort=custom_data.Deal\+size/);
  await page.reload();
  await leads.settled();
  await expectEventually("the order after a reload", async () => (await sizes())[0] === "1000");
  await sorts("Survey 1", () => values("Survey 1"), ["answer 0", "answer 0", "answer 0"]);
});

test("leads are filtered by an own column, with the conditions of its type", async (t) => {
  const { page, leads } = await open(t);
  const sidebar = new Sidebar(page);
  await show(page, "Deal size");
  await sidebar.addFilter({ field: "Deal size", condition: "is at least", values: ["38000"] });
  await sidebar.chip("Deal size is at least 38000").waitFor();
  await expectEventually("three leads", async () => (await leads.ids()).length === 3);
  await page.reload();
  await leads.settled();
  assert.equal((await leads.ids()).length, 3);
  await sidebar.chip("Deal size").getByTitle("Change this filter").click();
  await sidebar.fill({ condition: "is between", values: ["1000", "2000"] });
  await expectEventually("two leads", async () => (await leads.ids()).length === 2);
});

test("what is typed into the editor stays when the server names the fields", async (t) => {
  const where = new URLSearchParams({ tab: "all", where: "custom_data.Deal%20size gte 1000" });
  const { page, leads } = await open(t, { query: String(where) });
  const sidebar = new Sidebar(page);
  let release;
  const isOpen = new Promise((resolve) => (release = resolve));
  await page.route("**/api/leads/fields", (route) => isOpen.then(() => route.continue()));
  await sidebar.chip("Deal size").getByTitle("Change this filter").click();
  const value = sidebar.editor.getByLabel("Value");
  await value.fill("38000");
  const answered = page.waitForResponse("**/api/leads/fields");
  release();
  await answered;
  await page.keyboard.press("Enter");
  await sidebar.chip("Deal size is at least 38000").waitFor();
  await expectEventually("three leads", async () => (await leads.ids()).length === 3);
});

test("the sidebar has the values of own columns, with their counts in the view", async (t) => {
  const { page, leads, asked } = await open(t);
  const sidebar = new Sidebar(page);
  await sidebar.expand("Your columns");
  await sidebar.expand("Paid");
  await sidebar.box("Paid", "true 20").waitFor();
  await sidebar.choose("Paid", "true");
  await expectEventually("half of the leads", async () => (await leads.ids()).length === 20);
  await sidebar.chip("Paid").waitFor();
  await sidebar.expand("Postal code");
  await sidebar.box("Postal code", "01067 20").waitFor();
  await page.reload();
  await leads.settled();
  assert.equal((await leads.ids()).length, 20);
  assert.equal(asked.filter((path) => path.endsWith("/leads/fields")).length, 1);
});

test("a refused facet of an own column is collapsed, and the tabs and other facets are counted without it", async (t) => {
  const { page, leads } = await open(t, { expected: [/422/] });
  const sidebar = new Sidebar(page);
  await sidebar.expand("Your columns");
  await sidebar.expand("Paid");
  await sidebar.box("Paid", "true 20").waitFor();
  await sidebar.expand("Title");
  await sidebar.box("Title", "Head of Sales 40").waitFor();
  let refused = 0;
  await page.route("**/api/leads/facets", (route) => {
    const fields = route.request().postDataJSON()?.facets.map(({ field }) => field) ?? [];
    if (!fields.some((field) => field.startsWith("custom_data."))) return route.fallback();
    refused += 1;
    return route.fulfill({ status: 422, json: { detail: "too many values" } });
  });
  await sidebar.choose("Company", "Halden");
  await sidebar.box("Title", "Head of Sales 20").waitFor();
  await page.getByRole("tab", { name: "Pending 20", exact: true }).waitFor();
  const paid = sidebar.panel.locator("details details").filter({ hasText: "Paid" });
  assert.equal(await paid.getAttribute("open"), null);
  assert.equal(refused, 1);
  assert.equal((await leads.ids()).length, 20);
});

test("a server that does not name the fields offers no filters by them", async (t) => {
  const { page, leads } = await open(t, { expected: [/\/leads\/fields\b/] });
  await page.route("**/api/leads/fields", (route) => route.fulfill({ status: 404, json: { detail: "Not found" } }));
  const sidebar = new Sidebar(page);
  const answered = page.waitForResponse("**/api/leads/fields");
  await show(page, "Deal size");
  await answered;
  await leads.header("Deal size").click();
  assert.equal(await leads.header("Deal size").getAttribute("aria-sort"), null);
  assert.doesNotMatch(page.url(), /sort=/);
  await page.getByRole("button", { name: "Add a filter" }).first().click();
  await sidebar.editor.getByRole("combobox", { name: "Field" }).fill("Deal");
  assert.equal(await sidebar.editor.getByRole("option", { name: /^Deal size/ }).count(), 0);
});

test("where the headers are too few, a menu sorts by own columns", async (t) => {
  const { page, leads } = await open(t, { viewport: { width: 1024, height: 768 }, query: "tab=all&cols=name.custom%3ADeal+size&sort=custom_data.Renewal" });
  const menu = page.getByRole("combobox", { name: "Sort by" });
  const shown = () => menu.evaluate((select) => select.selectedOptions[0]?.label);
  assert.equal(await shown(), "Renewal", "also without its column");
  // Once the server has named it.
  await menu.getByRole("option", { name: "Deal size" }).waitFor({ state: "attached" });
  await menu.selectOption({ label: "Deal size" });
  await expectEventually("the largest first", async () => (await cell(leads, "Deal size").innerText()) === "40000");
  assert.equal(await shown(), "Deal size");
});
