// What a page adds to the review: columns, actions, a section in the details, and listeners. Built with Vite, under a strict
// Content-Security-Policy.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import * as vite from "vite";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { DetailsPane, click, nameOf } from "../e2e/support/details-pane.mjs";
import { decideAsOther, openStreams, streams } from "../e2e/support/live.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { project } from "./support/project.mjs";
import { mounted, openHelp, openReview } from "./support/review.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

const FIXTURE = join(import.meta.dirname, "fixtures", "host");
// Exceptions of the page are reported like any uncaught error.
const BROKEN = /no such field|CRM is down|a column's value is|no notes/;

// Built once for all tests of this file.
const root = await project({ after }, { from: FIXTURE });
await vite.build({ configFile: false, logLevel: "error", root, build: { outDir: "dist" } });

async function open(t, options = {}) {
  const origin = await serve(t, join(root, "dist"));
  const said = [];
  const opened = await openReview(t, origin, {
    view: "leads?tab=all",
    expected: [BROKEN],
    prepare: (page) => page.on("console", (message) => said.push(message.text())),
    ...options,
  });
  const errors = [];
  opened.page.on("pageerror", (error) => errors.push(error.message));
  const leads = await mounted(opened.page);
  const [id] = await leads.ids();
  const log = (name) => opened.page.evaluate((name) => globalThis.log[name], name);
  return { ...opened, leads, id, said, errors, log };
}

const cell = (leads, id, column) => leads.row(id).locator(`[data-column="host:${column}"]`);
// The nodes of the page that are shown in the review.
const slotted = (page) => page.locator("lead-review > [slot]").count();
const becomes = (what, read, wanted) =>
  expectEventually(what, async () => JSON.stringify(await read()) === JSON.stringify(wanted));
const focusGrid = async (leads, id) => {
  await leads.row(id).locator("[data-column=name]").click({ modifiers: ["Control"] });
  await leads.row(id).locator("[data-column=name]").click({ modifiers: ["Control"] });
};

test("columns: texts, nodes and promises; an exception costs its cell", async (t) => {
  // So wide that the grid does not scroll sideways: while it does, no row has buttons.
  const { page, leads, id, errors, service, log } = await open(t, { viewport: { width: 2200, height: 900 } });
  const name = await nameOf(service, id);
  const { body } = await service.call("GET", `/api/leads/${id}`);
  await becomes("a text", () => cell(leads, id, "text").textContent(), `first <b>${body.approval_status}</b>`);
  assert.equal(await cell(leads, id, "text").locator("*").count(), 0, "a text is text");
  assert.equal((await log("lead")).custom_data === undefined, false, "a lead has all its fields");

  // A node stays in the page's own tree, with the page's own style.
  const pill = page.locator("lead-review > [slot] > .pill", { hasText: name });
  await pill.waitFor();
  assert.equal(await pill.evaluate((node) => getComputedStyle(node).color), "rgb(1, 2, 3)");
  const [inside, around] = [await pill.boundingBox(), await cell(leads, id, "node").boundingBox()];
  assert.ok(inside.x >= around.x && inside.x + inside.width <= around.x + around.width + 1, "it is in its cell");
  const bold = leads.row(id).locator("[data-column=name] b");
  assert.notEqual(await bold.evaluate((node) => getComputedStyle(node).color), "rgb(1, 2, 3)", "but nothing else has it");

  await becomes("a promise", () => cell(leads, id, "number").textContent(), "7");
  assert.match(await cell(leads, id, "number").getAttribute("class"), /\bnumber\b/);
  for (const [column, title] of [
    ["thrown", "Harbour could not show this: no such field"],
    ["rejected", "Harbour could not show this: the CRM is down"],
    ["odd", "Harbour could not show this: a column's value is a text, a node, or a promise of one"],
    ["slow", "Harbour has not answered yet"],
  ]) {
    await becomes(column, () => cell(leads, id, column).getAttribute("title"), title);
    assert.equal(await cell(leads, id, column).textContent(), "");
  }
  await expectEventually("one report for each column", () => errors.length === 3);
  await page.evaluate(() => globalThis.settle("at last"));
  await becomes("the slow promise", () => cell(leads, id, "slow").textContent(), "at last");
  assert.equal(errors.length, 3);

  // Decisions show in the value.
  const pending = await leads.grid.locator('[data-status="pending_approval"]').first().getAttribute("data-lead-id");
  await leads.decide(leads.row(pending), "Approve");
  await becomes("the decided status", () => cell(leads, pending, "text").textContent(), "first <b>approved</b>");
});

test("columns: computed for rows near the view, again on request, and a click on a node opens its lead", async (t) => {
  const { page, leads, id, log } = await open(t, { demo: 300 });
  await cell(leads, id, "text").getByText("first").waitFor();
  const rows = await leads.rows.count();
  assert.ok((await log("values")) <= 2 * rows, "once for a row, and again at most for its details");

  await page.evaluate(() => {
    globalThis.setWord("second");
    globalThis.review.refreshColumns();
  });
  await cell(leads, id, "text").getByText("second").waitFor();

  await cell(leads, id, "button").hover();
  await page.getByRole("button", { name: "Call", exact: true }).first().click();
  await becomes("the call", async () => (await log("events")).find(([type]) => type === "call"), ["call", id]);
  // Its keys are its own.
  await page.getByRole("button", { name: "Call", exact: true }).first().focus();
  await page.keyboard.press("Space");
  await becomes("another call", async () => (await log("events")).filter(([type]) => type === "call").length, 2);
  assert.equal(await leads.grid.locator('[aria-selected="true"]').count(), 0);
  const pane = new DetailsPane(page);
  await pane.closed();
  await page.locator("lead-review > [slot] > .pill").first().click();
  await pane.panel.waitFor();
  await page.keyboard.press("Escape");
  await pane.closed();

  // Nodes of rows that are scrolled past are removed: at most 160 rows keep theirs, of two columns each.
  const before = await log("values");
  const screens = await leads.grid.evaluate((grid) => Math.floor(grid.scrollHeight / grid.clientHeight));
  for (let at = 0; at <= screens; at += 1) {
    await leads.grid.evaluate((grid, at) => grid.scrollTo(0, at * grid.clientHeight), at);
    await expectEventually("the rows of a screen", async () => (await leads.grid.locator('[data-column="host:text"]:empty').count()) === 0);
  }
  assert.ok((await log("values")) - before > 160, "the test has too few leads");
  await expectEventually("few nodes of the page", async () => (await slotted(page)) <= 2 * 160);

  // Other columns at any time.
  await page.evaluate(() => {
    globalThis.review.element.columns = [{ id: "other", label: "Other", value: () => "new" }];
  });
  await leads.header("Other").waitFor();
  await leads.header("Pill").waitFor({ state: "detached" });
  await becomes("the new column", () => leads.rows.first().locator('[data-column="host:other"]').textContent(), "new");
});

test("columns: two rows with the same lead, as when others were added between two pages", async (t) => {
  const { leads } = await open(t, {
    prepare: (page) =>
      page.route("**/api/leads/query", async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        json.data[1] = json.data[0];
        await route.fulfill({ response, json });
      }),
  });
  for (const at of [0, 1, 2]) {
    await leads.rows.nth(at).locator('[data-column="host:text"]').getByText("first").waitFor();
  }
});

test("columns: in the menu under the name of the page, hidden and kept in the view", async (t) => {
  const { page, leads, id } = await open(t);
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  const menu = page.getByRole("dialog", { name: "Columns" });
  const line = menu.getByRole("listitem").filter({ hasText: "Pill" });
  await line.getByText("Harbour", { exact: true }).waitFor();
  await line.getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await leads.header("Pill").waitFor({ state: "detached" });
  await cell(leads, id, "text").waitFor();
  const view = await page.evaluate(() => globalThis.review.element.view);
  assert.match(view, /-host%3Anode/);
  await page.evaluate(() => globalThis.review.navigate("leads?tab=all"));
  await leads.header("Pill").waitFor();
  await page.evaluate((view) => globalThis.review.navigate(view), view);
  await leads.header("Pill").waitFor({ state: "detached" });
});

test("actions: by key, menu, palette and selection, with progress, and cancelled", async (t) => {
  const { page, leads, id, said, log } = await open(t);
  const panel = page.getByRole("group", { name: /^Send to CRM/ });
  await focusGrid(leads, id);
  await page.keyboard.press("y");
  await panel.getByText("50 %").waitFor();
  assert.deepEqual(await log("runs"), [["send", [id]]]);
  await panel.getByRole("button", { name: "Cancel" }).click();
  await panel.waitFor({ state: "detached" });
  assert.ok(await page.evaluate(() => globalThis.log.signals[0].aborted));
  await becomes("the end of the cancelled run", () => log("ended"), 1);

  // Its key belongs to the review, which says so once.
  await page.evaluate(() => (globalThis.review.element.actions = [...globalThis.actions]));
  const conflicts = () => said.filter((text) => text.includes('does not get the key "a"'));
  await expectEventually("the conflict", () => conflicts().length === 1);
  assert.match(conflicts()[0], /the action "Fail" does not get the key "a": the review uses it for "Approve"\./);
  await page.keyboard.press("a");
  await leads.waitForStatus(id, "approved");
  assert.equal((await log("runs")).length, 1);

  await page.evaluate(() => (globalThis.finish = true));
  const [first, second] = await leads.ids();
  for (const one of [first, second]) await leads.row(one).getByRole("checkbox").check();
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: /^Send to CRM/ }).click();
  await page.getByText("“Send to CRM” is done").waitFor();
  assert.deepEqual((await log("runs")).at(-1)[1].toSorted(), [first, second].toSorted());
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: /^Clear/ }).click();

  await leads.row(first).locator("[data-column=title]").click({ button: "right" });
  const menu = page.getByRole("group", { name: "Harbour" });
  assert.deepEqual(
    (await menu.getByRole("menuitem").locator(".label").allInnerTexts()).toSorted(),
    ["Fail", "Research", "Send to CRM"],
  );
  await menu.getByRole("menuitem", { name: "Research" }).click();
  await expectEventually("the account's id", async () => (await log("runs")).at(-1)[0] === "research");

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("Send to CRM");
  await page.getByRole("option", { name: /Send to CRM/ }).click();
  await becomes("the run of the palette", async () => (await log("runs")).at(-1), ["send", [first]]);

  const help = await openHelp(page);
  const section = help.locator("section").filter({ has: page.getByRole("heading", { name: "Harbour" }) });
  await section.getByText("Send to CRM").waitFor();
  assert.equal(await section.locator("kbd").innerText(), "y");
});

test("actions: a failed one says why and can be run again, also from the details", async (t) => {
  const { page, leads, id, log } = await open(t);
  await click(leads, id);
  const pane = new DetailsPane(page);
  await pane.panel.waitFor();
  await pane.button("More").click();
  await pane.button("Fail").click();
  await becomes("the focus", () => page.evaluate(() => globalThis.review.element.shadowRoot.activeElement?.textContent), "More");
  const panel = page.getByRole("group", { name: /^Fail/ });
  await panel.getByRole("alert").getByText("Harbour says: The CRM says no.").waitFor();
  // Another action at its place is not run.
  await page.evaluate(() => (globalThis.review.element.actions = globalThis.actions.slice(2)));
  await panel.getByRole("button", { name: "Retry" }).click();
  await panel.getByRole("alert").getByText("this page does not offer it any more").waitFor();
  await page.evaluate(() => {
    globalThis.works = true;
    globalThis.review.element.actions = [...globalThis.actions];
  });
  await panel.getByRole("button", { name: "Retry" }).click();
  await page.getByText("“Fail” is done").waitFor();
  await panel.waitFor({ state: "detached" });
  assert.deepEqual(await log("runs"), [["fail", [id]], ["fail", [id]]]);
});

test("a section in the details: anew for each lead, cleaned up, and its exception is said", async (t) => {
  const { page, leads, service, log } = await open(t);
  const [first, second] = await leads.ids();
  const pane = new DetailsPane(page);
  await click(leads, first);
  await pane.shows(await nameOf(service, first));
  await pane.section("Harbour").waitFor();
  await page.getByText(`Notes on ${await nameOf(service, first)}`).waitFor();
  await click(leads, second);
  await page.getByText(`Notes on ${await nameOf(service, second)}`).waitFor();
  assert.deepEqual([await log("made"), await log("destroyed")], [[first, second], [first]]);
  await page.keyboard.press("Escape");
  await pane.closed();
  await becomes("the end of the section", () => log("destroyed"), [first, second]);
  assert.equal(await page.getByText("Notes on").count(), 0);

  await page.evaluate(() => (globalThis.breakDetails = true));
  await click(leads, first);
  await pane.section("Harbour").getByText("Harbour could not show its section: no notes").waitFor();
  await page.evaluate(() => {
    globalThis.breakDetails = false;
    globalThis.review.element.details = undefined;
  });
  await pane.section("Harbour").waitFor({ state: "detached" });
});

test("events: selection, open lead, results of a decision on several leads", async (t) => {
  const { page, leads, log } = await open(t);
  const [first, second] = await leads.ids();
  const events = async (type) => (await log("events")).filter(([of]) => of === type).map(([, event]) => event);
  await leads.row(first).getByRole("checkbox").check();
  await leads.row(second).getByRole("checkbox").check();
  await expectEventually("the selection", async () => (await events("selection")).at(-1)?.ids.length === 2);
  assert.deepEqual((await events("selection"))[0], { list: "leads", ids: [first] });
  await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: /^Reject/ }).click();
  await expectEventually("the result", async () => (await events("bulk")).length === 1);
  const [result] = await events("bulk");
  assert.deepEqual({ ...result, updated: result.updated.toSorted() }, {
    status: "rejected",
    updated: [first, second].toSorted(),
    failed: [],
    uncertain: [],
  });
  assert.deepEqual((await events("selection")).at(-1), { list: "leads", ids: [] });

  await click(leads, first);
  await becomes("the open lead", () => events("open"), [{ leadId: first }]);
  await page.keyboard.press("Escape");
  await becomes("no open lead", () => events("open"), [{ leadId: first }, { leadId: null }]);
});

test("the reviews of a page share a stream, and the next one takes it over", async (t) => {
  let found;
  const { page, service, id } = await open(t, { prepare: (page) => (found = streams(page.context())) });
  const given = { baseUrl: service.origin, apiKey: service.key, view: "leads?tab=all" };
  await page.evaluate((given) => {
    for (let more = 0; more < 3; more += 1) {
      document.body.append(Object.assign(document.createElement("lead-review"), given));
    }
  }, given);
  const last = page.locator("lead-review").last();
  const shows = (status) => last.locator(`[data-lead-id="${id}"][data-status="${status}"]`).waitFor();
  await last.locator(`[data-lead-id="${id}"]`).waitFor();
  await last.locator('.live[data-connection="live"]').waitFor({ state: "attached" });
  await openStreams(found, 1);
  await decideAsOther(service, id, "approved");
  await shows("approved");
  await page.evaluate(() => globalThis.review.unmount());
  await decideAsOther(service, id, "rejected");
  await shows("rejected");
  await openStreams(found, 1);
});

test("removing the review removes all nodes, cancels actions and ends the section", async (t) => {
  const { page, leads, id, log } = await open(t);
  await cell(leads, id, "text").getByText("first").waitFor();
  await click(leads, id);
  await page.getByText("Notes on").waitFor();
  await page.keyboard.press("y");
  await page.getByRole("group", { name: /^Send to CRM/ }).waitFor();
  const element = await page.evaluateHandle(() => globalThis.review.element);
  await page.evaluate(() => globalThis.review.unmount());
  assert.equal(await element.evaluate((element) => element.querySelectorAll("[slot]").length), 0);
  assert.deepEqual(await log("destroyed"), [id]);
  assert.ok(await page.evaluate(() => globalThis.log.signals[0].aborted));
  assert.match(
    await page.evaluate(() => {
      try {
        globalThis.review.refreshColumns();
      } catch (error) {
        return error.message;
      }
    }),
    /was unmounted/,
  );
});
