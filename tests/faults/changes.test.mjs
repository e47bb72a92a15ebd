// The stream of changes over broken connections, in Chromium and in Node.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { collector } from "../js/support/package.mjs";
import { startApi } from "./support/api.mjs";
import { inNode, onEveryStage } from "./support/stage.mjs";

after(closeBrowser);

const PATH = "/api/leads/changes";
const STREAM = { "content-type": "text/event-stream; charset=utf-8" };

const event = (name, version, more = {}) =>
  `event: ${name}\nid: ${version}\ndata: ${JSON.stringify({ version, ...more })}\n\n`;
const change = (version, ids = ["lead-ü"]) =>
  event("change", version, { changed_at: "2026-05-30T00:00:00Z", changes: [{ kind: "added", count: ids.length, ids }] });

// Starts a stream, whose events and connections are recorded.
async function start({ baseUrl, options, create }) {
  const { connect, ended, kept } = globalThis.lw;
  kept.ws = await connect({ baseUrl, retry: { baseMs: 1, limitedBaseMs: 1, capMs: 1 }, ...create });
  kept.connections = [];
  kept.controller = new AbortController();
  const onConnection = ({ state, since, error }) =>
    kept.connections.push({ state, hasSince: typeof since === "number", code: error?.code ?? null });
  kept.changes = kept.ws.changes({ ...options, onConnection, signal: kept.controller.signal });
  kept.next = () => ended(kept.changes.next());
}

const next = () => globalThis.lw.kept.next();

async function take(count) {
  const events = [];
  while (events.length < count) {
    const { value: step, error } = await globalThis.lw.kept.next();
    if (error) return { events, error };
    events.push([step.value.kind, step.value.version]);
  }
  return { events, connections: globalThis.lw.kept.connections };
}

// Answers the next request with the beginning of a stream.
async function connection(api, ...events) {
  const exchange = await api.next();
  assert.equal(exchange.path, PATH);
  exchange.head({ headers: STREAM });
  for (const part of events) await exchange.write(part);
  return exchange;
}

const sinceOf = ({ target }) => new URL(target, "http://a").searchParams.get("since");

onEveryStage(test, "events have the shape of their kind", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin });
  const first = run(next);
  const exchange = await connection(api, event("open", 4));
  assert.equal(exchange.headers.accept, "text/event-stream");
  assert.equal(exchange.headers.authorization, "Bearer lwk_1_s3cret");
  assert.equal(sinceOf(exchange), null);
  assert.deepEqual(await first, { value: { value: { kind: "open", version: 4 }, done: false } });
  const second = run(next);
  await exchange.write(change(5));
  const { value } = await second;
  assert.deepEqual(value.value, {
    kind: "change",
    version: 5,
    changed_at: "2026-05-30T00:00:00Z",
    changes: [{ kind: "added", approval_status: null, count: 1, ids: ["lead-ü"] }],
  });
  const third = run(next);
  await exchange.write(event("reset", 9));
  assert.deepEqual((await third).value.value, { kind: "reset", version: 9 });
});

onEveryStage(test, "every byte may arrive alone", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin });
  const taken = run(take, 2);
  const exchange = await connection(api);
  for (const byte of Buffer.from(event("open", 4) + change(5))) await exchange.write(Buffer.of(byte));
  assert.deepEqual((await taken).events, [["open", 4], ["change", 5]]);
});

for (const [how, end] of Object.entries({
  "a clean end": (exchange) => exchange.end(),
  "a reset": (exchange) => exchange.reset(),
  "an event that is cut off": async (exchange) => {
    const bytes = Buffer.from(change(6));
    // In the middle of a character.
    await exchange.write(bytes.subarray(0, bytes.indexOf(0xc3) + 1));
    exchange.reset();
  },
  "an event without a version": (exchange) => exchange.write("event: change\nid: x\ndata: {}\n\n"),
})) {
  onEveryStage(test, `after ${how}, the stream goes on after its last event`, async (t, { api, run }) => {
    await run(start, { baseUrl: api.origin, options: { since: 4 } });
    const before = run(take, 2);
    const exchange = await connection(api, event("open", 4), change(5));
    assert.equal(sinceOf(exchange), "4");
    // A reset may take what was not read yet with it.
    assert.deepEqual((await before).events, [["open", 4], ["change", 5]]);
    const taken = run(take, 2);
    await end(exchange);
    const later = await connection(api, event("open", 5), change(6));
    assert.equal(sinceOf(later), "5");
    const { events, connections } = await taken;
    assert.deepEqual(events, [["open", 5], ["change", 6]]);
    assert.deepEqual(connections.map(({ state, hasSince }) => [state, hasSince]), [
      ["open", false], ["broken", true], ["open", false],
    ]);
    await exchange.closed;
  });
}

onEveryStage(test, "failures that may pass do not end the stream", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin, options: { since: 4 } });
  const taken = run(take, 1);
  for (let time = 0; time < 3; time += 1) {
    for (const status of [503, 429, 500, 504]) (await api.next()).answer({ status, body: { detail: "later" } });
    (await api.next()).reset();
  }
  await connection(api, event("open", 4));
  const { events, connections } = await taken;
  assert.deepEqual(events, [["open", 4]]);
  assert.deepEqual(connections.at(0), { state: "broken", hasSince: false, code: "status" });
  assert.deepEqual(connections.at(-1), { state: "open", hasSince: false, code: null });
});

onEveryStage(test, "a response that does not begin is given up", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin, options: { timeoutMs: 1000 } });
  const taken = run(take, 1);
  const silent = await api.next();
  // On a slow machine, more than one response may be late.
  api.answerAll = async (exchange) => {
    exchange.head({ headers: STREAM });
    await exchange.write(event("open", 4));
  };
  assert.deepEqual((await taken).events, [["open", 4]]);
  await silent.closed;
});

onEveryStage(test, "a web page instead of a stream is an error at first, and a failure that may pass later", async (t, { api, run }) => {
  const page = { headers: { "content-type": "text/html" }, body: "<!doctype html><p>Sign in" };
  await run(start, { baseUrl: api.origin });
  const refused = run(next);
  (await api.next()).answer(page);
  assert.equal((await refused).error.name, "DecodeError");

  await run(start, { baseUrl: api.origin });
  const taken = run(take, 2);
  (await connection(api, event("open", 4))).end();
  (await api.next()).answer(page);
  await connection(api, event("open", 4));
  assert.deepEqual((await taken).events, [["open", 4], ["open", 4]]);
});

onEveryStage(test, "changes that cannot be read are a reset", async (t, { api, run }) => {
  await run(start, { baseUrl: api.origin });
  const taken = run(take, 4);
  await connection(
    api,
    event("open", 4),
    "event: change\nid: 5\ndata: {\"version\":\n\n",
    "event: change\nid: 6\ndata: {}\n\n",
    change(7),
  );
  assert.deepEqual((await taken).events, [["open", 4], ["reset", 5], ["reset", 6], ["change", 7]]);
});

for (const [status, name] of [[401, "AuthError"], [403, "AuthError"]]) {
  onEveryStage(test, `status ${status} ends the stream`, async (t, { api, run }) => {
    await run(start, { baseUrl: api.origin });
    const taken = run(take, 2);
    (await connection(api, event("open", 4))).end();
    (await api.next()).answer({ status, body: { detail: "no" } });
    const { events, error } = await taken;
    assert.deepEqual(events, [["open", 4]]);
    assert.deepEqual([error.name, error.status, error.operation], [name, status, "streamChanges"]);
    assert.equal((await run(next)).value.done, true);
  });
}

for (const status of [404, 405, 501]) {
  onEveryStage(test, `status ${status}: a server without a stream is asked once`, async (t, { api, run }) => {
    await run(start, { baseUrl: api.origin });
    const first = run(next);
    (await api.next()).answer({ status, body: { detail: "no" } });
    const { error } = await first;
    assert.match(error.text, /This server has no stream of changes/);
    assert.equal(error.status, status);
    const later = await run(async () => {
      const { ended, kept } = globalThis.lw;
      return ended(kept.ws.changes().next());
    });
    assert.match(later.error.text, /This server has no stream of changes/);
    assert.equal(api.requests.length, 1);
  });
}

for (const [how, leave] of Object.entries({
  "return()": () => globalThis.lw.kept.changes.return(),
  "the signal": () => globalThis.lw.kept.controller.abort(),
  "disposal": () => globalThis.lw.kept.ws.dispose(),
})) {
  onEveryStage(test, `${how} ends the request`, async (t, { api, run }) => {
    await run(start, { baseUrl: api.origin });
    const first = run(next);
    const exchange = await connection(api, event("open", 4));
    await first;
    await run(leave);
    await exchange.closed;
  });
}

// In Node, the signal of a request that was collected is not aborted any more.
test("a stream ends after the garbage was collected, too", async (t) => {
  const [api, { run }] = await Promise.all([startApi(t), inNode()]);
  await run(start, { baseUrl: api.origin });
  const first = run(next);
  const exchange = await connection(api, event("open", 4));
  await first;
  const collect = await collector();
  for (let time = 0; time < 5; time += 1) await collect();
  await run(() => globalThis.lw.kept.changes.return());
  await exchange.closed;
});

onEveryStage(test, "options that do not apply are refused", async (t, { api, run }) => {
  for (const options of [{ since: -1 }, { since: 1.5 }, { retries: 2 }, { deadlineMs: 5 }, { nothing: 1 }]) {
    await run(start, { baseUrl: api.origin, options });
    const { error } = await run(next);
    assert.equal(error.name, "ArgumentError", JSON.stringify(options));
  }
  assert.equal(api.requests.length, 0);
});
