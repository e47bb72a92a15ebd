// Decisions without a screen, as the package makes them: in Node against the service, and in pages of Chromium that are
// reloaded, closed, offline or crash.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { afterTest } from "../e2e/support/cleanup.mjs";
import { Service } from "../e2e/support/service.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { project, required } from "./support/project.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

const PENDING = { filters: [{ field: "approval_status", operator: "eq", value: "pending_approval" }] };

/** A workspace with a review in this process. */
async function start(t, { demo = 80, options, workspace } = {}) {
  const { Workspace } = await import(pathToFileURL(join(required("LEAD_WORKSPACE_PACKAGE"), "inline.js")));
  const service = await Service.start(t, { demo });
  const ws = await Workspace.create({ baseUrl: service.origin, apiKey: service.key, ...workspace });
  afterTest(t, async () => ws.dispose());
  return { service, ws, review: ws.review(options), statusOf: (id) => statusOf(service, id) };
}

async function statusOf(service, id) {
  const { body } = await service.call("GET", `/api/leads/${id}`);
  return body.approval_status;
}

test("a decision is shown at once, saved, undone and redone", async (t) => {
  const { ws, review, statusOf } = await start(t);
  const page = await ws.queryLeads({ ...PENDING, page_size: 3 });
  const [first, second] = page.data.map((lead) => lead.lead_id);
  const step = review.decide(page.data.slice(0, 2), "approved");
  assert.deepEqual(review.apply(page).data.map((lead) => lead.approval_status), ["approved", "approved", "pending_approval"]);
  assert.equal(review.status(first).wanted, "approved");
  assert.equal(review.pending, 2);
  assert.equal((await review.flush()).confirmed, 2);
  assert.deepEqual(review.status(first), { shown: "approved", phase: "confirmed", wanted: null, reason: null });
  assert.equal(await statusOf(second), "approved");

  const undone = review.undo();
  assert.deepEqual([undone.step, undone.leads.toSorted(), undone.kept], [step, [first, second].toSorted(), []]);
  assert.equal(review.snapshot().canRedo, true);
  await review.flush();
  assert.equal(await statusOf(first), "pending_approval");
  assert.equal(review.redo(), step);
  await review.flush();
  assert.equal(await statusOf(first), "approved");
  assert.equal(review.decide(page.data.slice(0, 2), "approved"), null, "they have the status");
});

test("a decision by id is undone to the status that was read", async (t) => {
  const { ws, review, statusOf } = await start(t);
  const [{ lead_id }] = (await ws.queryLeads({ ...PENDING, page_size: 1 })).data;
  assert.equal(review.status(lead_id).shown, "pending_approval");
  review.decide(lead_id, "rejected");
  assert.deepEqual(review.history[0].leads, [{ id: lead_id, from: "pending_approval" }]);
  review.undo();
  await review.flush();
  assert.equal(await statusOf(lead_id), "pending_approval");
});

test("a lead that was never read is decided, and keeps its status at an undo", async (t) => {
  const { service, review, statusOf } = await start(t);
  const { body } = await service.call("POST", "/api/leads/query", { ...PENDING, page_size: 1 });
  const id = body.data[0].lead_id;
  assert.deepEqual(review.status(id), { shown: null, phase: "idle", wanted: null, reason: null });
  review.decide(id, "approved");
  assert.deepEqual(review.undo(), { step: 1, leads: [], kept: [id] });
  await review.flush();
  assert.equal(await statusOf(id), "approved");
});

test("a page that was read before a decision does not take it back, a later one shows what others decided", async (t) => {
  const { service, ws, review } = await start(t);
  const page = await ws.queryLeads({ ...PENDING, page_size: 1 });
  const id = page.data[0].lead_id;
  const late = ws.queryLeads({ search: page.data[0].name });
  review.decide(id, "approved");
  await review.flush();
  await late;
  assert.equal(review.apply(page).data[0].approval_status, "approved");
  // Somebody else.
  await service.call("PATCH", `/api/leads/${id}`, { approval_status: "rejected" });
  const read = await review.read(async () => (await service.call("GET", `/api/leads/${id}`)).body);
  assert.equal(read.approval_status, "rejected");
  assert.equal(review.apply(page).data[0].approval_status, "rejected");
  review.decide(await ws.getLead(id), "filtered");
  assert.deepEqual(review.history[0].leads, [{ id, from: "rejected" }]);
});

test("a row is decided on with its own status, which may be newer than the last read", async (t) => {
  const { service, ws, review, statusOf } = await start(t);
  const [row] = (await ws.queryLeads({ ...PENDING, page_size: 1 })).data;
  const change = (approval_status) => service.call("PATCH", `/api/leads/${row.lead_id}`, { approval_status });
  await change("approved");
  await ws.getLead(row.lead_id);
  // As the stream of changes told the page.
  await change("pending_approval");
  assert.equal(review.decide(row, "approved"), 1);
  await review.flush();
  assert.equal(await statusOf(row.lead_id), "approved");
});

test("decisions that cannot be kept are sent after the end", async (t) => {
  const { ws, review } = await start(t, { demo: 600 });
  const { total } = await ws.queryLeads({ ...PENDING, page_size: 1 });
  assert.ok(total > 300, "more than the requests in flight have");
  const run = await review.decideAll(PENDING, "rejected");
  assert.equal(run.progress.open, total);
  assert.equal(review.snapshot().isKept, false);
  review.dispose();
  const left = async () => (await ws.queryLeads({ ...PENDING, page_size: 1 })).total;
  await expectEventually("all to be saved", async () => (await left()) === 0);
});

test("a refused decision says why, and is retried or given up", async (t) => {
  const { review } = await start(t);
  review.decide("lead_unknown", "approved");
  await review.flush();
  const { phase, reason, wanted } = review.status("lead_unknown");
  assert.deepEqual([phase, wanted], ["failed", "approved"]);
  assert.match(reason, /no longer exists/);
  assert.equal(review.snapshot().failed, 1);
  review.retry("lead_unknown");
  assert.equal(review.pending, 1);
  await review.flush();
  review.revert();
  assert.equal(review.status("lead_unknown").phase, "idle");
});

test("rows are retried and given up, and a missing row changes nothing", async (t) => {
  const { review } = await start(t);
  const rows = [{ lead_id: "lead_unknown" }, { lead_id: "lead_other" }];
  const phases = () => rows.map((row) => review.status(row.lead_id).phase);
  review.decide(rows, "approved");
  await review.flush();
  for (const missing of [undefined, null, [undefined], { lead_id: null }]) {
    assert.throws(() => review.retry(missing), { name: "ArgumentError" });
    assert.throws(() => review.revert(missing), { name: "ArgumentError" });
  }
  assert.deepEqual(phases(), ["failed", "failed"]);
  review.revert(rows[0]);
  assert.deepEqual(phases(), ["idle", "failed"]);
  review.retry([rows[1]]);
  assert.equal(review.pending, 1);
});

test("a decision on all leads with a wrong status, or after the end, sends no request", async (t) => {
  const sent = [];
  const { review } = await start(t, { workspace: { fetch: (url, init) => (sent.push(url), fetch(url, init)) } });
  await assert.rejects(review.decideAll(PENDING, "aproved"), { name: "ArgumentError" });
  review.dispose();
  await assert.rejects(review.decideAll(PENDING, "approved"), { code: "disposed" });
  assert.deepEqual(sent, []);
});

test("a wait for a run ends with an error if the review ends before, and not if the run did", async (t) => {
  const { review } = await start(t);
  const done = await review.decideAll(PENDING, "rejected");
  await review.flush();
  const run = await review.decideAll({}, "approved");
  assert.ok(run.progress.open > 0);
  const { finished } = run;
  review.dispose();
  await assert.rejects(finished, { name: "AbortError" });
  await done.finished;
});

test("all leads of a query: frozen ids, progress, pause, cancel and an outcome per lead", async (t) => {
  const { ws, review } = await start(t, { demo: 600 });
  const { total } = await ws.queryLeads({ ...PENDING, page_size: 1 });
  assert.ok(total > 300, "more than three requests");
  const collected = [];
  const run = await review.decideAll(PENDING, "approved", { onCollect: (...seen) => collected.push(seen) });
  assert.deepEqual(collected.at(-1), [total, total]);
  assert.equal(run.progress.total, total);
  assert.equal(review.runs[0], run);
  run.pause();
  assert.equal(run.progress.isPaused, true);
  await review.flush();
  const { updated, open } = run.progress;
  assert.equal(updated + open, total);
  assert.equal(updated, 200, "two requests were in flight");
  run.resume();
  run.cancel();
  const outcome = await run.finished;
  assert.equal(outcome.updated.length + outcome.leftOut.length, total);
  assert.equal((await ws.queryLeads({ ...PENDING, page_size: 1 })).total, outcome.leftOut.length);
  assert.equal(review.undo(run.step).leads.length, outcome.updated.length);
  await review.flush();
  assert.equal((await ws.queryLeads({ ...PENDING, page_size: 1 })).total, total);
  run.close();
  assert.equal(run.progress, null);
});

test("listeners are called once for all changes of a task, and an error of one does not stop the others", async (t) => {
  const { review } = await start(t);
  const reported = [];
  const report = globalThis.reportError;
  globalThis.reportError = (error) => reported.push(error.message);
  t.after(() => (globalThis.reportError = report));
  let calls = 0;
  review.subscribe(() => {
    throw new Error("of the page");
  });
  const end = review.subscribe(() => (calls += 1));
  review.decide(["a", "b"], "approved");
  review.undo();
  assert.equal(calls, 0);
  await Promise.resolve();
  assert.equal(calls, 1);
  assert.deepEqual(reported, ["of the page"]);
  end();
});

test("bad arguments are refused with a reason", async (t) => {
  const { ws, review } = await start(t);
  const refused = (act, text) =>
    assert.throws(act, (error) => error.name === "ArgumentError" && error.message.includes(text), text);
  refused(() => review.decide("a", "aproved"), "aproved");
  refused(() => review.decide([""], "approved"), "leads.0 is empty");
  refused(() => review.decide([{ lead_id: null }], "approved"), "leads.0 must be a string");
  refused(() => review.retry([5]), "leads.0 must be a string");
  review.decide("a", "approved");
  // The last one is what `decide` returns if there was nothing to decide.
  for (const step of [{ type: "click" }, "1", 1.5, -1, null]) refused(() => review.undo(step), "() => review.undo()");
  assert.deepEqual(review.undo(0), null);
  assert.equal(review.undo()?.step, 1);
  refused(() => ws.review({ persit: true }), 'Use "persist"');
  refused(() => ws.review({ storageKey: 5 }), "storageKey");
});

test("after the end it can be read, and changes are refused", async (t) => {
  const { ws, review } = await start(t);
  review.decide("lead_unknown", "approved");
  const flushed = review.flush();
  ws.dispose();
  await assert.rejects(flushed, { name: "AbortError" });
  assert.equal(review.status("lead_unknown").wanted, "approved");
  assert.throws(() => review.undo(), { code: "disposed" });
  assert.throws(() => ws.review(), { code: "disposed" });
});

// A page with a review, as `review`, and the leads that it read first.
const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Review</title><link rel="icon" href="data:,">
<script type="module">
import { Workspace } from "./node_modules/lead-workspace/index.js";
const { baseUrl, apiKey } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
const ws = await Workspace.create({ baseUrl, apiKey });
const review = ws.review();
const page = await ws.queryLeads({ page_size: 10, ...${JSON.stringify(PENDING)} });
Object.assign(globalThis, { ws, review, ids: page.data.map((lead) => lead.lead_id) });
</script></html>`;

async function pages(t) {
  const folder = await project(t);
  await writeFile(join(folder, "index.html"), PAGE);
  const origin = await serve(t, folder);
  const service = await Service.start(t, { demo: 80, args: ["--allow-origin", origin] });
  const address = `${origin}/#${new URLSearchParams({ baseUrl: service.origin, apiKey: service.key })}`;
  const isSaved = (id, status) =>
    expectEventually(`${id} to be ${status}`, async () => (await statusOf(service, id)) === status);
  const open = async (page) => {
    await page.goto(address);
    await page.waitForFunction(() => globalThis.ids && globalThis.review.snapshot().isKept);
  };
  return { open, isSaved };
}

test("an open tab takes over the decisions of a closed one", async (t) => {
  const { open, isSaved } = await pages(t);
  const page = await openPage(t);
  await open(page);
  const other = await page.context().newPage();
  await open(other);
  const blocked = (route) => (route.request().method() === "PATCH" ? new Promise(() => {}) : route.fallback());
  await page.route("**/api/leads/*", blocked);
  const id = await page.evaluate(() => {
    review.decide(ids[0], "rejected");
    return ids[0];
  });
  await page.close({ runBeforeUnload: false });
  await isSaved(id, "rejected");
});

test("a review takes over what was decided under its own key only", async (t) => {
  const { open, isSaved } = await pages(t);
  const page = await openPage(t);
  await open(page);
  const [id, other] = await page.evaluate(() => {
    const left = (name, lead) =>
      localStorage.setItem(`lead-workspace.outbox ${name}`, JSON.stringify([["rejected", "pending_approval", false, 1, [lead]]]));
    left("Anna Maria 5", ids[1]);
    left("Anna 6", ids[0]);
    globalThis.anna = ws.review({ storageKey: "Anna" });
    return ids;
  });
  await isSaved(id, "rejected");
  await pause(300);
  assert.equal(await page.evaluate((other) => anna.status(other).wanted, other), null);
  assert.ok(await page.evaluate(() => localStorage.getItem("lead-workspace.outbox Anna Maria 5")));
});

test("another tab hears what was saved", async (t) => {
  const { open } = await pages(t);
  const page = await openPage(t);
  await open(page);
  const other = await page.context().newPage();
  await open(other);
  const id = await page.evaluate(async () => {
    review.decide(ids[0], "approved");
    await review.flush();
    return ids[0];
  });
  await other.waitForFunction((id) => review.status(id).shown === "approved", id);
});

test("a crash of the module loses no decision", async (t) => {
  const { open, isSaved } = await pages(t);
  // The client reports a crash, and the trap is an error of the page.
  const page = await openPage(t, { expected: [/unreachable/, /crashed/, /ERR_FAILED/] });
  await open(page);
  const held = [];
  let holds = true;
  await page.route("**/api/leads/*", (route) =>
    holds && route.request().method() === "PATCH" ? held.push(route) : route.fallback());
  const id = await page.evaluate(() => {
    review.decide(ids[0], "approved");
    return ids[0];
  });
  await expectEventually("the request", async () => held.length === 1);
  const code = await page.evaluate(async () => {
    // js-sys expects that an array does not change its length while it is copied.
    let length = 0;
    const value = Object.defineProperty(new Uint8Array(4), "length", { get: () => (length += 1) });
    const body = { getReader: () => ({ read: async () => ({ value }) }) };
    const { fetch } = globalThis;
    globalThis.fetch = async () => ({ type: "basic", status: 200, headers: new Headers(), body });
    const error = await ws.getLead("a").catch((error) => error);
    globalThis.fetch = fetch;
    return error.code;
  });
  assert.equal(code, "crashed");
  holds = false;
  for (const route of held) await route.abort();
  await isSaved(id, "approved");
  assert.equal(await page.evaluate((id) => review.status(id).shown, id), "approved");
});

test("a decision that is saved after the end of the review is not kept for the next one", async (t) => {
  const { open, isSaved } = await pages(t);
  const page = await openPage(t);
  await open(page);
  const held = [];
  await page.route("**/api/leads/*", (route) => (route.request().method() === "PATCH" ? held.push(route) : route.fallback()));
  const id = await page.evaluate(() => {
    review.decide(ids[0], "approved");
    return ids[0];
  });
  await expectEventually("the request", async () => held.length === 1);
  await page.evaluate(() => review.dispose());
  const kept = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("lead-workspace.outbox")));
  await pause(400);
  assert.equal((await kept()).length, 1);
  await held[0].fallback();
  await isSaved(id, "approved");
  await expectEventually("nothing to be kept", async () => (await kept()).length === 0);
});
