// The UI while the server is rate limited, unreachable, slow, or refuses: it says what happened, what was saved and
// what to do, and it recovers.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const QUERY = "**/api/leads/query";
const json = (status, detail, headers = {}) => ({
  status,
  headers,
  contentType: "application/json",
  body: JSON.stringify({ detail }),
});

async function stage(t, options) {
  const service = await Service.start(t, { demo: 80 });
  const page = await openPage(t, options);
  const leads = new LeadsPage(page);
  const approved = async () => {
    const filters = [{ field: "approval_status", operator: "eq", value: "approved" }];
    return (await service.call("POST", "/api/leads/query", { filters, page_size: 1 })).body.total;
  };
  return { service, page, leads, approved };
}

async function opened(t, options) {
  const all = await stage(t, options);
  await LeadsPage.open(all.page, all.service.url);
  return all;
}

// As `opened`, with a clock that tests can move. It is installed before the page sets a timer, because it cannot clear
// an earlier one: that timer would call a closure that the page has dropped.
async function openedWithClock(t, options) {
  const all = await stage(t, options);
  await all.page.clock.install();
  await LeadsPage.open(all.page, all.service.url);
  return all;
}

// Answers every PATCH of leads with the result of `answer`, as long as there is one.
async function onDecisions(page, answer) {
  await page.route(/\/api\/leads(\/[^/]+)?$/, async (route) => {
    const given = route.request().method() === "PATCH" && (await answer(route));
    if (!given) return route.fallback();
    return given === true ? undefined : route.fulfill(given);
  });
}

async function decide(page, leads, keys) {
  await leads.grid.focus();
  await page.keyboard.press("j");
  for (const key of keys) await page.keyboard.press(key);
}

test("rate limited: a countdown runs, decisions wait, and all are sent afterwards", async (t) => {
  const { page, leads, approved } = await opened(t, { expected: [/429/] });
  const before = await approved();
  const sent = [];
  await onDecisions(page, (route) => {
    sent.push(Date.now());
    return sent.length <= 1 && json(429, "slow down", { "retry-after": "8" });
  });
  await decide(page, leads, "a");
  const strip = page.getByRole("status").filter({ hasText: "Too many requests." });
  await strip.getByText(/^[78] s$/).waitFor();
  for (const key of "aa") await page.keyboard.press(key);
  await strip.getByText(/\(\d+ requests?, 3 decisions waiting\)\./).waitFor();
  await strip.getByText(/^[1-5] s$/).waitFor();
  assert.equal(sent.length, 1, "no request is sent during the wait");
  // Further decisions wait, too.
  await page.keyboard.press("a");
  await strip.getByText(/4 decisions waiting\)\./).waitFor();
  await allSaved(page);
  await strip.waitFor({ state: "detached" });
  assert.ok(sent[1] - sent[0] >= 7_900, `${sent[1] - sent[0]}`);
  assert.equal(await approved(), before + 4);
});

test("rate limited beyond a call's deadline: decisions stay queued, none fails", async (t) => {
  const { page, leads, approved } = await openedWithClock(t, { expected: [/429/] });
  const before = await approved();
  let limited = true;
  await onDecisions(page, () => limited && json(429, "slow down", { "retry-after": "90" }));
  await decide(page, leads, "a");
  const footer = page.locator("footer");
  await footer.getByRole("timer").filter({ hasText: /^(8\d|90) s$/ }).waitFor();
  await footer.getByText("1 decision not saved yet").waitFor();
  assert.equal(await leads.rows.first().getAttribute("data-phase"), "queued");
  limited = false;
  // Timers fire one after another, as they would.
  await page.clock.runFor(95_000);
  await allSaved(page);
  assert.equal(await approved(), before + 1);
});

test("offline: the footer shows unsent decisions; back online they are sent", async (t) => {
  const { page, leads, approved } = await opened(t, { expected: [/ERR_INTERNET_DISCONNECTED/] });
  const before = await approved();
  await page.context().setOffline(true);
  const footer = page.locator("footer");
  await footer.getByText("Offline: decisions are kept here and sent when you're back").waitFor();
  const { y } = await leads.grid.boundingBox();
  await decide(page, leads, "aa");
  await footer.getByText("Offline: 2 decisions are kept here and sent when you're back").waitFor();
  assert.equal((await leads.grid.boundingBox()).y, y, "the list did not move");
  assert.equal((await footer.boundingBox()).height, 40);
  await leads.rows.first().getByText("Approved, waiting").waitFor();
  assert.ok((await leads.rows.count()) > 10, "loaded rows stay");
  await page.context().setOffline(false);
  await allSaved(page);
  assert.equal(await page.getByText("Offline:").count(), 0);
  assert.equal(await approved(), before + 2);
});

test("offline while the next rows are prefetched: the list does not move, and has them when they come into view", async (t) => {
  const { service, page, leads } = await stage(t, { expected: [/ERR_INTERNET_DISCONNECTED/] });
  const isOfNextRows = (request) => request.url().endsWith("/leads/query") && request.postDataJSON().page === 2;
  let [letPass, failures] = [undefined, 0];
  const offline = new Promise((resolve) => (letPass = resolve));
  await page.route(QUERY, async (route) => {
    if (isOfNextRows(route.request())) await offline;
    await route.fallback();
  });
  page.on("requestfailed", (request) => (failures += isOfNextRows(request)));
  await LeadsPage.open(page, service.url);
  const { y } = await leads.grid.boundingBox();
  await page.context().setOffline(true);
  letPass();
  await expectEventually("the last attempt to fail", () => failures === 3);
  await decide(page, leads, "aa");
  await page.locator("footer").getByText("Offline: 2 decisions are kept here").waitFor();
  assert.equal((await leads.grid.boundingBox()).y, y, "the list did not move");
  await page.context().setOffline(false);
  await allSaved(page);
  await leads.grid.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  await leads.rows.and(page.locator('[aria-rowindex="52"]')).waitFor();
});

test("slow: a message appears after five seconds, and the rows stay", async (t) => {
  const { page, leads } = await opened(t);
  let answer;
  const answered = new Promise((go) => (answer = go));
  await page.route(QUERY, async (route) => {
    await answered;
    await route.fallback().catch(() => {});
  });
  const start = Date.now();
  await page.getByRole("button", { name: "Refresh" }).click();
  await page.getByText("The server is slow.").waitFor();
  const waited = Date.now() - start;
  assert.ok(waited >= 4_900, `${waited}`);
  assert.ok((await leads.rows.count()) > 10);
  assert.equal(await leads.grid.getAttribute("aria-busy"), "true");
  answer();
  await leads.settled();
  await expectEventually("no message", async () => (await page.getByText("The server is slow.").count()) === 0);
});

test("refused key: a dialog opens, the page keeps its state, and the decision is sent with the new key", async (t) => {
  const { service, page, leads, approved } = await opened(t, { expected: [/401/] });
  const before = await approved();
  await leads.search.fill("a");
  await leads.search.press("Enter");
  await leads.settled();
  let refuse = true;
  await onDecisions(page, () => refuse && json(401, "no such key"));
  await leads.rows.nth(1).getByRole("checkbox").click();
  await decide(page, leads, "a");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The server rejected the key.").waitFor();
  assert.equal(await leads.search.inputValue(), "a");
  refuse = false;
  await dialog.getByRole("textbox").fill(service.key);
  await page.keyboard.press("Enter");
  await allSaved(page);
  assert.equal(await approved(), before + 1);
  await page.getByText("1 selected").waitFor();
  assert.equal(new URL(page.url()).searchParams.get("q"), "a");
  await expectEventually("the focus", () => page.evaluate(() => document.activeElement.tagName !== "BODY"));
});

test("server error: shown in place of the list, or above its rows, with Retry", async (t) => {
  const { service, page, leads } = await stage(t, { expected: [/500/] });
  let broken = true;
  await page.route(QUERY, (route) => (broken ? route.fulfill(json(500, "broken")) : route.fallback()));
  await page.goto(service.url);
  const alert = page.getByRole("alert");
  // Loaded with the first rows, or with what is shown instead.
  await page.locator(".focus-guard").waitFor({ state: "attached" });
  broken = false;
  await alert.getByRole("button", { name: "Retry" }).click();
  await leads.settled();
  assert.equal(await alert.count(), 0);
  await expectEventually("the focus on the page", () => page.evaluate(() => document.activeElement.tagName !== "BODY"));

  broken = true;
  await page.getByRole("button", { name: "Refresh" }).click();
  await alert.getByText("Showing previous results.").waitFor();
  assert.ok((await leads.rows.count()) > 10);
  broken = false;
  await alert.getByRole("button", { name: "Retry" }).click();
  await leads.settled();
  assert.equal(await alert.count(), 0);
  await expectEventually("the focus on the page", () => page.evaluate(() => document.activeElement.tagName !== "BODY"));
});

test("a failing server: one plate in plain words, which retries by itself until all is loaded", async (t) => {
  const { service, page, leads } = await stage(t, { expected: [/500/] });
  await page.clock.install();
  let [broken, asked] = [true, 0];
  await page.route("**/api/**", (route) => {
    asked += Number(route.request().url().endsWith("/leads/query"));
    const headers = { "x-request-id": "request-7" };
    return broken ? route.fulfill(json(500, "database is locked", headers)) : route.fallback();
  });
  await page.goto(service.url);
  const alert = page.getByRole("alert");
  // Attempts of a call wait between each other.
  await expectEventually("the plate", async () => {
    await page.clock.runFor(500);
    return (await alert.count()) > 0;
  });
  await alert.getByRole("heading", { name: "The service failed", exact: true }).waitFor();
  await alert.getByText("500: database is locked · Request request-7").waitFor();
  await alert.getByText(/^Retrying in/).waitFor();
  await page.clock.runFor(3_000);
  assert.equal(await page.getByRole("button", { name: "Retry" }).count(), 1, "not a second one in the filters");
  assert.equal(await alert.count(), 1);
  const plate = await alert.elementHandle();
  const before = asked;
  await expectEventually("another try", async () => {
    await page.clock.runFor(1_000);
    return asked > before;
  });
  assert.ok(await plate.evaluate((node) => node.isConnected), "the same plate, which is not announced again");
  broken = false;
  await expectEventually("the leads", async () => {
    await page.clock.runFor(1_000);
    return (await leads.rows.count()) > 10;
  });
  assert.equal(await alert.count(), 0);
  // At the usual speed: in a faster time their requests could exceed the time limit.
  await page.getByRole("group", { name: "ICP tier" }).waitFor();
});

test("pauses between retries grow, and start again after Retry", async (t) => {
  const { service, page } = await stage(t, { expected: [/500/] });
  await page.clock.install();
  // The clock moves only below, in steps of half a second, so that no number of a countdown is missed.
  await page.clock.pauseAt(Date.now() + 1_000);
  await page.route("**/api/**", (route) => route.fulfill(json(500, "broken")));
  await page.goto(service.url);
  const alert = page.getByRole("alert");
  const timer = alert.getByRole("timer");
  const seconds = async () => Number.parseInt(await timer.innerText(), 10);
  // Returns the first numbers of this many countdowns.
  const pauses = async (count) => {
    const starts = [await seconds()];
    for (let last = starts[0]; starts.length < count; ) {
      await page.clock.runFor(500);
      const now = await seconds();
      if (now > last) starts.push(now);
      last = now;
    }
    return starts;
  };
  await expectEventually("the error", async () => {
    await page.clock.runFor(500);
    return (await timer.count()) > 0;
  });
  assert.deepEqual(await pauses(2), [10, 20]);
  await alert.getByRole("button", { name: "Retry" }).click();
  await expectEventually("the shortest pause", async () => (await seconds()) === 10);
  assert.deepEqual(await pauses(2), [10, 20]);
});

test("details and the portfolio that cannot be loaded retry by themselves", async (t) => {
  const { service, page, leads } = await openedWithClock(t, { expected: [/500/] });
  let broken = true;
  const answer = (route) => (broken ? route.fulfill(json(500, "broken")) : route.fallback());
  await page.route(/\/api\/(leads\/lead_|accounts\/query)/, answer);
  const alert = page.getByRole("alert");
  const shown = (what, of) =>
    expectEventually(what, async () => {
      await page.clock.runFor(1_000);
      return (await of.count()) > 0;
    });
  const id = (await leads.ids())[0];
  const name = await leads.name(leads.row(id));
  await leads.row(id).getByRole("gridcell").nth(1).click();
  const details = page.getByRole("complementary", { name: "Lead details" });
  await shown("the first pause", details.getByText(/^Retrying in (10|9|8) s$/));
  await shown("a longer pause", details.getByText(/^Retrying in (20|19|18) s$/));
  broken = false;
  await shown("the details", details.getByRole("heading", { name }));
  assert.equal(await alert.count(), 0);

  broken = true;
  await page.goto(`${new URL(service.url).origin}/portfolio`);
  await shown("the first pause", alert.getByText(/^Retrying in (10|9|8) s$/));
  await shown("a longer pause", alert.getByText(/^Retrying in (20|19|18) s$/));
  broken = false;
  await shown("an account", page.locator("tr[data-account-id]"));
  assert.equal(await alert.count(), 0);
});

test("a crashed page shows a message, and decisions are sent after the reload", async (t) => {
  const { page, leads, approved } = await opened(t, { expected: [/unreachable|panicked|RuntimeError/] });
  const before = await approved();
  await onDecisions(page, async (route) => {
    // The request is in flight when the page stops.
    await new Promise((go) => setTimeout(go, 60_000).unref());
    await route.abort().catch(() => {});
    return true;
  });
  await decide(page, leads, "aa");
  await page.getByText("Saving 2 decisions").waitFor();
  await page.waitForTimeout(300);
  // Simulates a browser that is out of memory: creating an element fails, which the app does not handle.
  await page.evaluate(() => {
    document.createElement = (tag) => {
      // The dialog's style sheet loads first, and the app handles a failure of that: let it through.
      if (tag === "link") return Document.prototype.createElement.call(document, tag);
      delete document.createElement;
      throw new Error("out of memory");
    };
  });
  await page.keyboard.press("Control+k");
  const overlay = page.getByRole("alertdialog", { name: "The page stopped working" });
  const reload = overlay.getByRole("link", { name: "Reload" });
  await reload.waitFor();
  assert.ok(await reload.evaluate((link) => link === document.activeElement), "Reload has the focus");
  assert.match(await overlay.locator("pre").textContent(), /wasm-function\[\d+\]:0x|\.wasm/, "the position in the module");
  await page.unrouteAll();
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  await leads.settled();
  await expectEventually("both decisions", async () => (await approved()) === before + 2);
});
