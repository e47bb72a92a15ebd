// Keys that change. A key must never be sent to anything but the server.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { onEveryStage } from "./support/stage.mjs";

after(closeBrowser);

const REFUSED = { status: 401, body: { detail: "Who are you?" } };
const lead = { body: { id: "a" } };
const sent = (exchange) => exchange.headers.authorization;

// Starts calls with a key source that returns the keys one after the other.
async function start({ baseUrl, keys, calls }) {
  const { connect, ended, kept } = globalThis.lw;
  let asked = 0;
  kept.asked = () => asked;
  const ws = await connect({ baseUrl, apiKey: undefined, getApiKey: async () => keys[asked++] });
  kept.calls = calls.map(([name, ...args]) => ended(ws[name](...args)));
}

const results = () => Promise.all(globalThis.lw.kept.calls);
const asked = () => globalThis.lw.kept.asked();

onEveryStage(test, "two calls share one new key after a 401", async (t, { api, run }) => {
  const calls = [["getLead", "a"], ["scoreLeads", { lead_ids: ["a"] }]];
  await run(start, { baseUrl: api.origin, keys: ["lwk_1_old", "lwk_1_new"], calls });
  const first = [await api.next(), await api.next()];
  assert.deepEqual(first.map(sent), ["Bearer lwk_1_old", "Bearer lwk_1_old"]);
  assert.equal(await run(asked), 1);

  first[0].answer(REFUSED);
  const early = await api.next();
  assert.equal(sent(early), "Bearer lwk_1_new");
  // The old key is refused again after the new one is known.
  first[1].answer(REFUSED);
  const late = await api.next();
  assert.equal(sent(late), "Bearer lwk_1_new");
  for (const exchange of [early, late]) exchange.answer({ body: { id: "a", job_id: "j" } });
  for (const { error } of await run(results)) assert.equal(error, undefined);
  assert.equal(await run(asked), 2);
  assert.equal(api.requests.length, 4);
});

onEveryStage(test, "no third key is requested after a second refusal", async (t, { api, run }) => {
  const keys = ["lwk_1_old", "lwk_1_new", "lwk_1_never"];
  await run(start, { baseUrl: api.origin, keys, calls: [["updateLead", "a", "approved"]] });
  for (const _ of [1, 2]) (await api.next()).answer(REFUSED);
  const [{ error }] = await run(results);
  assert.equal(error.name, "AuthError");
  assert.deepEqual([error.code, error.attempts, error.ambiguous], ["key_refused", 2, false]);
  assert.equal(await run(asked), 2);
});

onEveryStage(test, "a refused fixed key is not retried", async (t, { api, run }) => {
  api.answerAll = (exchange) => exchange.answer(REFUSED);
  const { error } = await run(async (baseUrl) => {
    const ws = await globalThis.lw.connect({ baseUrl });
    return globalThis.lw.ended(ws.getLead("a"));
  }, api.origin);
  assert.deepEqual([error.name, error.code, error.attempts], ["AuthError", "key_refused", 1]);
});

onEveryStage(test, "nothing is sent if the key source returns no valid key", async (t, { api, run }) => {
  const errors = await run(async (baseUrl) => {
    const { connect, ended } = globalThis.lw;
    const sources = [
      () => { throw new Error("signed out"); },
      async () => { throw new Error("signed out"); },
      () => undefined,
      () => "two\nlines",
    ];
    const connected = sources.map((getApiKey) => connect({ baseUrl, apiKey: undefined, getApiKey }));
    const calls = (await Promise.all(connected)).map((ws) => ended(ws.getLead("a")));
    return (await Promise.all(calls)).map(({ error }) => [error.name, error.code, error.attempts]);
  }, api.origin);
  assert.deepEqual(errors, Array(4).fill(["AuthError", "no_key", 0]));
  assert.equal(api.requests.length, 0);
});

onEveryStage(test, "hook events do not contain the key or the query", async (t, { api, run }) => {
  const query = { search: "an intimate question" };
  const [key, answers] = ["lwk_1_s3cret", [{ status: 503 }, { body: { field: "company", items: [] } }]];
  api.answerAll = (exchange) => {
    const headers = { "x-request-id": "r-1", "access-control-expose-headers": "x-request-id" };
    exchange.answer({ ...answers.shift(), headers });
  };
  const { result, events, codes } = await run(async ({ baseUrl, q }) => {
    const { connect, ended, events } = globalThis.lw;
    const ws = await connect({ baseUrl, retry: { baseMs: 1 } });
    events.length = 0;
    const result = await ended(ws.searchLeadFacet({ field: "company", q }));
    return { result, events, codes: events.map(({ error }) => error?.code) };
  }, { baseUrl: api.origin, q: query.search });
  assert.equal(result.error, undefined);
  const url = `${api.origin}/api/leads/facets/search`;
  const request = { operation: "searchLeadFacet", method: "GET", url };
  const known = events.map(({ durationMs, delayMs, reason, error, ...event }) => event);
  assert.deepEqual(codes.map((code) => code ?? null), [null, "status", "status", null, null]);
  assert.deepEqual(known, [
    { hook: "onRequest", ...request, attempt: 1 },
    { hook: "onResponse", ...request, attempt: 1, status: 503, requestId: "r-1", aborted: false },
    { hook: "onRetry", operation: "searchLeadFacet", attempt: 1, status: 503 },
    { hook: "onRequest", ...request, attempt: 2 },
    { hook: "onResponse", ...request, attempt: 2, status: 200, requestId: "r-1", aborted: false },
  ]);
  assert.equal(sent(api.requests[0]), `Bearer ${key}`);
  const told = JSON.stringify(events);
  for (const secret of [key, "intimate"]) assert.ok(!told.includes(secret), told);
});
