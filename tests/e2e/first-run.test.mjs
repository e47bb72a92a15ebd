// First run: the key link opens the app with the demo leads.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("the demo leads fill the screen", async (t) => {
  const service = await Service.start(t, { demo: 300, fills: true });
  const page = await openPage(t);
  const requests = [];
  page.on("request", (request) => requests.push(request.url()));
  const leads = await LeadsPage.open(page, service.url);

  await expectEventually("at least 20 rows with data", async () => (await leads.rows.count()) >= 20);
  const filters = [{ field: "approval_status", operator: "eq", value: "pending_approval" }];
  const total = async (query) => (await service.call("POST", "/api/leads/query", query)).body.total;
  // `aria-rowcount` includes the header row.
  const rowCount = async () => Number(await leads.grid.getAttribute("aria-rowcount")) - 1;
  assert.equal(await rowCount(), await total({ filters }), "the pending leads");
  await leads.showAll();
  assert.equal(await total({}), 300);
  await expectEventually("every lead in the count", async () => (await rowCount()) === 300);
  for (const label of ["Name", "Title", "Company", "Status"]) {
    await leads.header(label).first().waitFor();
  }
  // A score gives the age of its signal today.
  const reasons = leads.grid.locator("[title*='; Intent ']");
  await reasons.first().waitFor();
  const all = await reasons.evaluateAll((cells) => cells.map((cell) => cell.title));
  assert.ok(all.some((reason) => /(ago|yesterday|today)(, and \d+ more)?$/.test(reason)), all.join("\n"));
  assert.ok(!all.some((reason) => / on \d{4}-/.test(reason)), all.join("\n"));

  await page.getByRole("button", { name: "Northwind outbound, menu" }).click();
  await page.getByRole("menuitemradio", { name: "Northwind outbound" }).waitFor();
  assert.ok(!requests.some((url) => url.includes("/openapi") || url.includes("/import/")), "no request for the name");
});

test("the links of the bar stay in place when the name of the workspace arrives", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  for (const width of [1440, 800]) {
    const page = await openPage(t, { viewport: { width, height: 900 } });
    let answer;
    const isAnswered = new Promise((resolve) => (answer = resolve));
    await page.route("**/api/**", async (route) => {
      await isAnswered;
      await route.fallback();
    });
    await page.goto(service.url);
    const link = page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: "Insights" });
    await page.getByRole("button", { name: /, menu$/ }).waitFor();
    const before = await link.boundingBox();
    answer();
    await page.getByRole("button", { name: "Northwind outbound, menu" }).waitFor();
    assert.deepEqual(await link.boundingBox(), before);
  }
});
