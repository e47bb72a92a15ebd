// The first query leaves before the app is loaded: by the note of the last visit, or by the default view.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

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
  assert.notEqual((await page.locator("body").innerText()).trim(), "", "the page shows something before the app is loaded");
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
