// An AbortSignal ends a call in any state: in flight, in a backoff, in the rate-limit queue. The call must end before
// any other task of the page runs.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { limited } from "./support/api.mjs";
import { OPERATIONS } from "./support/operations.mjs";
import { onEveryStage } from "./support/stage.mjs";

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

function assertAborted(results, count = 1) {
  assert.equal(results.length, count);
  for (const { error } of results) assert.equal(error?.name, "AbortError", JSON.stringify(results));
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
    return Promise.all(calls.map(([name, ...args]) => globalThis.lw.ended(ws[name](...args, { signal }))));
  }, { baseUrl: api.origin, calls });
  assertAborted(result, calls.length);
  assert.equal(api.requests.length, 0);
  const { outcome } = result[calls.findIndex(([name]) => name === "updateLeads")].error;
  assert.deepEqual(outcome, { updated: [], failed: ["lead-1"], uncertain: [], errors: [] }, "nothing was sent");
});

onEveryStage(test, "disposing of a workspace aborts its calls", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin, calls: [["getLead", "a"], ["waitForJob", "job-1"]] });
  const exchanges = [await api.next(), await api.next()];
  const results = await run(() => {
    const { ws, calls } = globalThis.lw.kept;
    ws.dispose();
    return Promise.all(calls.map(globalThis.lw.atOnce));
  });
  assertAborted(results, 2);
  for (const exchange of exchanges) await exchange.closed;
  const late = await run(() => globalThis.lw.ended(globalThis.lw.kept.ws.getLead("a")));
  assert.equal(late.error.code, "disposed");
  assert.equal(api.requests.length, 2);
});
