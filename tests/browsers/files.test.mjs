// Files: leads that are imported by choosing or dropping a file, and what is saved.

import assert from "node:assert/strict";
import { readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { LeadsPage } from "../e2e/support/leads.mjs";
import { temporaryFolder } from "../e2e/support/service.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { closeBrowser } from "./support/page.mjs";
import { open, openLeads, total } from "./support/stage.mjs";

after(closeBrowser);

const input = (page) => page.getByLabel("Choose a file", { exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const becomes = (page, header) => page.getByLabel(`Import “${header}” as`, { exact: true });
const title = (page, name) => page.getByRole("heading", { level: 2, name, exact: true });

// Returns the text of the file that the page saves, once it is whole.
async function saved(page, name, act) {
  await act();
  const file = await expectEventually(`the file ${name}`, async () => {
    const files = (await readdir(page.downloads)).filter((file) => !/\.(part|wkdownload|crdownload)$/.test(file));
    return files.find((file) => name.test(file));
  });
  const path = join(page.downloads, file);
  const text = await expectEventually("its text", () => readFile(path, "utf8"));
  await rm(path);
  return text;
}

async function openImport(t, options) {
  const opened = await open(t, { path: "/import", demo: 0, ...options });
  await title(opened.page, "Import leads").waitFor();
  return opened;
}

test("a file is chosen, its columns are corrected, and its leads are in the list", async (t) => {
  const { service, page } = await openImport(t);
  const file = join(await temporaryFolder(t), "messe.csv");
  await writeFile(
    file,
    "Wer;Firma;Adresse (Mail);Schuhgröße\nAna Lindqvist;Acme;ana@acme.example;38\n;;;40\nBo Tanaka;Acme;bo@acme.example;44\n",
  );
  await input(page).setInputFiles(file);
  await title(page, "messe.csv").waitFor();
  assert.equal(await becomes(page, "Firma").inputValue(), "company");
  assert.ok(await button(page, "Import").isDisabled());
  await becomes(page, "Wer").selectOption("name");
  await becomes(page, "Adresse (Mail)").selectOption("email");
  await page.getByLabel("Add to list").fill("Trade fair");
  await button(page, "Import").click();
  await title(page, "messe.csv is imported").waitFor();
  await page.getByText("2 added").waitFor();
  const errors = await saved(page, /^messe\.csv\.errors.*\.csv$/, () => button(page, "Save the errors").click());
  assert.match(errors, /^\ufeffline,reason\r\n3,/);
  await page.getByRole("link", { name: "See the leads" }).click();
  const leads = new LeadsPage(page);
  await leads.settled();
  assert.equal(await leads.rows.count(), 2);
  assert.equal(await total(service), 2);
});

test("a workbook is read in its own sheet", async (t) => {
  const { service, page } = await openImport(t);
  await input(page).setInputFiles(fileURLToPath(new URL("../fixtures/leads.xlsx", import.meta.url)));
  await title(page, "leads.xlsx").waitFor();
  await page.getByText("01067 · 10115 · 80331").waitFor();
  await page.getByLabel("Sheet", { exact: true }).selectOption("Customers");
  await page.getByText("Cleo Silva · Dan Novak").waitFor();
  await button(page, "Import").click();
  await page.getByText("2 added").waitFor();
  assert.equal(await total(service), 2);
});

test("a file is dropped, and importing it twice adds nothing", async (t) => {
  const { service, page } = await openImport(t);
  const text = ["Ada", "Béla"].map((name) => JSON.stringify({ name, at: { title: "CTO" } })).join("\n");
  const drop = async () => {
    // WebDriver cannot drag a file from the desktop. The events are those that the browser would send.
    await page.locator(".drop").evaluate((node, text) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([text], "two.jsonl"));
      for (const type of ["dragenter", "dragover", "drop"]) {
        node.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    }, text);
    await title(page, "two.jsonl").waitFor();
  };
  await drop();
  await button(page, "Import").click();
  await page.getByText("2 added").waitFor();
  await button(page, "Import another file").click();
  await drop();
  await button(page, "Import").click();
  await page.getByText("2 unchanged").waitFor();
  assert.equal(await total(service), 2);
});

test("a file without leads is refused with a reason", async (t) => {
  const { page } = await openImport(t, { expected: [/422/] });
  const file = join(await temporaryFolder(t), "utf16.csv");
  await writeFile(file, "N\0a\0m\0e\0");
  await input(page).setInputFiles(file);
  await page.getByRole("alert").filter({ hasText: "UTF-16 without a byte order mark" }).waitFor();
});

test("an export has the columns of the user's file and the decisions", async (t) => {
  const { service, page, leads, ids } = await openLeads(t, { imported: 60, path: "/leads?tab=all" });
  await service.call("PATCH", `/api/leads/${ids[1]}`, { approval_status: "approved" });
  await button(page, "Export").click();
  const text = await saved(page, /^leads-all-.*\.csv$/, () => page.getByRole("button", { name: "Everything" }).click());
  const lines = text.trimEnd().split("\r\n");
  assert.equal(lines.length, 61);
  assert.match(lines[0], /^\ufefflead_id,.*Email,approval_status,/);
  assert.equal(lines.filter((line) => /,approved,/.test(line)).length, 1);
  await leads.settled();
});
