// Importing a file of leads: select, detect columns, correct, import, find the leads.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { writeLeads } from "./support/csv.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { fromMenu } from "./support/menu.mjs";
import { Service, temporaryFolder } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const ODD = [
  "Wer;Firma;Adresse (Mail);Schuhgröße",
  "Ana Lindqvist;Acme;ana@acme.example;38",
  "Bo Tanaka;Acme;bo@acme.example;44",
  ";;;40",
  "Cleo Silva;Quantum Dairy;cleo@dairy.example;",
].join("\n");

const input = (page) => page.getByLabel("Choose a file", { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const becomes = (page, header) => page.getByLabel(`Import “${header}” as`, { exact: true });
const title = (page, name) => page.getByRole("heading", { level: 2, name, exact: true });
const csv = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

async function open(t, options = {}) {
  const service = await Service.start(t, options.service);
  const page = await openPage(t, options.page);
  const { origin, hash } = new URL(service.url);
  await page.goto(`${origin}/import${hash}`);
  await title(page, "Import leads").waitFor();
  return { service, page };
}

const total = async (service, query = {}) =>
  (await service.call("POST", "/api/leads/query", query)).body.total;

// Waits until an element other than the body has the focus.
async function focused(page) {
  await expectEventually("an element to have the focus", () =>
    page.evaluate(() => document.activeElement?.tagName !== "BODY"),
  );
}

test("odd headers are corrected, an invalid line is reported, and the leads are pending in their list", async (t) => {
  const service = await Service.start(t);
  const page = await openPage(t);
  await page.goto(service.url);
  await page.getByRole("button", { name: `${new URL(service.origin).host}, menu` }).waitFor();
  await button(page, "Import a file").click();
  await title(page, "Import leads").waitFor();
  assert.equal(new URL(page.url()).pathname, "/import");

  await input(page).setInputFiles(csv("messe.csv", ODD));
  await title(page, "messe.csv").waitFor();
  await focused(page);
  assert.equal(await becomes(page, "Firma").inputValue(), "company");
  assert.equal(await becomes(page, "Schuhgröße").inputValue(), "custom");
  await page.getByText("Ana Lindqvist · Bo Tanaka · Cleo Silva").waitFor();
  assert.equal(await total(service), 0, "nothing is imported yet");

  // A shoe size does not identify a person.
  await page.getByText("No column identifies the lead.").waitFor();
  assert.ok(await button(page, "Import").isDisabled());
  await page.getByText("Line 2").waitFor();
  await becomes(page, "Wer").selectOption("name");
  await becomes(page, "Adresse (Mail)").selectOption("email");
  await becomes(page, "Schuhgröße").selectOption("skip");
  assert.equal(await page.getByText("No column identifies the lead").count(), 0);
  await page.getByText("Line 2").waitFor({ state: "detached" });
  await page.getByText("Line 4").waitFor();
  await page.getByLabel("Add to list").fill("Trade fair");
  await button(page, "Import").click();

  await title(page, "messe.csv is imported").waitFor();
  await focused(page);
  await page.getByText("3 added").waitFor();
  await page.getByText("1 refused").waitFor();
  await page.getByText("Line 4").waitFor();
  const download = page.waitForEvent("download");
  await button(page, "Save the errors").click();
  const saved = await download;
  assert.equal(saved.suggestedFilename(), "messe.csv.errors.csv");
  const errors = (await readFile(await saved.path(), "utf8")).split("\r\n");
  assert.equal(errors[0], "\ufeffline,reason");
  assert.match(errors[1], /^4,/);

  await page.getByRole("link", { name: "See the leads" }).click();
  const leads = new LeadsPage(page);
  await leads.settled();
  assert.equal(await leads.rows.count(), 3);
  assert.equal(await leads.tab("Pending").getAttribute("aria-selected"), "true");
  await page.getByText("Trade fair").filter({ visible: true }).first().waitFor();
  const { body } = await service.call("GET", `/api/leads/${(await leads.ids())[0]}`);
  assert.equal(body.custom_data?.["Schuhgröße"], undefined, "what is left out is nowhere");
  assert.match(body.email ?? JSON.stringify(body), /@(acme|dairy)\.example/);
});

test("the page explains itself: known columns, a sample that can be imported, past imports", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  await LeadsPage.open(page, service.url);
  await fromMenu(page, "Import leads");
  await title(page, "Import leads").waitFor();
  await page.getByText("CSV, JSON or JSON Lines, of any size").waitFor();
  const known = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "Job title" }) });
  await known.getByText(/position/).waitFor();

  const before = await total(service);
  const download = page.waitForEvent("download");
  await button(page, "Download sample.csv").click();
  const saved = await download;
  assert.equal(saved.suggestedFilename(), "sample.csv");
  await input(page).setInputFiles(csv("mine.csv", await readFile(await saved.path(), "utf8")));
  await title(page, "mine.csv").waitFor();
  assert.equal(await page.locator('[data-use="custom"]').count(), 0, "every column of the sample is known");
  await button(page, "Import").click();
  await page.getByText("2 added").waitFor();
  assert.equal(await total(service), before + 2);

  await button(page, "Import another file").click();
  await page.getByRole("heading", { name: "Past imports" }).waitFor();
  await page.getByRole("link", { name: "View leads of mine.csv" }).click();
  const leads = new LeadsPage(page);
  await expectEventually("the two leads", async () => (await leads.rows.count()) === 2);
});

test("a workbook is imported as its sheets show it, and another sheet can be chosen", async (t) => {
  const { service, page } = await open(t);
  await input(page).setInputFiles(fileURLToPath(new URL("../fixtures/leads.xlsx", import.meta.url)));
  await title(page, "leads.xlsx").waitFor();
  const sheet = page.getByLabel("Sheet", { exact: true });
  assert.equal(await sheet.inputValue(), "Leads");
  await page.getByText("01067 · 10115 · 80331").waitFor();
  await sheet.selectOption("Customers");
  await page.getByText("Cleo Silva · Dan Novak").waitFor();
  await focused(page);
  await button(page, "Import").click();
  await page.getByText("2 added").waitFor();
  const { body } = await service.call("POST", "/api/leads/query", {});
  assert.deepEqual(body.data.map((lead) => lead.name).sort(), ["Cleo Silva", "Dan Novak"]);
});

test("dates that could be two days are named before the import", async (t) => {
  const { page } = await open(t);
  await input(page).setInputFiles(csv("dates.csv", "Name,Created\nAna,01/02/2025\nBo,02/03/2025\n"));
  await page.getByText("the day and the month cannot be told apart, such as 01/02/2025").waitFor();
});

test("a phone is not told to drop a file", async (t) => {
  const { page } = await open(t, { page: { viewport: PHONE, hasTouch: true, isMobile: true } });
  await page.getByText("Choose a file", { exact: true }).waitFor();
  assert.equal(await page.getByText("or drop it here").isVisible(), false);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= PHONE.width);
});

test("JSONL can be dropped, and importing a file twice adds nothing", async (t) => {
  const { service, page } = await open(t);
  const lines = ["Ada", "Béla"].map((name) => JSON.stringify({ name, at: { title: "CTO" } }));
  const drop = async () => {
    const data = await page.evaluateHandle((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], "two.jsonl"));
      return data;
    }, lines.join("\n"));
    await page.locator(".drop").dispatchEvent("drop", { dataTransfer: data });
    await title(page, "two.jsonl").waitFor();
  };
  await drop();
  await becomes(page, "at.title").waitFor();
  await button(page, "Import").click();
  await page.getByText("2 added").waitFor();
  await button(page, "Import another file").click();
  await focused(page);
  await drop();
  await button(page, "Import").click();
  await page.getByText("2 unchanged").waitFor();
  assert.equal(await total(service), 2);
});

test("a file without leads is refused with a reason, and another one can be selected", async (t) => {
  const { service, page } = await open(t, { page: { expected: [/422/] } });
  for (const [name, text, words] of [
    ["empty.csv", "", "The file is empty"],
    ["book.csv", "PK\u0003\u0004rest", "ZIP archive, not CSV"],
    ["utf16.csv", "N\0a\0m\0e\0", "UTF-16 without a byte order mark"],
    ["array.json", "[]", "The file is empty"],
  ]) {
    await input(page).setInputFiles(csv(name, text));
    await page.getByRole("alert").filter({ hasText: words }).waitFor();
    await focused(page);
  }
  await input(page).setInputFiles(csv("head.csv", "Name,Email\n"));
  await page.getByText("a header but no data lines").waitFor();
  assert.ok(await button(page, "Import").isDisabled());
  await button(page, "Choose another file").click();
  await input(page).setInputFiles(csv("latin.csv", ""));
  await input(page).setInputFiles({
    name: "latin.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("Name\nZo\xeb\n", "latin1"),
  });
  await page.getByText("Zoë").waitFor();
  assert.equal(await total(service), 0);
});

test("a broken connection shows what was imported, and the import can be resumed", async (t) => {
  const { service, page } = await open(t, { page: { expected: [/net::ERR/] } });
  const file = join(await temporaryFolder(t), "many.csv");
  await writeLeads(file, 1500);
  const slow = await page.context().newCDPSession(page);
  const speed = (uploadThroughput) =>
    slow.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await input(page).setInputFiles(file);
  await title(page, "many.csv").waitFor();
  await speed(30_000);
  await button(page, "Import").click();
  await title(page, "Importing").waitFor();
  await focused(page);
  const bar = page.getByRole("progressbar");
  await expectEventually("progress", async () =>
    Number(await bar.getAttribute("aria-valuenow")) > 10,
  );
  await service.kill();
  await page.getByRole("alert").filter({ hasText: "connection to the service was lost" }).waitFor();
  await focused(page);
  await service.restart();
  await speed(-1);
  await button(page, "Import again").click();
  await title(page, "many.csv is imported").waitFor();
  assert.equal(await total(service), 1500);
});

test("an import continues while leads are reviewed, and can be canceled", async (t) => {
  const { page } = await open(t, { service: { demo: 20 } });
  let go;
  let gate = new Promise((resolve) => (go = resolve));
  await page.route("**/import?*", async (route) => {
    await gate;
    await route.continue().catch(() => {});
  });
  await input(page).setInputFiles(csv("one.csv", "Name\nAna\n"));
  await button(page, "Import").click();
  await title(page, "Importing").waitFor();
  await button(page, "Cancel").click();
  await page.getByRole("alert").filter({ hasText: "import was cancelled" }).waitFor();
  await focused(page);
  await button(page, "Import again").click();
  await title(page, "Importing").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Leads" }).click();
  await new LeadsPage(page).settled();
  go();
  await page.getByText("one.csv is imported").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("import leads");
  await page.keyboard.press("Enter");
  await title(page, "one.csv is imported").waitFor();
});

test("a gateway offers no import", async (t) => {
  const upstream = await Service.start(t, { demo: 20 });
  const file = join(await temporaryFolder(t), "upstream-key");
  await writeFile(file, upstream.key);
  const args = ["--upstream", upstream.origin, "--upstream-key-file", file];
  const service = await Service.start(t, { args });
  const page = await openPage(t, { expected: [/404/] });
  const { origin, hash } = new URL(service.url);
  await page.goto(`${origin}/import${hash}`);
  await title(page, "This service does not import files").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Leads" }).click();
  await new LeadsPage(page).settled();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("import leads");
  await expectEventually("the command to be removed", async () =>
    (await page.getByRole("option", { name: /Import leads/ }).count()) === 0,
  );
});
