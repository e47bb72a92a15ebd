// A list that was shown a moment ago shows its rows at once when it is asked for again, and is read again.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { withoutStream } from "./support/live.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const QUERY = "**/api/leads/query";

async function stage(t, { demo = 400, hasStream = true } = {}) {
  const service = await Service.start(t, { demo });
  const page = await openPage(t, hasStream ? {} : { expected: [/404/] });
  if (!hasStream) await withoutStream(page);
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

// Shows another order, and waits for its rows.
async function sortBy(leads, label) {
  await leads.header(label).click();
  await leads.settled();
  await expectEventually(`the order by ${label}`, async () => /ascending|descending/.test(await leads.header(label).getAttribute("aria-sort")));
}

// Holds every list that is requested from now on, or one page of it. Returns a function that lets them all through, and
// one for each.
async function hold(page, only) {
  const held = [];
  let isOpen = false;
  await page.route(QUERY, async (route) => {
    const isHeld = only === undefined || route.request().postDataJSON().page === only;
    if (isHeld && !isOpen) await new Promise((resolve) => held.push(resolve));
    await route.fallback();
  });
  const release = () => {
    isOpen = true;
    for (const resolve of held) resolve();
  };
  return { held, release };
}

const isBusy = async (leads) => (await leads.grid.getAttribute("aria-busy")) === "true";
const shows = (leads, what, ids) =>
  expectEventually(what, async () => (await leads.ids()).join().startsWith(ids.join()));

test("a repeated sort shows its rows before they are read again, from the top", async (t) => {
  const { page, leads } = await stage(t);
  const byFit = (await leads.ids()).slice(0, 10);
  await sortBy(leads, "Name");
  const byName = (await leads.ids()).slice(0, 10);
  assert.notDeepEqual(byName, byFit);
  await leads.grid.hover();
  await page.mouse.wheel(0, 4_000);
  await expectEventually("a scrolled list", async () => !(await leads.ids()).includes(byName[0]));

  const { held, release } = await hold(page);
  await leads.header("Fit").click();
  await shows(leads, "the first order again", byFit);
  assert.equal(await isBusy(leads), false);
  await expectEventually("a request for it", () => held.length > 0);
  assert.equal(await leads.grid.evaluate((grid) => grid.scrollTop), 0);
  // The list works meanwhile.
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await leads.grid.locator(`[data-lead-id="${byFit[1]}"][data-cursor=true]`).waitFor();
  await leads.header("Name").click();
  await shows(leads, "the other order again", byName);

  const answered = page.waitForResponse(QUERY);
  release();
  await answered;
  await leads.settled();
  await shows(leads, "the same rows", byName);
});

test("a row that changed meanwhile gets its new value, and the others stay the same elements", async (t) => {
  // With a stream, the row would have it at once.
  const { service, page, leads } = await stage(t, { hasStream: false });
  await leads.showAll();
  await sortBy(leads, "Name");
  const ids = (await leads.ids()).slice(0, 10);
  await sortBy(leads, "Company");
  const status = (id) => leads.row(id).getAttribute("data-status");
  const { held, release } = await hold(page);
  await leads.header("Name").click();
  await shows(leads, "the rows again", ids);
  const before = await status(ids[2]);
  const changed = before === "approved" ? "rejected" : "approved";
  const { status: code } = await service.call("PATCH", `/api/leads/${ids[2]}`, { approval_status: changed });
  assert.equal(code, 200);
  await expectEventually("a request for it", () => held.length > 0);
  assert.equal(await status(ids[2]), before);
  const changes = await leads.grid.evaluateHandle((grid) => {
    const changes = [];
    new MutationObserver((records) => {
      for (const { target } of records) {
        const row = (target.closest ?? target.parentElement.closest).call(target.closest ? target : target.parentElement, "[role=row]");
        if (row) changes.push(row.dataset.leadId);
      }
    }).observe(grid, { subtree: true, childList: true, attributes: true, characterData: true });
    return changes;
  });
  release();
  await leads.waitForStatus(ids[2], changed);
  assert.deepEqual([...new Set(await changes.jsonValue())], [ids[2]]);
});

test("back in a tab, leads that were decided in it are gone at once, and its total is that of the tab", async (t) => {
  const { page, leads } = await stage(t);
  const pending = await leads.ids();
  const [first, second] = pending;
  await leads.decide(leads.row(first), "Approve");
  await leads.decide(leads.row(second), "Reject");
  await allSaved(page);
  await leads.tab("Approved").click();
  await leads.waitForStatus(first, "approved");
  await leads.settled();

  const { release } = await hold(page);
  await leads.tab("Pending").click();
  await shows(leads, "the other pending leads", pending.slice(2, 10));
  const total = async () => /of ([\d,]+)/.exec(await page.locator("footer .range").innerText())[1];
  const count = await leads.tab("Pending").innerText();
  assert.ok(count.includes(await total()), `${count}: ${await total()}`);
  // The list of approved leads lacks what was approved since.
  const third = pending[2];
  await leads.decide(leads.row(third), "Approve");
  await allSaved(page);
  await leads.tab("Approved").click();
  await expectEventually("a list that is being read", () => isBusy(leads));
  release();
  await leads.waitForStatus(third, "approved");
  await leads.settled();
  assert.equal(await isBusy(leads), false);
});

test("a tab without leads that is shown again is read again", async (t) => {
  // With a stream, the tab would have the row at once.
  const { service, page, leads } = await stage(t, { hasStream: false });
  const [id] = await leads.ids();
  const name = await leads.name(leads.row(id));
  const show = async (tab) => {
    await leads.tab(tab).click();
    await page.getByRole("heading", { name: `No ${tab.toLowerCase()} leads match “${name}”` }).waitFor();
  };
  await leads.search.fill(name);
  await show("Rejected");
  await show("Filtered");
  const { status } = await service.call("PATCH", `/api/leads/${id}`, { approval_status: "rejected" });
  assert.equal(status, 200);
  await leads.tab("Rejected").click();
  await leads.waitForStatus(id, "rejected");
});

test("an unsaved decision lies over rows that are shown again", async (t) => {
  const { page, leads } = await stage(t);
  const [id] = await leads.ids();
  await page.route(/\/api\/leads(\/[^/]+)?$/, (route) => (route.request().method() === "PATCH" ? undefined : route.fallback()));
  await leads.decide(leads.row(id), "Reject");
  await leads.waitForStatus(id, "rejected");
  await sortBy(leads, "Name");
  await hold(page);
  await leads.header("Fit").click();
  await shows(leads, "the first order again", [id]);
  assert.equal(await leads.row(id).getAttribute("data-status"), "rejected");
});

test("after Refresh and after a deletion, lists are read before they are shown", async (t) => {
  const { page, leads } = await stage(t);
  await sortBy(leads, "Name");
  await page.getByRole("button", { name: "Refresh" }).click();
  await leads.settled();
  const first = await hold(page);
  await leads.header("Fit").click();
  await expectEventually("a list that is being read", () => isBusy(leads));
  first.release();
  await leads.settled();
  await page.unroute(QUERY);

  // Both orders are known again.
  await sortBy(leads, "Name");
  await page.keyboard.press("j");
  await page.keyboard.press("Delete");
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Delete" }).click();
  await question.waitFor({ state: "hidden" });
  await hold(page);
  await leads.header("Fit").click();
  await expectEventually("a list that is being read", () => isBusy(leads));
});

for (const order of ["before", "after"]) {
  test(`a decided lead that left ${order} the second page was read again does not shift the next pages`, async (t) => {
    const { page, leads } = await stage(t);
    const pending = await leads.ids();
    await sortBy(leads, "Name");
    const first = await hold(page, 1);
    const second = await hold(page, 2);
    await leads.header("Fit").click();
    await shows(leads, "the first order again", pending.slice(0, 5));
    await expectEventually("requests for both pages", () => first.held.length > 0 && second.held.length > 0);
    await leads.decide(leads.row(pending[1]), "Approve");
    await allSaved(page);
    if (order === "before") {
      first.release();
      second.release();
    } else {
      second.release();
      // Because of the decision, the second page is read once more, from the last row of the server's first page on.
      await expectEventually("another request for the first page", () => first.held.length === 2);
      const read = page.waitForResponse((response) => response.request().postDataJSON()?.page === 2);
      first.held[1]();
      await read;
      first.release();
    }
    // The response has no such row.
    await leads.row(pending[1]).waitFor({ state: "detached" });
    await leads.settled();
    const show = async (top) => {
      const place = await leads.grid.evaluate((grid, top) => {
        grid.scrollTo(0, top);
        return Math.floor(grid.scrollTop / grid.querySelector("[data-lead-id]").offsetHeight) + 2;
      }, top);
      await leads.grid.locator(`.row[aria-rowindex="${place}"]`).waitFor();
      await expectEventually("loaded rows", async () => (await leads.grid.locator(".row.skeleton").count()) === 0);
    };
    // The second page is read again, too.
    await show(1_800);
    await expectEventually("each lead once", async () => new Set(await leads.ids()).size === (await leads.ids()).length);
    const places = () => leads.rows.evaluateAll((rows) => rows.map((row) => [row.dataset.leadId, row.getAttribute("aria-rowindex")]));
    const placeOf = new Map();
    for (let top = 0; top < 5_000; top += 400) {
      await show(top);
      for (const [id, place] of await places()) {
        assert.equal(placeOf.get(id) ?? place, place, id);
        placeOf.set(id, place);
      }
    }
    assert.ok(placeOf.size > 100, `${placeOf.size} rows`);
  });
}
