// The first query leaves before the app is loaded: by the note of the last visit, or by the default view.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const QUERY = "**/api/leads/query";
// Fewer than a page: the app asks for the second page of a longer list on its own.
const LEADS = 40;

// Holds the app's code back. Returns the queries that the page sends, and a function that lets the code pass.
async function held(page) {
  const queries = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/leads/query")) queries.push(request);
  });
  let pass;
  const isPassed = new Promise((resolve) => (pass = resolve));
  await page.route("**/*.wasm", async (route) => {
    await isPassed;
    await route.fallback();
  });
  return { queries, pass };
}

const noted = (page) => page.evaluate(() => JSON.parse(localStorage["lead-workspace.first-query"] ?? "{}"));
// The address of the list, without the open lead.
const address = (page) => {
  const url = new URL(page.url());
  url.searchParams.delete("lead");
  return url.pathname + url.search;
};

// Waits until the note has the address of the page.
const isNoted = (page) => expectEventually("the note", async () => address(page) in (await noted(page)));

test("a first visit sends the query of the default view before the app is loaded, and once", async (t) => {
  const service = await Service.start(t, { demo: LEADS });
  const page = await openPage(t);
  const { queries, pass } = await held(page);
  await page.goto(service.url);
  await expectEventually("the query", () => queries.length === 1);
  pass();
  await new LeadsPage(page).settled();
  assert.equal(queries.length, 1);
  await isNoted(page);
  assert.ok(!JSON.stringify(await noted(page)).includes(service.key));
});

test("a second visit sends the query of its view", async (t) => {
  const service = await Service.start(t, { demo: LEADS });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, `${service.origin}/leads?tab=all&sort=name#key=${service.key}`);
  const [shown] = await leads.ids();
  // The open details and the order of columns do not matter.
  await page.locator(`[role="row"][data-lead-id="${shown}"]`).dblclick();
  await page.waitForURL(/lead=/);
  await isNoted(page);
  assert.ok(!JSON.stringify(await noted(page)).includes(shown), "nothing says what was looked at");
  const { queries, pass } = await held(page);
  await page.reload();
  await expectEventually("the query", () => queries.length === 1);
  assert.equal(queries[0].postDataJSON().sort_by, "name");
  pass();
  await leads.settled();
  assert.deepEqual((await leads.ids())[0], shown);
  // The details query other leads.
  const bodies = queries.map((query) => query.postData());
  assert.equal(bodies.filter((body) => body === bodies[0]).length, 1);
});

test("another view or key is not answered with it", async (t) => {
  const service = await Service.start(t, { demo: LEADS });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, `${service.origin}/leads?tab=all#key=${service.key}`);
  await isNoted(page);

  // An address without a note: nothing is sent early.
  const { queries, pass } = await held(page);
  const code = page.waitForRequest("**/*.wasm");
  await page.goto(`${service.origin}/leads?tab=approved`);
  await code;
  await page.evaluate(() => document.fonts.ready);
  assert.equal(queries.length, 0);
  pass();
  await leads.settled();
  assert.equal(queries.length, 1);

  // The note is of the view with this key; the query of the next visit has that visit's key.
  const other = await openPage(t, { expected: [/401/] });
  await LeadsPage.open(other, `${service.origin}/leads?tab=all#key=${service.key}`);
  await isNoted(other);
  const early = other.waitForRequest(QUERY);
  await other.goto("about:blank");
  await other.goto(`${service.origin}/leads?tab=all#key=lwk_1_wrong`);
  assert.equal((await early).headers().authorization, "Bearer lwk_1_wrong");
  await other.getByRole("dialog", { name: /key/i }).waitFor();
  assert.equal(await other.locator('[role="row"][data-lead-id]').count(), 0);
});

test("a failed early query is sent again by the app", async (t) => {
  const service = await Service.start(t, { demo: LEADS });
  const page = await openPage(t, { expected: [/503/] });
  let failures = 0;
  await page.route(QUERY, async (route) => {
    failures += 1;
    await (failures === 1 ? route.fulfill({ status: 503 }) : route.fallback());
  });
  await LeadsPage.open(page, service.url);
  assert.equal(failures, 2);
});
