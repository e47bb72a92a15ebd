import assert from "node:assert/strict";
import { test } from "node:test";

import { collector, connect, countListeners, hang } from "./support/package.mjs";

const open = { kind: "open", version: 4 };
const change = { kind: "change", version: 5, changed_at: null, changes: [] };

// Answers with one event after another: an error, or the end after the last one.
function events(fake, ...steps) {
  const signals = [];
  fake.answer = (_, [number, signal]) => {
    signals.push(signal);
    const answer = steps[number - 1];
    return answer instanceof Error ? Promise.reject(answer) : answer;
  };
  return signals;
}

test("events are returned one by one, with the options of the call", async (t) => {
  const { ws, fake } = await connect(t);
  const onConnection = () => {};
  events(fake, open, change);
  const seen = [];
  for await (const event of ws.changes({ since: 4, timeoutMs: 5, onConnection })) seen.push(event);
  assert.deepEqual(seen, [open, change]);
  const { name, args } = fake.calls[0];
  const { signal, ...options } = args[0];
  assert.deepEqual([name, options], ["changes", { since: 4, timeoutMs: 5, onConnection }]);
  assert.ok(!signal.aborted || fake.freed.length > 0);
  assert.deepEqual(fake.freed, ["pages"]);
});

test("the events are no query: no total, no pages", async (t) => {
  const { ws } = await connect(t);
  const changes = ws.changes();
  assert.ok(!("total" in changes) && !("byPage" in changes));
  assert.equal(changes[Symbol.asyncIterator](), changes);
  await changes.return();
});

for (const [how, leave] of Object.entries({
  "a break": async (changes) => {
    for await (const _ of changes) break;
  },
  "an exception": async (changes) => {
    await assert.rejects(async () => {
      for await (const _ of changes) throw new Error("of the loop's own");
    }, /of the loop's own/);
  },
  "return()": async (changes) => {
    await changes.next();
    assert.deepEqual(await changes.return("done"), { value: "done", done: true });
  },
})) {
  test(`${how} ends the stream`, async (t) => {
    const { ws, fake } = await connect(t);
    const signals = events(fake, open, change);
    await leave(ws.changes());
    assert.equal(signals.length, 1);
    assert.ok(signals[0].aborted);
    assert.deepEqual(fake.freed, ["pages"]);
  });
}

test("return() does not wait for the next event", async (t) => {
  const { ws, fake } = await connect(t);
  fake.answer = (_, [, signal]) => hang(signal);
  const changes = ws.changes();
  const next = changes.next();
  assert.deepEqual(await changes.return(), { value: undefined, done: true });
  assert.deepEqual(await next, { value: undefined, done: true });
});

test("the caller's signal and disposal end a stream that waits", async (t) => {
  for (const [end, reason] of [
    [(_, controller) => controller.abort(new Error("enough")), { message: "enough" }],
    [(ws) => ws.dispose(), { name: "AbortError", message: /disposed of/ }],
  ]) {
    const { ws, fake } = await connect(t);
    const controller = new AbortController();
    const listeners = countListeners(controller.signal);
    fake.answer = (_, [, signal]) => hang(signal);
    const changes = ws.changes({ signal: controller.signal });
    const next = changes.next();
    await new Promise(setImmediate);
    end(ws, controller);
    await assert.rejects(next, reason);
    await assert.rejects(changes.next(), reason);
    assert.ok(fake.freed.includes("pages"));
    assert.equal(listeners.size, 0);
  }
});

test("an error has the stack of the caller, and ends the stream", async (t) => {
  const { ws, fake, NotFoundError } = await connect(t);
  events(fake, new NotFoundError("This server has no stream of changes.", { operation: "streamChanges" }));
  const changes = ws.changes();
  const error = await changes.next().catch((error) => error);
  assert.ok(error instanceof NotFoundError);
  assert.match(error.stack, /changes\.test\.mjs/);
  assert.deepEqual(await changes.next(), { value: undefined, done: true });
  assert.deepEqual(fake.freed, ["pages"]);
});

test("a crash of the module ends a stream", async (t) => {
  const { ws, fake } = await connect(t);
  fake.answer = (_, [, signal]) => hang(signal);
  const changes = ws.changes();
  const next = changes.next();
  await new Promise(setImmediate);
  fake.crash();
  await assert.rejects(next, { code: "crashed" });
  await assert.rejects(changes.next(), { code: "crashed" });
});

test("a stream that was garbage-collected is ended", async (t) => {
  const { ws, fake } = await connect(t);
  const collect = await collector();
  events(fake, open);
  await ws.changes().next();
  for (let turn = 0; turn < 50 && fake.freed.length === 0; turn += 1) await collect();
  assert.deepEqual(fake.freed, ["pages"]);
  assert.ok(ws);
});

test("options that are none are refused by the first step", async (t) => {
  const { ws, ArgumentError } = await connect(t);
  await assert.rejects(ws.changes(5).next(), ArgumentError);
});
