// The rate-limit gate of a workspace, shared by the pages of one browser.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { limited, startApi } from "./support/api.mjs";
import { inChromium } from "./support/stage.mjs";
import { listen } from "./support/server.mjs";
import { serveSite } from "./support/page.mjs";

after(closeBrowser);

// Opens two pages of one origin that use the same workspace.
async function twoPages(t, options) {
  const [api, origin] = [await startApi(t), await listen(t, serveSite)];
  const first = await inChromium(t, { origin });
  const second = await inChromium(t, { origin, sibling: first });
  for (const [stage, more] of [[first, {}], [second, options]]) {
    await stage.run(async (created) => {
      globalThis.lw.kept.ws = await globalThis.lw.connect(created);
      globalThis.lw.kept.calls = [];
    }, { baseUrl: api.origin, ...more });
  }
  return { api, first, second };
}

function call(ids) {
  const { ws, calls } = globalThis.lw.kept;
  calls.push(...ids.map((id) => globalThis.lw.ended(ws.getLead(id))));
}

const results = () => Promise.all(globalThis.lw.kept.calls);
const shut = () => globalThis.lw.events.some(({ hook, state }) => hook === "onGate" && state === "closed");
const lead = { body: { id: "a" } };

test("when one page is rate limited, the other waits, and a single probe serves both", async (t) => {
  const { api, first, second } = await twoPages(t);
  await first.run(call, ["a"]);
  (await api.next()).answer(limited(500));
  await second.until(shut);
  await second.run(call, ["b", "c", "d"]);
  await second.until(() => globalThis.lw.events.some(({ waiting }) => waiting === 3));

  const probe = await api.next();
  for (const page of [first, second]) {
    await page.until(() => globalThis.lw.events.some(({ state }) => state === "probing"));
  }
  assert.equal(api.requests.length, 2, "the refused request and the probe");

  api.answerAll = (exchange) => exchange.answer(lead);
  probe.answer(lead);
  for (const page of [first, second]) {
    for (const { error } of await page.run(results)) assert.equal(error, undefined);
    await page.until(() => globalThis.lw.kept.ws.gate.state === "open");
    const gate = await page.run(() => globalThis.lw.kept.ws.gate);
    assert.deepEqual(gate, { state: "open", retryAfterMs: 0, waiting: 0 });
  }
  assert.equal(api.requests.length, 5);
});

test("of eight pages that each met the limit, one probes, and the others wait for its answer", async (t) => {
  const [api, origin] = [await startApi(t), await listen(t, serveSite)];
  const pages = [];
  for (let count = 0; count < 8; count += 1) {
    const page = await inChromium(t, { origin, sibling: pages[0] });
    await page.run(async (baseUrl) => {
      globalThis.lw.kept.ws = await globalThis.lw.connect({ baseUrl });
      globalThis.lw.kept.calls = [];
    }, api.origin);
    pages.push(page);
  }
  await Promise.all(pages.map((page, index) => page.run(call, [`lead-${index}`])));
  // The browser sends six at a time.
  for (const _ of pages) (await api.next()).answer(limited(2000));

  const probe = await api.next();
  for (const page of pages) {
    await page.until(() => globalThis.lw.events.some(({ state }) => state === "probing"));
  }
  assert.equal(api.requests.length, 9, "the refused requests and the probe");

  api.answerAll = (exchange) => exchange.answer(lead);
  probe.answer(lead);
  for (const page of pages) {
    for (const { error } of await page.run(results)) assert.equal(error, undefined);
  }
  assert.equal(api.requests.length, 16);
});

test("a page that opens later gets the gate's state, and fails at once if the wait is too long", async (t) => {
  const { api, first, second } = await twoPages(t);
  await first.run(call, ["a"]);
  (await api.next()).answer(limited(3_600_000));
  const [{ error: told }] = await first.run(results);
  assert.deepEqual([told.attempts, told.retryAfterMs], [1, 3_600_000]);
  await second.until(shut);

  // A new workspace must query the other tabs for the gate's state.
  const late = await inChromium(t, { origin: new URL(first.page.url()).origin, sibling: second });
  await late.run(async (baseUrl) => {
    globalThis.lw.kept.ws = await globalThis.lw.connect({ baseUrl });
    globalThis.lw.kept.calls = [];
  }, api.origin);
  await late.until(shut);
  for (const page of [second, late]) {
    await page.run(call, ["b"]);
    const [{ error }] = await page.run(results);
    assert.equal(error.name, "RateLimitError");
    assert.deepEqual([error.attempts, error.ambiguous, error.status], [0, false, null]);
    // The gate stays closed for at most five minutes, in other tabs up to 500 ms longer. Then a call probes the limit.
    assert.ok(error.retryAfterMs > 200_000 && error.retryAfterMs <= 300_500, error.text);
    assert.ok(error.until > Date.now(), error.text);
  }
  assert.equal(api.requests.length, 1);
});

test("another workspace of the same origin is not blocked", async (t) => {
  const { api, first, second } = await twoPages(t, { tenantId: "tenant-2" });
  await first.run(call, ["a"]);
  (await api.next()).answer(limited(29_000));
  await first.until(shut);
  await second.run(call, ["b"]);
  const exchange = await api.next();
  assert.equal(exchange.headers["x-tenant-id"], "tenant-2");
  exchange.answer(lead);
  assert.equal((await second.run(results))[0].error, undefined);
});
