// First run: the key link opens the app with the demo leads.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { DESKTOP, PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("the demo leads fill the screen", async (t) => {
  const service = await Service.start(t, { demo: 300 });
  const page = await openPage(t);
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
});

test("the bar shows the name of the workspace, and without one the address", async (t) => {
  for (const demo of [20, 0]) {
    const service = await Service.start(t, { demo });
    const page = await openPage(t);
    const requests = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.goto(service.url);
    const name = demo ? "Northwind outbound" : new URL(service.origin).host;
    await page.getByRole("button", { name: `${name}, menu` }).waitFor();
    if (!demo) continue;
    assert.ok(!requests.some((url) => url.includes("/openapi") || url.includes("/import/")), "no request for the name");
    await page.getByRole("button", { name: `${name}, menu` }).click();
    await page.getByRole("menuitemradio", { name }).waitFor();
  }
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

test("a score gives the age of its signal today", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  const reasons = leads.grid.locator("[title*='; Intent ']");
  await reasons.first().waitFor();
  const all = await reasons.evaluateAll((cells) => cells.map((cell) => cell.title));
  assert.ok(all.some((reason) => /(ago|yesterday|today)(, and \d+ more)?$/.test(reason)), all.join("\n"));
  assert.ok(!all.some((reason) => / on \d{4}-/.test(reason)), all.join("\n"));
});

test("the key is removed from the address bar, and the app stays connected", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);

  assert.ok(!page.url().includes(service.key), "the key is no longer in the URL");
  await page.reload();
  await leads.settled();
});

test("the key is never sent in a URL", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t);
  const addresses = [];
  page.on("request", (request) => addresses.push(request.url()));
  await LeadsPage.open(page, service.url);

  assert.ok(addresses.length > 3);
  const secret = service.key.split("_").at(-1);
  for (const address of addresses) {
    // The fragment of the page's own URL is not sent.
    assert.ok(!new URL(address).href.split("#")[0].includes(secret), address);
  }
});

test("nothing scrolls sideways on a phone", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t, { viewport: PHONE, hasTouch: true });
  await LeadsPage.open(page, service.url);

  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  assert.equal(overflow, 0);
});

test("the page paints before the Wasm arrives", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t, { viewport: DESKTOP });
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route("**/*.wasm", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(service.url, { waitUntil: "commit" });
  await page.locator("body :visible").first().waitFor();
  const text = await page.locator("body").innerText();
  assert.notEqual(text.trim(), "", "the static shell shows something");
  release();
  await new LeadsPage(page).settled();
});
