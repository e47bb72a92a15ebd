// Reviewing by keyboard in a list of any length: no decision is lost, duplicated or skipped.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { writeLeads } from "./support/csv.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service, temporaryFolder } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const isDecision = (request) =>
  request.method() === "PATCH" && new URL(request.url()).pathname.startsWith("/api/leads");

async function total(service, status) {
  const filters = [{ field: "approval_status", operator: "eq", value: status }];
  const { body } = await service.call("POST", "/api/leads/query", { filters, page_size: 1 });
  return body.total;
}

async function imported(t, count, viewport) {
  const file = join(await temporaryFolder(t), "leads.csv");
  await writeLeads(file, count);
  const service = await Service.start(t, { importFile: file });
  const page = await openPage(t, viewport ? { viewport } : {});
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

const cursor = (leads) => leads.grid.locator('[role="row"][data-cursor="true"]');

test("fifty leads are reviewed by keyboard only, in order, each once", async (t) => {
  const { service, page, leads } = await imported(t, 120);
  const wanted = [];
  for (const number of [1, 2]) {
    const { body } = await service.call("POST", "/api/leads/query", {
      filters: [{ field: "approval_status", operator: "in", value: ["pending_approval"] }],
      sort_by: "icp_score",
      sort_dir: "desc",
      page: number,
      page_size: 50,
    });
    wanted.push(...body.data.map((lead) => lead.lead_id));
  }
  await leads.grid.focus();
  await page.keyboard.press("j");
  assert.equal(await cursor(leads).getAttribute("data-lead-id"), wanted[0]);
  const decided = new Map();
  for (let n = 0; n < 70; n += 1) {
    // The list continues past its first page, although decided leads no longer match on the server.
    const id = await expectEventually(`lead ${n + 1}`, () => cursor(leads).getAttribute("data-lead-id"));
    assert.equal(id, wanted[n], `lead ${n + 1} is the next one in the list`);
    await page.keyboard.press(n % 3 === 0 ? "r" : "a");
    decided.set(id, n % 3 === 0 ? "rejected" : "approved");
  }
  await allSaved(page);
  for (const [id, status] of decided) {
    const { body } = await service.call("GET", `/api/leads/${encodeURIComponent(id)}`);
    assert.equal(body.approval_status, status, id);
  }
  assert.equal(await total(service, "pending_approval"), 50);
});

test("fast key presses lose and duplicate nothing, and a held key decides once", async (t) => {
  const { service, page, leads } = await imported(t, 100);
  const sent = [];
  page.on("request", (request) => {
    if (isDecision(request)) sent.push(request.postDataJSON());
  });
  // The server takes longer to respond than the user to press the next key.
  await page.route("**/api/leads**", async (route) => {
    if (isDecision(route.request())) await new Promise((go) => setTimeout(go, 120));
    await route.fallback();
  });
  await leads.grid.focus();
  await page.keyboard.press("j");
  // As fast as the driver can.
  for (let n = 0; n < 30; n += 1) await page.keyboard.press("a");
  await allSaved(page);
  assert.equal(await total(service, "approved"), 30);
  const decisions = sent.reduce((sum, body) => sum + (body.lead_ids?.length ?? 1), 0);
  assert.equal(decisions, 30, "each decision is sent once");
  assert.ok(sent.length < 30, "some requests have several decisions");

  await page.keyboard.down("r");
  for (let n = 0; n < 20; n += 1) await page.keyboard.down("r");
  await page.keyboard.up("r");
  await allSaved(page);
  assert.equal(await total(service, "rejected"), 1);
});

test("a page that is read while decisions are saved has no gaps and repeats nothing", async (t) => {
  const { service, page, leads } = await imported(t, 120);
  let saved = 0;
  page.on("requestfinished", (request) => {
    if (isDecision(request)) saved += request.postDataJSON().lead_ids?.length ?? 1;
  });
  // The server reads the third page only after it has saved further decisions.
  let isHeld = false;
  await page.route("**/api/leads/query", async (route) => {
    if (!isHeld && saved > 0) {
      isHeld = true;
      const before = saved;
      await expectEventually("more decisions", () => saved >= before + 3);
    }
    await route.fallback();
  });
  await leads.grid.focus();
  await page.keyboard.press("j");
  const decided = [];
  for (let n = 0; n < 120; n += 1) {
    const id = await expectEventually(`lead ${n + 1}`, async () => {
      const id = await cursor(leads).getAttribute("data-lead-id");
      return id !== decided.at(-1) && id;
    });
    decided.push(id);
    await page.keyboard.press("a");
  }
  assert.ok(isHeld);
  assert.equal(new Set(decided).size, 120);
  await allSaved(page);
  assert.equal(await total(service, "approved"), 120);
});

test("undo and redo work across pages and views, with one step for many leads", async (t) => {
  const { service, page, leads } = await imported(t, 80);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("3 selected").waitFor();
  await page.keyboard.press("Shift+R");
  await page.getByText("Rejected 3 leads").waitFor();
  await expectEventually("three rejected leads", async () => (await total(service, "rejected")) === 3);

  await leads.tab("All").click();
  await leads.settled();
  await leads.grid.focus();
  await page.keyboard.press("u");
  await page.getByText("Undone: 3 leads restored").waitFor();
  await expectEventually("no rejected leads", async () => (await total(service, "rejected")) === 0);
  await page.keyboard.press("Control+z");
  await expectEventually("no approved leads", async () => (await total(service, "approved")) === 0);
  await page.keyboard.press("Control+Shift+Z");
  await expectEventually("one approved lead", async () => (await total(service, "approved")) === 1);
});

test("unsent decisions are sent after a reload and after a crash of the tab", async (t) => {
  const { service, page, leads } = await imported(t, 60);
  let hangs = true;
  await page.route("**/api/leads**", async (route) => {
    // Never responds, like a connection that hangs. To remove the route would let the requests through.
    if (!hangs || !isDecision(route.request())) await route.fallback();
  });
  await leads.grid.focus();
  await page.keyboard.press("j");
  for (let n = 0; n < 3; n += 1) await page.keyboard.press("a");
  await page.getByText("Saving 3 decisions").waitFor();
  hangs = false;
  await page.reload();
  await leads.settled();
  await expectEventually("all three decisions", async () => (await total(service, "approved")) === 3);
  await allSaved(page);

  hangs = true;
  await leads.grid.focus();
  await page.keyboard.press("j");
  for (let n = 0; n < 2; n += 1) await page.keyboard.press("r");
  await page.getByText("Saving 2 decisions").waitFor();
  const context = page.context();
  // The tab closes without any event; another tab of the same browser finds its stored decisions.
  const crashed = page.close({ runBeforeUnload: false });
  await crashed;
  const again = await context.newPage();
  await again.goto(service.url);
  await expectEventually("both decisions", async () => (await total(service, "rejected")) === 2);
});

test("an open tab sends the decisions of a tab that is closed", async (t) => {
  const { service, page, leads } = await imported(t, 60);
  await page.route("**/api/leads**", async (route) => {
    if (!isDecision(route.request())) await route.fallback();
  });
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await page.getByText("Saving 1 decision").waitFor();
  // It looks for the decisions of closed tabs when it is opened, and finds none.
  const other = await page.context().newPage();
  await LeadsPage.open(other, service.url);
  await page.close({ runBeforeUnload: false });
  await expectEventually("the decision", async () => (await total(service, "rejected")) === 1);
});

test("two tabs show the same decisions", async (t) => {
  const { service, page, leads } = await imported(t, 60);
  const other = await page.context().newPage();
  const there = await LeadsPage.open(other, service.url);
  const [id] = await leads.ids();
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await leads.waitForStatus(id, "approved");
  await there.waitForStatus(id, "approved");
  await other.getByRole("tab", { name: /^Approved/ }).getByText("1", { exact: true }).waitFor();
});

test("a late read never overwrites a decision", async (t) => {
  const { page, leads } = await imported(t, 60);
  let held;
  await page.route("**/api/leads/query", async (route) => {
    if (held) return route.fallback();
    const response = await route.fetch();
    held = () => route.fulfill({ response });
    return undefined;
  });
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectEventually("the delayed read", () => Boolean(held));
  const [id] = await leads.ids();
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await allSaved(page);
  await held();
  await leads.settled();
  await page.waitForTimeout(100);
  const row = leads.row(id);
  if ((await row.count()) > 0) assert.equal(await row.getAttribute("data-status"), "approved");
});

test("a lead is deleted after a confirmation and a delay, unless it is canceled", async (t) => {
  const { service, page, leads } = await imported(t, 60);
  const all = async () =>
    (await service.call("POST", "/api/leads/query", { page_size: 1 })).body.total;
  await leads.grid.focus();
  await page.keyboard.press("j");
  const first = await cursor(leads).getAttribute("data-lead-id");
  await page.keyboard.press("Delete");
  const question = page.getByRole("alertdialog");
  await question.getByRole("button", { name: "Cancel" }).click();
  assert.equal(await cursor(leads).getAttribute("data-lead-id"), first);

  await leads.grid.focus();
  await page.keyboard.press("Delete");
  await question.getByRole("button", { name: "Delete" }).click();
  await expectEventually("the row to disappear", async () => (await leads.row(first).count()) === 0);
  assert.equal(await all(), 60, "no DELETE is sent yet");
  await page.getByRole("button", { name: "Undo" }).click();
  await leads.row(first).waitFor();
  assert.equal((await leads.ids())[0], first, "the lead is back at its position");

  await page.keyboard.press("Delete");
  await question.getByRole("button", { name: "Delete" }).click();
  await expectEventually("the deletion", async () => (await all()) === 59);
  const { status } = await service.call("GET", `/api/leads/${encodeURIComponent(first)}`);
  assert.equal(status, 404);
});
