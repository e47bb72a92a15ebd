// What others change is shown as it happens: in place, with its age, and nothing moves.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { writeLeads } from "./support/csv.mjs";
import { DetailsPane } from "./support/details-pane.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { decideAsOther, decidedByOther, holdableStream, isLive, line } from "./support/live.mjs";
import { stage as stagePulse } from "./support/pulse.mjs";
import { Service, temporaryFolder } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const ONE = /\/api\/leads\/[^/?]+$/;

async function stage(t, { demo = 300, prepare, ...options } = {}) {
  const service = await Service.start(t, { demo });
  const page = await openPage(t, options);
  const prepared = await prepare?.(page);
  const leads = await LeadsPage.open(page, service.url);
  await isLive(page);
  await expectEventually("counts", async () => (await count(leads, "All")) > 0);
  return { service, page, leads, prepared, ids: await leads.ids() };
}

const top = async (row) => (await row.boundingBox()).y;
const count = async (leads, name) => Number((await leads.tab(name).innerText()).replaceAll(/\D/g, ""));

// Holds the decisions of a page. Returns what sends them.
async function holdDecisions(page) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(ONE, async (route) => {
    if (route.request().method() === "PATCH") await released;
    await route.fallback();
  });
  return release;
}

// Returns the ids of a tab, in the order of the server.
async function listed(service, status) {
  const filters = [{ field: "approval_status", operator: "eq", value: status }];
  const ids = [];
  for (let page = 1; ; page += 1) {
    const { body } = await service.call("POST", "/api/leads/query", { filters, page, page_size: 100 });
    ids.push(...body.data.map((lead) => lead.lead_id));
    if (body.data.length < 100) return ids;
  }
}

// Scrolls through the whole list, and returns the ids of all rows in order.
async function scrolled(page, leads) {
  const seen = new Map();
  const take = async () => {
    const rows = await leads.grid.evaluate((grid) =>
      Array.from(grid.querySelectorAll("[role=row][data-lead-id]"), (row) => [
        Number(row.getAttribute("aria-rowindex")),
        row.getAttribute("data-lead-id"),
      ]),
    );
    for (const [index, id] of rows) seen.set(index, id);
  };
  await leads.grid.evaluate((grid) => grid.scrollTo(0, 0));
  for (;;) {
    await leads.settled();
    await expectEventually("rows with data", () =>
      leads.grid.evaluate((grid) => !grid.querySelector(".rows [role=row]:not([data-lead-id])")),
    );
    await take();
    const isEnd = await leads.grid.evaluate(async (grid) => {
      const before = grid.scrollTop;
      // Two rows less than a screen, so that none is skipped.
      grid.scrollBy(0, grid.clientHeight - 80);
      // The rows change in the next frame.
      await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
      return grid.scrollTop === before;
    });
    if (isEnd) break;
  }
  return [...seen].sort(([one], [other]) => one - other).map(([, id]) => id);
}

test("a lead that someone else decides or deletes says so in place, with its age, and nothing moves", async (t) => {
  const { service, page, leads, ids } = await stage(t);
  const [pending, approved] = [await count(leads, "Pending"), await count(leads, "Approved")];
  await leads.row(ids[3]).hover();
  const before = await top(leads.row(ids[3]));
  await decideAsOther(service, ids[1], "approved");
  const mark = decidedByOther(leads, ids[1], "approved").locator("[data-column=status]");
  await mark.getByText(/^Approved, (now|\d+ s ago)$/).waitFor();
  await leads.header("Status").waitFor();
  assert.equal(await leads.row(ids[1]).getAttribute("data-decided"), "true");
  assert.equal(await leads.row(ids[1]).locator(".state").getAttribute("title"), "By someone else");
  assert.equal(await top(leads.row(ids[3])), before);
  await leads.row(ids[3]).getByRole("button", { name: /^Approve / }).waitFor();
  await expectEventually("the tabs to count along", async () =>
    (await count(leads, "Pending")) === pending - 1 && (await count(leads, "Approved")) === approved + 1,
  );
  // The age changes by itself.
  await decidedByOther(leads, ids[1], "approved").getByText(/^Approved, [25] s ago$/).waitFor();
  await service.call("DELETE", `/api/leads/${encodeURIComponent(ids[2])}`);
  await leads.row(ids[2]).getByText(/^Deleted, /).waitFor();
  assert.equal(await leads.row(ids[2]).getAttribute("data-by-others"), "true");
  assert.equal(await top(leads.row(ids[3])), before);
  await page.getByRole("button", { name: "Refresh" }).click();
  await leads.row(ids[1]).waitFor({ state: "detached" });
  assert.equal(await leads.grid.locator('[data-by-others="true"]').count(), 0);
});

test("two reviewers with their own keys see each other's decisions, and not their own as another's", async (t) => {
  const { service, page, leads, ids } = await stage(t);
  const other = await openPage(t);
  const key = await service.createKey("Bo");
  const theirs = await LeadsPage.open(other, `${service.origin}/#key=${key}`);
  await isLive(other);
  await theirs.decide(theirs.row(ids[0]), "Reject");
  await decidedByOther(leads, ids[0], "rejected").waitFor();
  await leads.decide(leads.row(ids[2]), "Approve");
  await decidedByOther(theirs, ids[2], "approved").waitFor();
  for (const [of, id] of [[theirs, ids[0]], [leads, ids[2]]]) {
    await allSaved(of.page);
    assert.equal(await of.row(id).getAttribute("data-by-others"), "false");
  }
});

test("no lead is skipped or repeated when more rows are loaded after others decided", async (t) => {
  const { service, page, leads, ids } = await stage(t);
  const all = await listed(service, "pending_approval");
  for (const id of [ids[0], ids[5], ids[7]]) await decideAsOther(service, id, "rejected");
  await decidedByOther(leads, ids[7], "rejected").waitFor();
  await leads.decide(leads.row(ids[2]), "Approve");
  await allSaved(page);
  const rows = await scrolled(page, leads);
  assert.equal(new Set(rows).size, rows.length, "none twice");
  assert.deepEqual([...rows].sort(), [...all].sort(), "none is missing, and the decided ones stay");
});

test("a list that is read again while a decision is in flight skips no lead", async (t) => {
  const { service, page, leads, prepared: release } = await stage(t, { prepare: holdDecisions });
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  const read = page.waitForResponse("**/api/leads/query");
  await page.getByRole("button", { name: "Refresh" }).click();
  await read;
  await leads.settled();
  release();
  await allSaved(page);
  const shown = await scrolled(page, leads);
  const pending = await listed(service, "pending_approval");
  assert.deepEqual(pending.filter((id) => !shown.includes(id)), []);
  assert.equal(new Set(shown).size, shown.length);
});

test("Undo in the tab to which the lead went skips no lead there", async (t) => {
  const { service, page, leads } = await stage(t, { demo: 900 });
  await leads.grid.focus();
  for (const key of "ja") await page.keyboard.press(key);
  await allSaved(page);
  const before = await listed(service, "approved");
  assert.ok(before.length > 110);
  await leads.tab("Approved").click();
  await leads.settled();
  await leads.grid.focus();
  await page.keyboard.press("u");
  await expectEventually("the undo", async () => (await listed(service, "approved")).length === before.length - 1);
  await allSaved(page);
  const shown = await scrolled(page, leads);
  const approved = await listed(service, "approved");
  assert.deepEqual(approved.filter((id) => !shown.includes(id)), []);
  assert.equal(new Set(shown).size, shown.length);
});

test("open details and the tab of a decided lead follow, with the focus where it was", async (t) => {
  const { service, page, leads, ids } = await stage(t);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const pane = new DetailsPane(page);
  await pane.panel.waitFor();
  const choices = pane.panel.getByRole("group", { name: /^Decision on / });
  const approve = choices.getByRole("button", { name: "Approve", exact: true });
  await approve.focus();
  await decideAsOther(service, ids[0], "rejected");
  await expectEventually("the details to say so", async () =>
    (await choices.getByRole("button", { name: "Reject", exact: true }).getAttribute("aria-disabled")) === "true",
  );
  assert.ok(await approve.evaluate((button) => button === document.activeElement));
  assert.equal(await pane.panel.getAttribute("aria-busy"), "false");
});

test("an import is one line above the list, which takes the new leads when it is asked to", async (t) => {
  const { service, page, leads, ids } = await stage(t);
  const folder = await temporaryFolder(t);
  const file = join(folder, "more.csv");
  await writeLeads(file, 40);
  const total = await count(leads, "All");
  const before = await top(leads.row(ids[4]));
  await service.command("import", file);
  await line(page).getByText("40 leads are new. Show them").waitFor();
  assert.ok(Math.abs((await top(leads.row(ids[4]))) - before) < 1, "the rows stay where they are");
  await expectEventually("the tabs to count along", async () => (await count(leads, "All")) === total + 40);
  await line(page).click();
  await line(page).waitFor({ state: "detached" });
  await leads.settled();
  const all = await listed(service, "pending_approval");
  const rows = await scrolled(page, leads);
  assert.deepEqual([...rows].sort(), [...all].sort());
});

test("a short list has the line below its rows", async (t) => {
  const { service, page, leads, ids } = await stage(t, { demo: 12 });
  const before = await top(leads.row(ids[0]));
  const file = join(await temporaryFolder(t), "more.csv");
  await writeLeads(file, 1);
  await service.command("import", file);
  await line(page).getByText("1 lead is new. Show it").waitFor();
  assert.equal(await top(leads.row(ids[0])), before);
  assert.ok((await line(page).boundingBox()).y > (await top(leads.row(ids.at(-1)))));
});

// Approves the second lead, which someone else rejects before the decision is sent. `release` sends it.
async function decidedByBoth(t) {
  const screen = await stage(t);
  const { service, page, leads, ids } = screen;
  const release = await holdDecisions(page);
  await leads.decide(leads.row(ids[1]), "Approve");
  await leads.waitForStatus(ids[1], "approved");
  await decideAsOther(service, ids[1], "rejected");
  // Theirs has arrived once a later change has.
  await decideAsOther(service, ids[4], "rejected");
  await decidedByOther(leads, ids[4], "rejected").waitFor();
  return { ...screen, release };
}

test("an own decision wins over one of others, which is said once, with Undo", async (t) => {
  const { service, page, leads, ids, release } = await decidedByBoth(t);
  assert.equal(await leads.row(ids[1]).getAttribute("data-status"), "approved", "mine stays");
  assert.equal(await leads.row(ids[1]).getAttribute("data-by-others"), "false");
  release();
  await undoesToRejected(service, page, leads, ids[1]);
});

test("an own decision that was taken back is no conflict, and no later one is", async (t) => {
  const { service, page, leads, ids, release } = await decidedByBoth(t);
  await leads.grid.focus();
  await page.keyboard.press("u");
  await leads.waitForStatus(ids[1], "rejected");
  release();
  await allSaved(page);
  await leads.decide(leads.row(ids[1]), "Approve");
  await allSaved(page);
  // Both answers have arrived, and their events once a later change has.
  await decideAsOther(service, ids[5], "rejected");
  await decidedByOther(leads, ids[5], "rejected").waitFor();
  assert.equal(await page.getByText(/yours was saved/).count(), 0);
  assert.equal(await leads.row(ids[1]).getAttribute("data-status"), "approved");
});

test("Undo goes back to theirs, too, if the service answers mine before theirs arrives", async (t) => {
  const { service, page, leads, prepared: stream, ids } = await stage(t, { prepare: holdableStream });
  const release = await holdDecisions(page);
  await leads.decide(leads.row(ids[1]), "Approve");
  await leads.waitForStatus(ids[1], "approved");
  await stream.hold();
  await decideAsOther(service, ids[1], "rejected");
  await stream.has("rejected");
  release();
  await allSaved(page);
  assert.equal(await leads.row(ids[1]).getAttribute("data-status"), "approved");
  await stream.letGo();
  await undoesToRejected(service, page, leads, ids[1]);
});

// The page says that someone else rejected the lead before this reviewer approved it, and Undo rejects it.
async function undoesToRejected(service, page, leads, id) {
  const said = page.locator("footer").getByText(/^Rejected by someone else .*; yours was saved\.$/);
  await said.waitFor();
  await allSaved(page);
  await page.locator("footer").getByRole("button", { name: "Undo" }).click();
  await leads.waitForStatus(id, "rejected");
  await said.waitFor({ state: "detached" });
  await allSaved(page);
  const { body } = await service.call("GET", `/api/leads/${encodeURIComponent(id)}`);
  assert.equal(body.approval_status, "rejected");
}

test("a row that is read again while it is decided keeps the decision", async (t) => {
  const { service, page, leads, ids } = await stage(t);
  const held = [];
  let holds = true;
  await page.route("**/api/leads/query", async (route) => {
    if (!holds) return route.fallback();
    const response = await route.fetch();
    held.push(() => route.fulfill({ response }));
  });
  await service.call("POST", "/api/leads/score", { lead_ids: [ids[1], ids[2]] });
  await expectEventually("the row to be read", () => held.length > 0);
  await leads.decide(leads.row(ids[1]), "Approve");
  await allSaved(page);
  holds = false;
  for (const answer of held) await answer();
  // The responses have arrived once a later change has.
  await decideAsOther(service, ids[4], "rejected");
  await decidedByOther(leads, ids[4], "rejected").waitFor();
  assert.equal(await leads.row(ids[1]).getAttribute("data-status"), "approved");
  assert.equal(await leads.row(ids[1]).getAttribute("data-by-others"), "false");
});

test("the number of all pending leads follows what others decide outside of the filter", async (t) => {
  const { service, page, ids } = await stage(t);
  // The best leads, which come first, have another tier.
  await page.goto(`${service.origin}/leads?icp_tier=D`);
  await isLive(page);
  const all = async () => {
    const text = await page.getByText(/of [\d,]+ pending/).first().innerText();
    return Number(/of ([\d,]+) pending/.exec(text)[1].replaceAll(",", ""));
  };
  const before = await all();
  await decideAsOther(service, ids[0], "rejected");
  await expectEventually("the number to follow", async () => (await all()) === before - 1);
});

test("the insights count along", async (t) => {
  const service = await Service.start(t, { demo: 300 });
  const page = await openPage(t);
  const { origin, hash } = new URL(service.url);
  await page.goto(`${origin}/insights${hash}`);
  await isLive(page);
  const [id] = await listed(service, "pending_approval");
  const summary = page.locator(".insights-board");
  const before = await summary.innerText();
  const approved = Number(/([\d,]+) approved/.exec(before)[1].replaceAll(",", ""));
  await decideAsOther(service, id, "approved");
  await summary.getByText(new RegExp(`${approved + 1} approved`)).first().waitFor();
});

test("a pulse, the portfolio and the accounts count along", async (t) => {
  const { service, page, open, id, pulse } = await stagePulse(t);
  const leadsOf = async (account) => {
    const { body } = await service.call("GET", `/api/accounts/${account}`);
    return body.leads.map((lead) => lead.lead_id);
  };
  const deleteOne = ([lead]) => service.call("DELETE", `/api/leads/${encodeURIComponent(lead)}`);
  await isLive(page);
  await pulse.settled();
  const leads = await leadsOf(id);
  const pulseShows = (count) => expectEventually(`a pulse of ${count} leads`, async () =>
    (await pulse.chart("Funnel").getAttribute("aria-label")).startsWith(`Funnel: Leads ${count},`));
  await pulseShows(leads.length);
  await deleteOne(leads);
  await pulseShows(leads.length - 1);
  for (const path of ["/portfolio", "/accounts"]) {
    await open(path);
    await isLive(page);
    const row = page.locator("[data-account-id]").first();
    const leads = await leadsOf(await row.getAttribute("data-account-id"));
    const shows = (count) => row.getByText(new RegExp(`^(\\d+ of )?${count}( approved)?$`)).first().waitFor();
    await shows(leads.length);
    await deleteOne(leads);
    await shows(leads.length - 1);
  }
});
