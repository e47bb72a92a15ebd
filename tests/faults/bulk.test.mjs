// Setting one status on many leads: in chunks, two requests at a time, with an outcome for each lead.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { limited } from "./support/api.mjs";
import { onEveryStage } from "./support/stage.mjs";

after(closeBrowser);

const ids = (from, to) => Array.from({ length: to - from }, (_, index) => `lead-${from + index}`);
// Two requests that are in flight together may arrive in either order.
async function nextTwo(api) {
  const first = ({ json }) => Number(json.lead_ids[0].slice("lead-".length));
  return [await api.next(), await api.next()].sort((one, other) => first(one) - first(other));
}
const done = (exchange) => exchange.answer({ body: { updated: exchange.json.lead_ids.length } });

async function start({ baseUrl, leads, options }) {
  const { connect, kept } = globalThis.lw;
  kept.ws = await connect({ baseUrl });
  kept.controller = new AbortController();
  kept.seen = [];
  const { signal } = kept.controller;
  const onProgress = ({ error, ...numbers }) => kept.seen.push({ ...numbers, error: error?.name });
  kept.call = kept.ws.updateLeads(leads, "approved", { ...options, signal, onProgress });
  kept.call.catch(() => {});
}

async function result() {
  const { ended, kept } = globalThis.lw;
  const { value, ...rest } = await ended(kept.call);
  const { errors, ...lists } = value ?? {};
  const why = errors?.map(({ ids, error }) => ({ ids, name: error.name, detail: error.detail }));
  return { ...rest, value: lists, why, seen: kept.seen };
}

// Proves that nothing else was sent: the next request is this call's.
async function nothingElseWasSent({ api, run }) {
  await run(() => { globalThis.lw.kept.ws.getLead("sentinel").catch(() => {}); });
  assert.equal((await api.next()).path, "/api/leads/sentinel");
}

onEveryStage(test, "250 leads with one refused and one lost chunk", async (t, { api, run, until }) => {
  // The last two ids are duplicates. Each lead is sent once.
  const leads = [...ids(0, 250), "lead-0", "lead-249"];
  await run(start, { baseUrl: api.origin, leads, options: { retries: 0 } });
  const [first, second] = await nextTwo(api);
  await nothingElseWasSent({ api, run });
  assert.deepEqual([first, second].map(({ json }) => json), [
    { lead_ids: ids(0, 100), approval_status: "approved" },
    { lead_ids: ids(100, 200), approval_status: "approved" },
  ]);
  second.answer({ status: 409, body: { detail: "no" } });
  const third = await api.next();
  assert.deepEqual(third.json.lead_ids, ids(200, 250));
  third.reset();
  await until(() => globalThis.lw.kept.seen.at(-1)?.done === 150);
  done(first);
  const { value, why, seen } = await run(result);
  assert.deepEqual(value, { updated: ids(0, 100), failed: ids(100, 200), uncertain: ids(200, 250) });
  assert.deepEqual(why, [
    { ids: ids(100, 200), name: "WorkspaceError", detail: "no" },
    { ids: ids(200, 250), name: "NetworkError", detail: null },
  ]);
  assert.deepEqual(seen, [
    { done: 100, total: 250, updated: 0, failed: 100, uncertain: 0, error: "WorkspaceError" },
    { done: 150, total: 250, updated: 0, failed: 100, uncertain: 50, error: "NetworkError" },
    { done: 250, total: 250, updated: 100, failed: 100, uncertain: 50, error: undefined },
  ]);
});

onEveryStage(test, "a count lower than the chunk is followed by one request per lead", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin, leads: ids(0, 4), options: { chunkSize: 2 } });
  const [first, second] = await nextTwo(api);
  first.answer({ body: { updated: 1 } });
  done(second);
  const alone = [await api.next(), await api.next()];
  for (const exchange of alone) {
    assert.equal(exchange.method, "PATCH");
    assert.deepEqual(exchange.json, { approval_status: "approved" });
    const isThere = exchange.path === "/api/leads/lead-1";
    exchange.answer(isThere ? { body: {} } : { status: 404, body: { detail: "No such lead" } });
  }
  assert.deepEqual(alone.map(({ path }) => path).sort(), ["/api/leads/lead-0", "/api/leads/lead-1"]);
  const { value, why } = await run(result);
  assert.deepEqual({ ...value, updated: value.updated.sort() }, { updated: ids(1, 4), failed: ids(0, 1), uncertain: [] });
  assert.deepEqual(why, [{ ids: ids(0, 1), name: "NotFoundError", detail: "No such lead" }]);
});

onEveryStage(test, "a refused chunk is split until the refused leads are known", async (t, { api, run }) => {
  for (const status of [404, 422]) {
    const refused = { status, body: { detail: "lead-2 is unknown" } };
    await run(start, { baseUrl: api.origin, leads: ids(0, 4) });
    (await api.next()).answer(refused);
    const [left, right] = await nextTwo(api);
    assert.deepEqual([left, right].map(({ json }) => json.lead_ids), [ids(0, 2), ids(2, 4)]);
    done(left);
    right.answer(refused);
    for (const exchange of [await api.next(), await api.next()]) {
      assert.deepEqual(exchange.json, { approval_status: "approved" });
      exchange.answer(exchange.path === "/api/leads/lead-2" ? refused : { body: {} });
    }
    const { value, why } = await run(result);
    assert.deepEqual(value, { updated: ["lead-0", "lead-1", "lead-3"], failed: ["lead-2"], uncertain: [] });
    const name = status === 404 ? "NotFoundError" : "ValidationError";
    assert.deepEqual(why, [{ ids: ["lead-2"], name, detail: "lead-2 is unknown" }]);
  }
});

onEveryStage(test, "no chunk is sent after an abort in onProgress", async (t, { api, run }) => {
  await run(async ({ baseUrl, leads }) => {
    const { connect, kept } = globalThis.lw;
    const ws = await connect({ baseUrl });
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    kept.call = ws.updateLeads(leads, "approved", { signal: controller.signal, onProgress });
    kept.call.catch(() => {});
  }, { baseUrl: api.origin, leads: ids(0, 350) });
  const [first] = await nextTwo(api);
  done(first);
  const { updated, failed, uncertain } = await run(() => globalThis.lw.kept.call.outcome());
  assert.deepEqual([updated, failed, uncertain], [ids(0, 100), ids(200, 350), ids(100, 200)]);
  assert.equal(api.requests.length, 2);
});

onEveryStage(test, "the outcome of an aborted update is what is known then", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin, leads: ids(0, 350) });
  const [first, second] = await nextTwo(api);
  done(first);
  const third = await api.next();
  const { error, outcome } = await run(async () => {
    const { controller, call } = globalThis.lw.kept;
    controller.abort();
    return { ...(await globalThis.lw.atOnce(call)), outcome: await call.outcome() };
  });
  assert.equal(error.name, "AbortError");
  const { updated, failed, uncertain } = outcome;
  assert.deepEqual([updated, failed, uncertain.sort()], [ids(0, 100), ids(300, 350), ids(100, 300).sort()]);
  for (const exchange of [second, third]) await exchange.closed;
  await nothingElseWasSent({ api, run });
});

onEveryStage(test, "a refused key cancels the remaining chunks", async (t, { api, run }) => {
  api.answerAll = (exchange) => exchange.answer({ status: 401 });
  await run(start, { baseUrl: api.origin, leads: ids(0, 1000), options: { chunkSize: 10 } });
  const { value } = await run(result);
  assert.deepEqual([value.updated, value.uncertain, value.failed.length], [[], [], 1000]);
  // Two requests were in flight before the first error was known.
  assert.equal(api.requests.length, 2);
});

onEveryStage(test, "each of many failures keeps its cause, in onProgress and in the result", async (t, { run }) => {
  const result = await run(async () => {
    // Nothing listens on this port.
    const ws = await globalThis.lw.connect({ baseUrl: "http://127.0.0.1:1" });
    const leads = Array.from({ length: 130 }, (_, index) => `lead-${index}`);
    const told = [];
    const onProgress = ({ error }) => told.push(error);
    const { errors } = await ws.updateLeads(leads, "approved", { chunkSize: 1, retries: 0, onProgress });
    return {
      failures: errors.length,
      withCause: errors.filter(({ error }) => error.cause instanceof Error).length,
      same: errors.filter(({ error }, index) => error === told[index]).length,
    };
  });
  assert.deepEqual(result, { failures: 130, withCause: 130, same: 130 });
});

onEveryStage(test, "an id with a lone surrogate is refused instead of sent as another id", async (t, { api, run }) => {
  const names = await run((baseUrl) => globalThis.lw.connect({ baseUrl }).then((ws) => {
    const half = "lead-\ud83d";
    const calls = [
      ws.getLead(half),
      ws.updateLead(half, "approved"),
      ws.deleteLead(half),
      ws.updateLeads(["lead-1", half], "approved"),
      ws.waitForJob(half),
    ];
    return Promise.all(calls.map(async (call) => (await globalThis.lw.ended(call)).error?.name));
  }), api.origin);
  assert.deepEqual(names, Array(5).fill("ArgumentError"));
  assert.equal(api.requests.length, 0);
});

onEveryStage(test, "rate limited chunks wait and are sent again", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin, leads: ids(0, 200), options: { retries: 0 } });
  const [first, second] = [await api.next(), await api.next()];
  first.answer(limited(10));
  done(second);
  const again = await api.next();
  assert.deepEqual(again.json, first.json);
  done(again);
  const { value } = await run(result);
  assert.deepEqual([value.updated.length, value.failed, value.uncertain], [200, [], []]);
});
