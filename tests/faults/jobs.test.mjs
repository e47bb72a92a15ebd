// Waiting for a job, with several callers at once.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { startApi } from "./support/api.mjs";
import { inChromium, onEveryStage } from "./support/stage.mjs";

after(closeBrowser);

const PATH = "/api/jobs/job-1";
const job = (fields) => ({ body: { job_id: "job-1", ...fields } });

// Starts one more wait for the job.
async function wait({ baseUrl, options }) {
  const { connect, ended, kept } = globalThis.lw;
  kept.ws ??= await connect({ baseUrl });
  kept.waits ??= [];
  const seen = [];
  const onProgress = ({ state, status, progress }) => seen.push({ state, status, progress });
  const call = ended(kept.ws.waitForJob("job-1", { ...options, onProgress }));
  kept.waits.push(call.then((result) => ({ ...result, seen })));
}

const results = () => Promise.all(globalThis.lw.kept.waits);

onEveryStage(test, "two waits share one poll, and both get the progress", async (t, { api, run }) => {
  for (const _ of [1, 2]) await run(wait, { baseUrl: api.origin });
  // Right after the start, the server may not find the job yet.
  const answers = [
    { status: 404, body: { detail: "Not found" } },
    job({ status: "queued", progress: 40 }),
    job({ status: "crunching", progress: { done: 3, total: 4 } }),
    job({ state: "completed", progress: 1, result: { scored: 7 } }),
  ];
  for (const answer of answers) {
    const exchange = await api.next();
    assert.equal(exchange.path, PATH);
    exchange.answer(answer);
  }
  for (const { value, seen } of await run(results)) {
    assert.deepEqual(seen, [
      { state: "running", status: "queued", progress: 0.4 },
      { state: "running", status: "crunching", progress: 0.75 },
      { state: "succeeded", status: "completed", progress: 1 },
    ]);
    assert.deepEqual([value.state, value.result], ["succeeded", { scored: 7 }]);
  }
  assert.equal(api.requests.length, answers.length);
});

onEveryStage(test, "a failed job is a result, not an error", async (t, { api, run }) => {
  await run(wait, { baseUrl: api.origin });
  (await api.next()).answer(job({ status: "failed", error: "no leads" }));
  const [{ value, error }] = await run(results);
  assert.equal(error, undefined);
  assert.deepEqual([value.state, value.error], ["failed", "no leads"]);
});

onEveryStage(test, "a failed poll does not end the wait", async (t, { api, run }) => {
  await run(wait, { baseUrl: api.origin, options: { retries: 0 } });
  (await api.next()).reset();
  (await api.next()).answer(job({ status: "succeeded" }));
  const [{ value }] = await run(results);
  assert.equal(value.state, "succeeded");
});

onEveryStage(test, "a deadline ends the wait with a TimeoutError", async (t, { api, run }) => {
  api.answerAll = (exchange) => exchange.answer(job({ status: "running" }));
  await run(wait, { baseUrl: api.origin, options: { deadlineMs: 300 } });
  const [{ error }] = await run(results);
  assert.deepEqual([error.name, error.operation, error.ambiguous], ["TimeoutError", "waitForJob", false]);
});

onEveryStage(test, "when the polling wait is aborted, another one polls", async (t, { api, run }) => {
  await run(async (baseUrl) => {
    const { connect, kept } = globalThis.lw;
    kept.ws = await connect({ baseUrl });
    kept.controller = new AbortController();
    kept.ws.waitForJob("job-1", { signal: kept.controller.signal }).catch(() => {});
  }, api.origin);
  const left = await api.next();
  await run(wait, { baseUrl: api.origin });
  await run(() => globalThis.lw.kept.controller.abort());
  await left.closed;
  (await api.next()).answer(job({ status: "succeeded" }));
  const [{ value }] = await run(results);
  assert.equal(value.state, "succeeded");
});

test("a hidden page does not poll", async (t) => {
  const api = await startApi(t);
  const { run } = await inChromium(t);
  const show = (hidden) => {
    Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  };
  await run(show, true);
  await run(wait, { baseUrl: api.origin });
  // If the wait had polled, its request would have been sent before this one.
  await run((baseUrl) => {
    globalThis.lw.kept.other = globalThis.lw.ended(globalThis.lw.kept.ws.getLead("a"));
  }, api.origin);
  const other = await api.next();
  assert.equal(other.path, "/api/leads/a");
  other.answer({ body: { id: "a" } });
  await run(() => globalThis.lw.kept.other);
  assert.equal(api.requests.length, 1);

  await run(show, false);
  const look = await api.next();
  assert.equal(look.path, PATH);
  look.answer(job({ status: "succeeded" }));
  assert.equal((await run(results))[0].value.state, "succeeded");
});
