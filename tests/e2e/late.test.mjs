// Lazily loaded code: loaded when first needed, only once, and again after a failure. Needs the UI of
// `cargo xtask build --release`, which is split.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, networkIdle, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { DetailsPane, click, nameOf } from "./support/details-pane.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

const PART = /\/(split_|chunk)[^/]*\.wasm$/;

after(closeBrowser);

// Records the code parts that a page requests.
function partsOf(page) {
  const parts = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (PART.test(pathname)) parts.push(pathname);
  });
  return parts;
}

const link = (page, name) => page.getByRole("navigation").getByRole("link", { name });
const accounts = (page) => page.locator('[role="row"][data-account-id]');

test("the accounts' code loads once, when they are opened", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const parts = partsOf(page);
  await LeadsPage.open(page, service.url);
  await page.getByRole("complementary", { name: "Filters" }).waitFor();
  const first = parts.length;
  assert.ok(!parts.some((part) => part.includes("pages")), "the first page needs none");

  await link(page, "Accounts").click();
  await accounts(page).first().waitFor();
  const all = parts.length;
  assert.equal(parts.slice(first).filter((part) => part.includes("pages")).length, 1);

  await link(page, "Leads").click();
  await new LeadsPage(page).settled();
  await link(page, "Accounts").click();
  await accounts(page).first().waitFor();
  assert.equal(parts.length, all, "loaded parts are not requested again");
});

test("code that fails to load does not break the app, and Retry loads it", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/net::ERR_FAILED/, /Failed to fetch/] });
  const leads = await LeadsPage.open(page, service.url);
  await page.route(PART, (route) => route.abort());

  await link(page, "Accounts").click();
  const alert = page.getByRole("alert").filter({ hasText: "Accounts could not be loaded" });
  await alert.waitFor();

  // The rest of the app keeps working.
  await link(page, "Leads").click();
  await leads.settled();
  await link(page, "Accounts").click();
  await alert.waitFor();

  await page.unroute(PART);
  await alert.getByRole("button", { name: "Retry" }).click();
  await accounts(page).first().waitFor();
  assert.equal(await alert.count(), 0);
});

test("a part that an update removed loads after a reload", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/404/, /TypeError/, /mime|MIME/i] });
  await LeadsPage.open(page, service.url);
  // Simulates an update: the server has only newer parts.
  await page.route(PART, (route) => route.fulfill({ status: 404, body: "gone" }));
  await link(page, "Accounts").click();
  const alert = page.getByRole("alert").filter({ hasText: "Accounts could not be loaded" });
  await alert.getByRole("link", { name: "Reload" }).waitFor();
  await page.unroute(PART);
  await alert.getByRole("link", { name: "Reload" }).click();
  await accounts(page).first().waitFor();
});

test("the details' code loads with the first opened lead, and again after a failure", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/net::ERR_FAILED/, /Failed to fetch/] });
  const parts = partsOf(page);
  const leads = await LeadsPage.open(page, service.url);
  const ids = await leads.ids();
  await page.route(PART, (route) => route.abort());
  await click(leads, ids[0]);
  const alert = page.getByRole("alert").filter({ hasText: "Lead details could not be loaded" });
  await alert.waitFor();
  await page.keyboard.press("Escape");
  await alert.waitFor({ state: "detached" });

  await click(leads, ids[1]);
  await alert.waitFor();
  await page.unroute(PART);
  await alert.getByRole("button", { name: "Retry" }).click();
  const pane = new DetailsPane(page);
  await pane.shows(await nameOf(service, ids[1]));
  const came = parts.length;
  await pane.button("Next lead").click();
  await pane.shows(await nameOf(service, ids[2]));
  assert.equal(parts.length, came, "loaded parts are not requested again");
});

test("the filters load after the first rows", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const parts = partsOf(page);
  let answer;
  const held = new Promise((resolve) => (answer = resolve));
  await page.route("**/api/leads/query", async (route) => {
    await held;
    await route.fallback();
  });
  await page.goto(service.url);
  await page.locator("[role=grid] .skeletons").waitFor();
  await page.waitForTimeout(500);
  assert.ok(!parts.some((part) => part.includes("list")), "their code is not requested yet");
  answer();
  await page.getByRole("complementary", { name: "Filters" }).waitFor();
  assert.ok(parts.some((part) => part.includes("list")));
});

test("one banner says that parts of the first page are missing, and Retry loads them all", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/net::ERR_FAILED/, /Failed to fetch/] });
  await page.route(PART, (route) => route.abort());
  const leads = await LeadsPage.open(page, service.url);
  const banner = page.getByRole("status").filter({ hasText: "Parts of this page could not be loaded." });
  await banner.waitFor();
  await networkIdle(page);
  assert.equal(await banner.count(), 1);
  assert.equal(await page.getByText("could not be loaded").count(), 1);

  // Parts of a page that was left are not loaded again with it.
  await link(page, "Accounts").click();
  await page.getByRole("alert").filter({ hasText: "Accounts could not be loaded" }).waitFor();
  await link(page, "Leads").click();
  await leads.settled();
  await banner.waitFor();
  const [first] = await leads.ids();
  await leads.decide(leads.row(first), "Approve");
  await page.unroute(PART);
  await banner.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("complementary", { name: "Filters" }).waitFor();
  await banner.waitFor({ state: "detached" });
  await expectEventually("the decision", async () => {
    const { body } = await service.call("GET", `/api/leads/${first}`);
    return body.approval_status === "approved";
  });
});

test("keys and decisions from before the engine is loaded wait for it", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  let answer;
  const held = new Promise((resolve) => (answer = resolve));
  await page.route(PART, async (route) => {
    await held;
    await route.fallback();
  });
  const leads = await LeadsPage.open(page, service.url);
  const [first, second, third] = await leads.ids();
  await leads.decide(leads.row(third), "Reject");
  await leads.grid.focus();
  for (const key of ["Control+Home", "a", "a", "?"]) await page.keyboard.press(key);
  const status = async (id) => (await service.call("GET", `/api/leads/${id}`)).body.approval_status;
  assert.equal(await status(third), "pending_approval");
  answer();
  await expectEventually("the decisions", async () => {
    const all = await Promise.all([first, second, third].map(status));
    return all.join() === "approved,approved,rejected";
  });
  await leads.waitForStatus(third, "rejected");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
});

test("the filters stay while a failed first load is retried", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/422/] });
  let isRetry = false;
  await page.route("**/api/leads/query", async (route) => {
    // The retry gets no response.
    if (isRetry) return;
    await route.fulfill({ status: 422, json: { detail: "not today" } });
  });
  await page.goto(service.url);
  const filters = page.getByRole("complementary", { name: "Filters" });
  await filters.waitFor();
  isRetry = true;
  const sent = page.waitForRequest("**/api/leads/query");
  await page.getByRole("main").getByRole("button", { name: "Retry" }).first().click();
  await sent;
  await page.waitForTimeout(300);
  assert.equal(await filters.count(), 1);
});

test("a focus from before its guard is loaded is not lost with what had it", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/422/] });
  let load;
  const held = new Promise((resolve) => (load = resolve));
  await page.route(PART, async (route) => {
    await held;
    await route.fallback();
  });
  await page.route("**/api/leads/query", (route) => route.fulfill({ status: 422, json: { detail: "not today" } }));
  await page.goto(service.url);
  await page.getByRole("main").getByRole("button", { name: "Retry" }).first().focus();
  load();
  await page.locator(".focus-guard").waitFor({ state: "attached" });
  await page.unroute("**/api/leads/query");
  await page.keyboard.press("Enter");
  await new LeadsPage(page).settled();
  await expectEventually("the focus on the page", () => page.evaluate(() => document.activeElement !== document.body));
});

test("parts are few files", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const parts = partsOf(page);
  const leads = await LeadsPage.open(page, service.url);
  await page.getByRole("complementary", { name: "Filters" }).waitFor();
  await click(leads, (await leads.ids())[0]);
  await new DetailsPane(page).panel.waitFor();
  await link(page, "Portfolio").click();
  await page.getByRole("heading", { name: "Portfolio" }).waitFor();
  await networkIdle(page);
  const split = parts.filter((part) => part.includes("split_"));
  assert.equal(split.length, 3, split.join());
  assert.ok(parts.length <= 7, parts.join());
});
