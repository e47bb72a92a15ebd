// Exports in the browser: the user's own columns, what was decided, and the choice of columns.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { writeLeads } from "./support/csv.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service, temporaryFolder, THROUGH_GATEWAY } from "./support/service.mjs";

after(closeBrowser);

// More than one page of a request.
const LEADS = 120;

async function open(t, options) {
  const file = join(await temporaryFolder(t), "leads.csv");
  await writeLeads(file, LEADS);
  const service = await Service.start(t, { importFile: file });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

// Presses a button for an export, chooses the columns, and returns the file.
async function exported(page, name, columns, file = /^leads-pending-\d{4}-\d\d-\d\d\.csv$/) {
  await page.getByRole("button", { name, exact: true }).click();
  const choice = page.getByRole("group", { name: /^Export (leads|accounts) as CSV$/ });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    choice.getByRole("button", { name: columns }).click(),
  ]);
  assert.match(download.suggestedFilename(), file);
  return parsed(await readFile(await download.path(), "utf8"));
}

// Returns the header and the lines of a file.
function parsed(text) {
  assert.ok(text.startsWith("\ufeff") && text.endsWith("\r\n"), "the mark and the last end of line");
  const cell = /("(?:[^"]|"")*"|[^,\r"]*)(,|\r\n)/gy;
  const lines = [[]];
  for (const [, written, end] of text.slice(1).matchAll(cell)) {
    lines.at(-1).push(written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written);
    if (end !== ",") lines.push([]);
  }
  assert.deepEqual(lines.pop(), []);
  return { header: lines[0], lines: lines.slice(1) };
}

const LAST = ["approval_status", "decided_at", "decided_by", "icp_score", "icp_tier", "icp_reason"];

for (const from of ["the service", "pages of the API"]) {
  test(`an export from ${from} has the user's columns and the decision`, async (t) => {
    const { service, page, leads } = await open(t, { expected: [/404|405|503/] });
    const isOurs = from === "the service" && !THROUGH_GATEWAY;
    // The service is busy at first.
    let answer = from === "the service" ? 503 : 404;
    await page.route("**/export/*", async (route) => {
      if (answer === undefined) return route.fallback();
      const status = answer;
      if (status === 503) answer = undefined;
      await route.fulfill({ status });
    });
    await page.goto(`${service.origin}/leads?tab=all&sort=name&dir=asc&cols=company.name.-fit.-title.-signal`);
    await leads.settled();
    const ids = await leads.ids();
    const [, second, third, fourth] = ids;
    await service.call("PATCH", `/api/leads/${second}`, { approval_status: "approved" });

    const all = await exported(page, "Export", "Everything", /^leads-all-/);
    const unknown = isOurs ? "" : "; the file does not say who decided on them";
    await page.getByText(`Exported ${LEADS} leads${unknown}`, { exact: true }).waitFor();
    assert.equal(all.lines.length, LEADS);
    assert.deepEqual(all.header.slice(0, 3), ["lead_id", "company", "name"]);
    assert.deepEqual(all.header.slice(-7), ["Email", ...LAST]);
    assert.equal(new Set(all.header).size, all.header.length);
    const at = (name) => all.header.indexOf(name);
    assert.deepEqual(all.lines.slice(0, ids.length).map(([id]) => id), ids);
    for (const line of all.lines) {
      assert.equal(line.length, all.header.length);
      assert.match(line[at("Email")], /^lead\d+@example\.com$/);
    }
    const decided = all.lines.find(([id]) => id === second);
    assert.equal(decided[at("approval_status")], "approved");
    assert.equal(/^\d{4}-.*Z$/.test(decided[at("decided_at")]), isOurs);
    assert.equal(decided[at("decided_by")] !== "", isOurs);

    await leads.row(third).getByRole("checkbox").click();
    await leads.row(fourth).getByRole("checkbox").click();
    const two = await exported(page, "Export selected", "What the list shows", /^leads-all-/);
    assert.deepEqual(two.header, ["lead_id", "company", "name", ...LAST]);
    assert.deepEqual(two.lines.map(([id]) => id).sort(), [third, fourth].sort());
  });
}

test("accounts are exported as their list shows them", async (t) => {
  const { service, page } = await open(t);
  await page.goto(`${service.origin}/accounts`);
  const { body } = await service.call("POST", "/api/accounts/query", { page_size: 100 });
  const { header, lines } = await exported(page, "Export", "Everything", /^accounts-\d{4}-\d\d-\d\d\.csv$/);
  assert.deepEqual(header.slice(0, 3), ["account_id", "name", "industry"]);
  assert.deepEqual(header.slice(-3), ["icp_score", "icp_tier", "icp_reason"]);
  assert.deepEqual(lines.map(([id]) => id), body.data.map(({ id }) => id));

  await page.getByRole("grid").getByRole("checkbox").nth(1).click();
  const one = await exported(page, "Export selected", "What the list shows", /^accounts-/);
  assert.deepEqual(one.lines.map(([id]) => id), [body.data[0].id]);
});
