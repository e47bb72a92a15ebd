// The limits of a call: its deadline, its retries, its workspace's retry budget, its body size.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { limited } from "./support/api.mjs";
import { GRACE_MS } from "./support/matrix.mjs";
import { onEveryStage } from "./support/stage.mjs";

after(closeBrowser);

const RETRY = { baseMs: 1 };
const down = (exchange) => exchange.answer({ status: 503 });

// Makes the calls one after the other and measures each.
async function inTurn({ baseUrl, calls, retry }) {
  const { connect, ended } = globalThis.lw;
  const ws = await connect({ baseUrl, retry });
  const results = [];
  for (const [name, ...args] of calls) {
    const from = performance.now();
    const result = await ended(ws[name](...args));
    results.push({ ...result, ms: performance.now() - from });
  }
  return results;
}

onEveryStage(test, "a deadline ends an attempt whose timeout is longer", async (t, { api, run }) => {
  api.answerAll = (exchange) => exchange.closed;
  const options = { timeoutMs: 60_000, deadlineMs: 400 };
  const calls = [["getLead", "a", options], ["deleteLead", "a", options]];
  const results = await run(inTurn, { baseUrl: api.origin, calls });
  for (const { error, ms } of results) {
    assert.deepEqual([error.name, error.attempts], ["TimeoutError", 1]);
    assert.ok(ms < options.deadlineMs + GRACE_MS, `${ms} ms`);
  }
  assert.deepEqual(results.map(({ error }) => error.ambiguous), [false, true]);
  assert.equal(api.requests.length, 2);
});

onEveryStage(test, "a wait beyond the deadline is not started", async (t, { api, run }) => {
  api.answerAll = (exchange) => exchange.answer(limited(20_000));
  const calls = [["scoreLeads", { lead_ids: ["a"] }, { deadlineMs: 15_000 }]];
  const [{ error }] = await run(inTurn, { baseUrl: api.origin, calls });
  assert.deepEqual([error.name, error.attempts, error.retryAfterMs], ["RateLimitError", 1, 20_000]);
  assert.ok(error.until > Date.now(), error.text);
});

onEveryStage(test, "a call can set its number of retries", async (t, { api, run }) => {
  api.answerAll = down;
  const calls = [0, 1, 4].map((retries) => ["updateLead", "a", "approved", { retries }]);
  const results = await run(inTurn, { baseUrl: api.origin, calls, retry: RETRY });
  assert.deepEqual(results.map(({ error }) => error.attempts), [1, 2, 5]);
  assert.equal(api.requests.length, 1 + 2 + 5);
});

onEveryStage(test, "a failing server gets few retries, and more after successes", async (t, { api, run }) => {
  // The budget is 100 tokens; a retry costs 14, and a success returns one.
  api.answerAll = (exchange) => (exchange.path.endsWith("/up") ? exchange.answer({ body: {} }) : down(exchange));
  const calls = (count, id) => Array(count).fill(["getLead", id]);
  const all = [...calls(10, "down"), ...calls(12, "up"), ...calls(2, "down")];
  await run(inTurn, { baseUrl: api.origin, calls: all, retry: RETRY });
  const retries = api.requests.length - all.length;
  assert.equal(retries, 7 + 1);
});

onEveryStage(test, "the default limit of a body is 32 MiB", async (t, { api, run }) => {
  const megabyte = Buffer.alloc(1 << 20, " ");
  let sent = 0;
  api.answerAll = async (exchange) => {
    exchange.head({ headers: { "content-type": "application/json" } });
    sent = 0;
    while (sent < 200 && (await exchange.write(megabyte))) sent += 1;
    exchange.end();
  };
  const calls = [["queryLeads", {}], ["request", "GET", "/api/exports/1"]];
  const results = await run(inTurn, { baseUrl: api.origin, calls });
  for (const { error } of results) {
    assert.deepEqual([error.name, error.code, error.attempts], ["DecodeError", "too_large", 1]);
    assert.match(error.message, /32 MiB/);
  }
  assert.ok(sent >= 32 && sent < 100, `${sent} MiB were sent`);
});

onEveryStage(test, "of custom requests only GET is retried", async (t, { api, run }) => {
  api.answerAll = down;
  const methods = ["GET", "POST", "PATCH", "DELETE"];
  const calls = methods.map((method) => ["request", method, "/api/enrichment/reverse-email-lookups"]);
  const results = await run(inTurn, { baseUrl: api.origin, calls, retry: RETRY });
  assert.deepEqual(results.map(({ error }) => error.attempts), [3, 1, 1, 1]);
  assert.deepEqual(results.map(({ error }) => error.ambiguous), [false, true, true, true]);
});

onEveryStage(test, "a path cannot lead to another server", async (t, { api, run }) => {
  const paths = ["//elsewhere.example/api", "https://elsewhere.example/", "/api/../../x", "/api/%2e%2E/x", "@x"];
  const calls = paths.map((path) => ["request", "GET", path]);
  for (const { error } of await run(inTurn, { baseUrl: api.origin, calls })) {
    assert.deepEqual([error.name, error.attempts], ["ArgumentError", 0]);
  }
  assert.equal(api.requests.length, 0);
});
