// An AbortSignal ends a call in any state: in flight, in a backoff, in the rate-limit queue. The call must end before
// any other task of the page runs.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { limited, startApi } from "./support/api.mjs";
import { OPERATIONS } from "./support/operations.mjs";
import { inNode, onEveryStage } from "./support/stage.mjs";

after(closeBrowser);

// A backoff far longer than any test, whatever the random source returns.
const FOR_EVER = { baseMs: 1e9, capMs: 1e9 };
const CALM = { deadlineMs: 1e10 };

// Starts calls with one shared signal, which `abort` triggers later.
function start({ baseUrl, calls, retry, options }) {
  return globalThis.lw.connect({ baseUrl, retry }).then((ws) => {
    const controller = new AbortController();
    const call = ([name, ...args]) => ws[name](...args, { ...options, signal: controller.signal });
    Object.assign(globalThis.lw.kept, { ws, controller, calls: calls.map(call) });
    // Prevents unhandled rejections before the test awaits the calls.
    for (const call of globalThis.lw.kept.calls) call.catch(() => {});
  });
}

function abort() {
  const { controller, calls } = globalThis.lw.kept;
  controller.abort(new Error("a reason of the caller's own"));
  return Promise.all(calls.map(globalThis.lw.atOnce));
}

const OWN = { name: "Error", message: "a reason of the caller's own" };

function assertAborted(results, count = 1, { name, message } = OWN) {
  assert.equal(results.length, count);
  for (const { error } of results) {
    assert.equal(error?.name, name, JSON.stringify(results));
    if (message) assert.equal(error.message, message);
  }
}

onEveryStage(test, "an abort ends a request that waits for its response", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin, calls: [["getLead", "a"]] });
  const exchange = await api.next();
  assertAborted(await run(abort));
  await exchange.closed;
  assert.equal(api.requests.length, 1);
  const ends = await run(() => globalThis.lw.events.filter(({ hook }) => hook === "onResponse"));
  assert.deepEqual(ends.map(({ attempt, status, aborted, error }) => [attempt, status, aborted, error]), [[1, null, true, null]]);
});

onEveryStage(test, "an abort ends a response whose body is incomplete", async (t, { api, run, until }) => {
  await run(start, { baseUrl: api.origin, calls: [["scoreLeads", { lead_ids: ["a"] }]] });
  const exchange = await api.next();
  exchange.head({ headers: { "content-type": "application/json" }, length: 1000 });
  await exchange.write("{");
  assertAborted(await run(abort));
  await exchange.closed;
});

onEveryStage(test, "an abort ends the backoff before a retry", async (t, { api, run, until }) => {
  const calls = [["queryLeads", {}], ["deleteLead", "a"]];
  await run(start, { baseUrl: api.origin, calls, retry: FOR_EVER, options: CALM });
  for (const _ of calls) (await api.next()).answer({ status: 503 });
  await until(() => globalThis.lw.events.filter(({ hook }) => hook === "onRetry").length === 2);
  assertAborted(await run(abort), 2);
  assert.equal(api.requests.length, 2);
});

onEveryStage(test, "an abort ends the wait in the rate-limit queue", async (t, { api, run, until }) => {
  const calls = [["getLead", "a"], ["getLead", "b"], ["scoreLeads", { lead_ids: ["a"] }]];
  await run(start, { baseUrl: api.origin, calls: calls.slice(0, 1), options: CALM });
  (await api.next()).answer(limited(29_000));
  await until(() => globalThis.lw.kept.ws.gate.state === "closed");
  await run((calls) => {
    const { ws, controller, calls: all } = globalThis.lw.kept;
    const options = { signal: controller.signal, deadlineMs: 1e10 };
    for (const [name, ...args] of calls) all.push(ws[name](...args, options));
    for (const call of all) call.catch(() => {});
  }, calls.slice(1));
  await until(() => globalThis.lw.kept.ws.gate.waiting === 3);
  assertAborted(await run(abort), 3);
  assert.equal(await run(() => globalThis.lw.kept.ws.gate.waiting), 0);
  assert.equal(api.requests.length, 1);
});

onEveryStage(test, "an abort ends a wait for a job", async (t, { api, run, until }) => {
  await run(start, { baseUrl: api.origin, calls: [["waitForJob", "job-1"]] });
  const exchange = await api.next();
  assertAborted(await run(abort));
  await exchange.closed;
});

onEveryStage(test, "a call with an aborted signal sends nothing", async (t, { api, run }) => {
  const calls = [...OPERATIONS.map(({ name, args }) => [name, ...args]), ["waitForJob", "job-1"]];
  const result = await run(async ({ baseUrl, calls }) => {
    const ws = await globalThis.lw.connect({ baseUrl });
    const signal = AbortSignal.abort();
    const started = calls.map(([name, ...args]) => [name, ws[name](...args, { signal })]);
    const results = await Promise.all(started.map(([, call]) => globalThis.lw.ended(call)));
    return { results, outcome: await Object.fromEntries(started).updateLeads.outcome() };
  }, { baseUrl: api.origin, calls });
  assertAborted(result.results, calls.length, { name: "AbortError" });
  assert.equal(api.requests.length, 0);
  assert.deepEqual(result.outcome, { updated: [], failed: ["lead-1"], uncertain: [], errors: [] }, "nothing was sent");
});

onEveryStage(test, "a timeout of the platform ends calls, iterations and waits with its own error", async (t, { api, run }) => {
  const errors = await run(async (baseUrl) => {
    const ws = await globalThis.lw.connect({ baseUrl });
    const review = ws.review({ persist: false });
    review.decide("a", "approved");
    const options = { signal: AbortSignal.timeout(50) };
    const calls = [
      ws.getLead("a", options), ws.waitForJob("job-1", options), ws.leads({}, options).next(),
      ws.updateLeads(["a"], "approved", options), review.flush(options), review.decideAll({}, "approved", options),
    ];
    const ended = await Promise.all(calls.map((call) => call.then(() => null, (error) => error)));
    // Otherwise it would go on sending.
    ws.dispose();
    return ended.map((error) => [error === options.signal.reason, error?.name]);
  }, api.origin);
  assert.deepEqual(errors, errors.map(() => [true, "TimeoutError"]));
});

test("sixty calls with one signal are no leak in Node", async (t) => {
  const api = await startApi(t);
  const { run } = await inNode();
  const warnings = [];
  const warn = (warning) => warnings.push(String(warning));
  process.on("warning", warn);
  t.after(() => process.off("warning", warn));
  const calls = Array.from({ length: 60 }, (_, index) => ["getLead", `lead-${index}`]);
  await run(start, { baseUrl: api.origin, calls });
  for (const _ of calls) await api.next();
  assertAborted(await run(abort), calls.length);
  // Node warns in a later task.
  await new Promise(setImmediate);
  assert.deepEqual(warnings, []);
});

onEveryStage(test, "disposing of a workspace aborts its calls", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin, calls: [["getLead", "a"], ["waitForJob", "job-1"]] });
  const exchanges = [await api.next(), await api.next()];
  const results = await run(() => {
    const { ws, calls } = globalThis.lw.kept;
    ws.dispose();
    return Promise.all(calls.map(globalThis.lw.atOnce));
  });
  assertAborted(results, 2, { name: "AbortError", message: "The workspace was disposed of." });
  for (const exchange of exchanges) await exchange.closed;
  const late = await run(() => globalThis.lw.ended(globalThis.lw.kept.ws.getLead("a")));
  assert.equal(late.error.code, "disposed");
  assert.equal(api.requests.length, 2);
});
