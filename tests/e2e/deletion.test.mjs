// A deleted lead disappears at once, also from every list that is read before the DELETE completes. Undo restores it
// at its position.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

async function opened(t, options) {
  const service = await Service.start(t, { demo: 200 });
  const page = await openPage(t, options);
  // Before the page sets a timer, because this clock cannot clear an earlier one.
  await page.clock.install();
  const leads = await LeadsPage.open(page, service.url);
  const total = await rows(leads);
  assert.ok(total > 100, "more than two pages");
  return { service, page, leads, total };
}

// Returns the number of rows according to the grid.
const rows = async (leads) => Number(await leads.grid.getAttribute("aria-rowcount")) - 1;

const count = async (leads, tab) =>
  Number((await leads.tab(tab).innerText()).replace(/^\D+/, "").replaceAll(",", ""));

function deferred() {
  const made = { isDone: false };
  made.promise = new Promise((resolve) => {
    made.resolve = () => {
      made.isDone = true;
      resolve();
    };
  });
  return made;
}

// Deletes a row, by default the third one. No request is sent until `page.clock` advances.
async function held({ page, leads, index = 2 }) {
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  await leads.grid.focus();
  for (let row = 0; row <= index; row++) await page.keyboard.press("j");
  const id = (await leads.ids())[index];
  const name = await leads.name(leads.row(id));
  await page.keyboard.press("Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText(`Deleting ${name}`).waitFor();
  await leads.row(id).waitFor({ state: "detached" });
  return { id, name };
}

// Returns all ids of the list by scrolling from top to end.
async function everyId(leads, page) {
  const all = new Set();
  await leads.grid.evaluate((grid) => grid.scrollTo(0, 0));
  for (let atEnd = false; !atEnd; ) {
    // A scroll is rendered in the next frame at the earliest: wait for a loaded row at the lower edge.
    await expectEventually("rows", async () => {
      const loaded = await leads.grid.evaluate((grid) => {
        const { left, top } = grid.getBoundingClientRect();
        const lowest = document.elementFromPoint(left + 20, top + grid.clientHeight - 8);
        return lowest?.closest("[data-lead-id]") != null && !grid.querySelector(".rows .skeleton");
      });
      if (!loaded) await page.clock.runFor(50);
      return loaded;
    });
    for (const id of await leads.ids()) all.add(id);
    atEnd = await leads.grid.evaluate((grid) => {
      const before = grid.scrollTop;
      // Two rows less than a screen, so that none is skipped.
      grid.scrollBy(0, grid.clientHeight - 80);
      return grid.scrollTop === before;
    });
  }
  return all;
}

test("a lead that is being deleted is in no page, sort order, search, tab or count", async (t) => {
  const { service, page, leads, total } = await opened(t);
  // The counts load after the rows.
  const everything = await expectEventually("the total count", () => count(leads, "All"));
  const pending = await count(leads, "Pending");
  const { id, name } = await held({ page, leads });
  let sent = 0;
  page.on("request", (request) => (sent += request.method() === "DELETE" ? 1 : 0));
  await expectEventually("one fewer", async () => (await rows(leads)) === total - 1);

  // A deletion that is canceled leaves the lead and the cursor where they are.
  await leads.grid.focus();
  const cursor = leads.grid.locator('[role="row"][data-cursor="true"]');
  const next = await cursor.getAttribute("data-lead-id");
  await page.keyboard.press("Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("alertdialog").waitFor({ state: "detached" });
  assert.equal(await cursor.getAttribute("data-lead-id"), next);

  // The following pages are read while the deletion is held.
  const all = await everyId(leads, page);
  assert.equal(all.size, total - 1, "no other lead is missing");
  assert.ok(!all.has(id));
  assert.equal(await rows(leads), total - 1);

  // Another sort order, and the first one again.
  for (const sorts of [1, 2]) {
    await leads.header("Name").getByRole("button").click();
    await leads.settled();
    await expectEventually(`order ${sorts}`, async () => (await rows(leads)) === total - 1);
    const sorted = await everyId(leads, page);
    assert.equal(sorted.size, total - 1);
    assert.ok(!sorted.has(id));
  }
  await page.getByRole("button", { name: "Refresh" }).click();
  await leads.settled();
  await expectEventually("the tabs", async () =>
    (await count(leads, "Pending")) === pending - 1 && (await count(leads, "All")) === everything - 1);

  await leads.search.fill(name);
  await leads.search.press("Enter");
  await expectEventually("no lead of this name", async () => (await leads.row(id).count()) === 0 && (await rows(leads)) < total - 1);
  await leads.search.fill("");
  await leads.search.press("Enter");
  await expectEventually("the whole list", async () => (await rows(leads)) === total - 1);

  assert.equal(sent, 0, "no DELETE is sent yet");

  // The DELETE is sent, and the lead does not come back.
  const deleted = page.waitForResponse((response) => response.request().method() === "DELETE");
  await page.clock.runFor(6_000);
  assert.equal((await deleted).status(), 204);
  await page.clock.resume();
  await page.getByRole("button", { name: "Refresh" }).click();
  await leads.settled();
  assert.equal(await rows(leads), total - 1);
  const { body } = await service.call("POST", "/api/leads/query", { page_size: 1 });
  assert.equal(body.total, everything - 1);
  assert.equal((await service.call("GET", `/api/leads/${encodeURIComponent(id)}`)).status, 404);
});

test("Undo restores the lead at its position, even if other pages were loaded", async (t) => {
  const { page, leads, total } = await opened(t);
  const before = await leads.ids();
  const { id } = await held({ page, leads });
  await everyId(leads, page);
  await leads.grid.evaluate((grid) => grid.scrollTo(0, 0));
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await leads.row(id).waitFor();
  assert.deepEqual((await leads.ids()).slice(0, 10), before.slice(0, 10));
  assert.equal(await rows(leads), total);
  const all = await everyId(leads, page);
  assert.equal(all.size, total);
});

test("a deletion whose responses are lost is not called undone, and the list says what the server has", async (t) => {
  const { page, leads, total } = await opened(t, { expected: [/502/] });
  await page.route(/\/api\/leads\/[^/?]+$/, async (route) => {
    if (route.request().method() !== "DELETE") return route.fallback();
    await route.fetch();
    await route.fulfill({ status: 502 });
  });
  const { id, name } = await held({ page, leads });
  await page.clock.resume();
  await page.clock.fastForward(6_000);
  const toast = page.getByRole("status").filter({ hasText: `${name} may have been deleted` });
  await expectEventually("the toast", async () => {
    await page.clock.fastForward(2_000);
    return (await toast.count()) > 0;
  });
  await expectEventually("the list of the server", async () => (await rows(leads)) === total - 1);
  assert.equal(await leads.row(id).count(), 0);
});

test("no lead is repeated or missing if the page after that of a deleted lead is read first", async (t) => {
  const { service, page, leads, total } = await opened(t);
  // A lead of the first screen that is on the second page of 50 by name, in both directions, and not at its ends.
  assert.ok(total < 150);
  const filters = [{ field: "approval_status", operator: "eq", value: "pending_approval" }];
  const { body } = await service.call("POST", "/api/leads/query", { filters, sort_by: "name", sort_dir: "asc", page: 2 });
  const second = body.data.slice(2, total - 102).map((lead) => lead.lead_id);
  const index = (await leads.ids()).slice(0, 15).findIndex((id) => second.includes(id));
  assert.notEqual(index, -1);
  const { id } = await held({ page, leads, index });

  // The server answers the third page only when the rows of the second one are there.
  const [third, released] = [deferred(), deferred()];
  await page.route("**/api/leads/query", async (route) => {
    const of = route.request().postDataJSON().page;
    if (of === 2) await third.promise;
    const isFirst = of === 3 && !third.isDone;
    if (isFirst) {
      third.resolve();
      await released.promise;
    }
    await route.continue();
  });
  await leads.header("Name").getByRole("button").click();
  await leads.settled();
  const shows = (row) => leads.grid.locator(`[aria-rowindex="${row + 2}"][data-lead-id]`);
  await leads.grid.evaluate((grid) => grid.scrollTo(0, 97 * 40));
  await expectEventually("rows of the second page", async () => {
    await page.clock.runFor(50);
    return (await shows(96).count()) === 1;
  });
  released.resolve();
  await expectEventually("rows of the third page", async () => {
    await page.clock.runFor(50);
    return (await shows(101).count()) === 1;
  });
  const all = await everyId(leads, page);
  assert.equal(all.size, total - 1);
  assert.ok(!all.has(id));
});

test("no lead is missing after pages were read while the DELETE was slow", async (t) => {
  const { page, leads, total } = await opened(t);
  const { id } = await held({ page, leads });
  const [deleted, released] = [deferred(), deferred()];
  await page.route(`**/api/leads/${encodeURIComponent(id)}`, async (route) => {
    if (route.request().method() !== "DELETE") return route.fallback();
    const response = await route.fetch();
    deleted.resolve();
    await released.promise;
    await route.fulfill({ response });
  });
  await page.clock.runFor(6_000);
  await deleted.promise;
  // Reads wait two seconds for the response.
  await everyId(leads, page);
  released.resolve();
  await expectEventually("the list without the lead", async () => {
    await page.clock.runFor(50);
    return (await rows(leads)) === total - 1 && (await leads.grid.getAttribute("aria-busy")) !== "true";
  });
  assert.equal((await everyId(leads, page)).size, total - 1);
});
