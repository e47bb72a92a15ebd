// Iterating rows with `leads()`: pages that are prefetched, shift, or fail.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { leads, limited } from "./support/api.mjs";
import { onEveryStage } from "./support/stage.mjs";

after(closeBrowser);

async function start({ baseUrl, options }) {
  const { connect, kept } = globalThis.lw;
  kept.ws = await connect({ baseUrl, retry: { attempts: 1 } });
  const received = { drift: [], rowErrors: [] };
  kept.received = received;
  kept.leads = kept.ws.leads({ page_size: 2 }, {
    ...options,
    onDrift: (drift) => received.drift.push(drift),
    onRowError: (row) => received.rowErrors.push(row),
  });
}

// Takes this many rows, by default all of them.
async function take(count = Infinity) {
  const { kept, ended } = globalThis.lw;
  const ids = [];
  while (ids.length < count) {
    const { value: step, error } = await ended(kept.leads.next());
    if (error) return { ids, error };
    if (step.done) break;
    ids.push(step.value.lead_id);
  }
  return { ids, ...kept.received };
}

const pageOf = (exchange) => exchange.json?.page;

// Proves that nothing else was sent: the next request is this call's.
async function nothingElseWasSent({ api, run }) {
  await run(() => { globalThis.lw.kept.ws.getLead("sentinel").catch(() => {}); });
  assert.equal((await api.next()).path, "/api/leads/sentinel");
}

onEveryStage(test, "only one page is prefetched", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin });
  const first = run(take, 1);
  const page = await api.next();
  assert.equal(pageOf(page), 1);
  page.answer(leads(["a", "b"]));
  assert.deepEqual((await first).ids, ["a"]);

  const ahead = await api.next();
  assert.equal(pageOf(ahead), 2);
  ahead.answer(leads(["c", "d"]));
  await nothingElseWasSent({ api, run });

  assert.deepEqual((await run(take, 2)).ids, ["b", "c"]);
  const last = await api.next();
  assert.equal(pageOf(last), 3);
  last.answer(leads(["e"], { has_more: false }));
  assert.deepEqual((await run(take)).ids, ["d", "e"]);
  await nothingElseWasSent({ api, run });
});

onEveryStage(test, "each row is returned once, and changes are reported", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin });
  const all = run(take);
  (await api.next()).answer(leads(["a", "b"]));
  (await api.next()).answer(leads(["b", "c"], { total: 7 }));
  (await api.next()).answer({ body: { data: [17, { lead_id: "d" }], total: 7, has_more: false } });
  const { ids, drift, rowErrors } = await all;
  assert.deepEqual(ids, ["a", "b", "c", "d"]);
  assert.deepEqual(drift, [{ kind: "total", before: 6, now: 7 }, { kind: "repeated", ids: ["b"] }]);
  assert.equal(rowErrors.length, 1);
  assert.deepEqual([rowErrors[0].index, rowErrors[0].raw], [0, 17]);
});

onEveryStage(test, "no page beyond maxItems is requested", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin, options: { maxItems: 3 } });
  const all = run(take);
  (await api.next()).answer(leads(["a", "b"]));
  (await api.next()).answer(leads(["c", "d"]));
  assert.deepEqual((await all).ids, ["a", "b", "c"]);
  await nothingElseWasSent({ api, run });
});

onEveryStage(test, "leaving the loop aborts the prefetched page", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin });
  const left = run(async () => {
    const { kept } = globalThis.lw;
    const leaving = new Promise((leave) => { kept.leave = leave; });
    for await (const lead of kept.leads) {
      await leaving;
      return lead.lead_id;
    }
  });
  (await api.next()).answer(leads(["a", "b"]));
  const ahead = await api.next();
  assert.equal(pageOf(ahead), 2);
  await run(() => globalThis.lw.kept.leave());
  assert.equal(await left, "a");
  await ahead.closed;
  await nothingElseWasSent({ api, run });
});

onEveryStage(test, "after a failed page the iteration goes on with it", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin });
  const before = run(take);
  (await api.next()).answer(leads(["a", "b"]));
  const failed = await api.next();
  failed.answer({ status: 503 });
  const { ids, error } = await before;
  assert.deepEqual(ids, ["a", "b"]);
  assert.deepEqual([error.name, error.status, error.operation], ["WorkspaceError", 503, "queryLeads"]);

  const after = run(take);
  const again = await api.next();
  assert.deepEqual([pageOf(failed), pageOf(again)], [2, 2]);
  again.answer(leads(["c", "d"]));
  (await api.next()).answer(leads(["e"], { has_more: false }));
  assert.deepEqual((await after).ids, ["c", "d", "e"]);
  await nothingElseWasSent({ api, run });
});

onEveryStage(test, "pages have a number, new rows, and the latest known total", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin });
  const all = run(async () => {
    const { kept } = globalThis.lw;
    const pages = [];
    const note = ({ page, total, data, rowErrors, more }) => pages.push({
      page, total, more, ids: data.map(({ lead_id }) => lead_id), errors: rowErrors.map(({ index }) => index), known: kept.leads.total,
    });
    for await (const page of kept.leads.byPage()) note(page);
    return pages;
  });
  (await api.next()).answer(leads(["a", "b"], { page: 1, more: "kept" }));
  (await api.next()).answer({ body: { data: [{ lead_id: "b" }, { name: "no id" }], has_more: true } });
  (await api.next()).answer(leads(["c"], { total: null, has_more: false, page: 3 }));
  const [first, second, third] = await all;
  assert.deepEqual(first, { page: 1, total: 6, more: "kept", ids: ["a", "b"], errors: [], known: 6 });
  assert.deepEqual([second.page, second.total, second.ids, second.errors, second.known], [2, 6, [], [1], 6]);
  assert.deepEqual([third.page, third.total, third.ids], [3, 6, ["c"]]);
});

onEveryStage(test, "return() closes the request under way", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin });
  const next = run(() => globalThis.lw.ended(globalThis.lw.kept.leads.next()));
  const under = await api.next();
  await run(() => globalThis.lw.kept.leads.return());
  await under.closed;
  assert.equal((await next).value.done, true);
  await nothingElseWasSent({ api, run });
});

onEveryStage(test, "a page that waits for the gate is not requested after disposal", async (t, { api, run, until }) => {
  await run(async (baseUrl) => {
    const { connect, kept } = globalThis.lw;
    kept.ws = await connect({ baseUrl });
    kept.other = await connect({ baseUrl, apiKey: "lwk_2_another" });
    kept.leads = kept.ws.leads({ page_size: 2 });
    kept.first = kept.leads.next();
  }, api.origin);
  (await api.next()).answer(leads(["a", "b"]));
  await run(() => globalThis.lw.kept.first);
  (await api.next()).answer(limited(300));
  await until(() => globalThis.lw.events.some(({ hook }) => hook === "onRetry"));
  await run(() => {
    const { ended, kept } = globalThis.lw;
    kept.ws.dispose();
    kept.sentinel = ended(kept.other.getLead("sentinel"));
  });
  // The wait is longer than the disposed page's, so a request for that page would arrive first.
  for (const answer of [limited(600), { body: { id: "sentinel" } }]) {
    const exchange = await api.next();
    assert.equal(exchange.path, "/api/leads/sentinel");
    exchange.answer(answer);
  }
  await run(() => globalThis.lw.kept.sentinel);
  assert.equal(api.requests.length, 4);
});
