import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, deferred } from "./support/package.mjs";

const crashed = { name: "WorkspaceError", code: "crashed", ambiguous: true };

test("pending calls reject, and the next one creates a new instance", async (t) => {
  const { ws, fake } = await connect(t);
  fake.answer = () => new Promise(() => {});
  const calls = [ws.queryLeads(), ws.waitForJob("j")];
  fake.crash("index out of bounds");
  for (const call of calls) {
    await assert.rejects(call, (error) => {
      assert.equal(error.cause.message, "index out of bounds");
      return Object.entries(crashed).every(([name, value]) => error[name] === value);
    });
  }
  fake.answer = () => "fine";
  assert.equal(await ws.getLead("l"), "fine");
  assert.equal(await ws.getLead("l"), "fine");
  assert.equal(fake.made.length, 2, "one new object per crash");
  assert.deepEqual(fake.made[0], fake.made[1]);
  assert.deepEqual(fake.calls.slice(-2).map((call) => call.raw), [1, 1]);
});

test("objects of the crashed instance are not freed in the new one", async (t) => {
  const { ws, fake } = await connect(t);
  fake.crash();
  ws.dispose();
  assert.deepEqual(fake.freed, []);

  const other = await connect(t);
  other.fake.crash();
  other.fake.answer = () => "fine";
  await other.ws.getLead("l");
  other.ws.dispose();
  assert.deepEqual(other.fake.freed, [1]);
});

test("a new instance is created by the start function", async (t) => {
  const { ws, fake, Workspace } = await connect(t);
  fake.answer = () => "fine";
  fake.crash();
  await ws.getLead("l");
  await ws.getLead("l");
  fake.crash();
  await Workspace.create({ baseUrl: "http://a.example", apiKey: "k" });
  await ws.getLead("l");
  assert.deepEqual(fake.restarts, ["start", "start"]);
});

test("an iteration rejects with the error", async (t) => {
  const { ws, fake } = await connect(t);
  const under = deferred();
  fake.answer = (_, [page]) =>
    page === 1 ? { data: [{ lead_id: "a" }] } : under.promise;
  const leads = ws.leads();
  assert.equal((await leads.next()).value.lead_id, "a");
  const next = leads.next();
  await new Promise(setImmediate);
  fake.crash();
  await assert.rejects(next, crashed);
  assert.deepEqual(fake.freed, []);
  // It must not look like the end of the rows.
  await assert.rejects(leads.next(), crashed);
});

test("an iteration rejects if the module crashed between two pages", async (t) => {
  const { ws, fake } = await connect(t);
  fake.answer = () => ({ data: [{ lead_id: "a" }] });
  const leads = ws.leads();
  await leads.next();
  fake.crash();
  await assert.rejects(leads.next(), crashed);
  assert.deepEqual(fake.freed, []);
});

test("a trap without a panic ends all calls", async (t) => {
  const { ws, fake } = await connect(t);
  fake.answer = () => new Promise(() => {});
  const pending = ws.queryLeads();
  fake.answer = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  await assert.rejects(ws.getLead("l"), crashed);
  await assert.rejects(pending, crashed);
  fake.answer = () => "fine";
  assert.equal(await ws.getLead("l"), "fine");
});

for (const [what, make] of Object.entries({
  "in V8": () => new RangeError("Maximum call stack size exceeded"),
  "in Firefox": () => Object.assign(new Error("too much recursion"), { name: "InternalError" }),
})) {
  test(`a stack overflow ${what} ends all calls, and the next one creates a new instance`, async (t) => {
    const { ws, fake } = await connect(t);
    fake.answer = () => new Promise(() => {});
    const pending = ws.queryLeads();
    fake.answer = () => {
      throw make();
    };
    await assert.rejects(ws.getLead("l"), crashed);
    await assert.rejects(pending, crashed);
    fake.answer = () => "fine";
    assert.equal(await ws.getLead("l"), "fine");
    assert.deepEqual(fake.restarts, ["start"]);
  });
}

test("a trap inside a future, which only the page receives, ends all calls", async (t) => {
  const page = new EventTarget();
  t.after(() => delete globalThis.addEventListener);
  globalThis.addEventListener = page.addEventListener.bind(page);
  const { ws, fake } = await connect(t);
  fake.answer = () => new Promise(() => {});
  const pending = ws.queryLeads();
  const error = () => page.dispatchEvent(Object.assign(new Event("error"), { message: "unreachable" }));

  // An error of other code on the page.
  error();
  await new Promise(setImmediate);
  fake.answer = () => "fine";
  assert.equal(await ws.getLead("l"), "fine");
  assert.equal(fake.made.length, 1);

  fake.died = true;
  error();
  await assert.rejects(pending, crashed);
  assert.equal(await ws.getLead("l"), "fine");
  assert.deepEqual(fake.restarts, ["start"]);
});

test("a promise of a crashed instance never settles", async (t) => {
  const { fake, folder } = await connect(t);
  const { living } = await import(`${folder}/guard.js`);
  const received = [];
  const late = deferred();
  living(late.promise).then((value) => received.push(value));
  fake.crash();
  late.resolve("key");
  await new Promise(setImmediate);
  assert.deepEqual(received, []);
});

test("an abort after a crash does not call the crashed module", async (t) => {
  const { ws, fake } = await connect(t);
  const called = [];
  fake.answer = (_, args) => {
    args.at(-1).signal.addEventListener("abort", () => called.push("abort"));
    return new Promise(() => {});
  };
  const controller = new AbortController();
  const call = ws.getLead("l", { signal: controller.signal });
  fake.crash();
  controller.abort();
  ws.dispose();
  await assert.rejects(call, crashed);
  assert.deepEqual(called, []);
});

test("a panic during a call counts as one crash", async (t) => {
  const { ws, fake, folder } = await connect(t);
  const guard = await import(`${folder}/guard.js`);
  fake.answer = () => {
    fake.crash("index out of bounds");
    throw new WebAssembly.RuntimeError("unreachable");
  };
  await assert.rejects(ws.getLead("l"), (error) => error.cause.message === "index out of bounds");
  assert.equal(guard.epoch, 1);
});

test("a response after a crash is ignored", async (t) => {
  const { ws, fake } = await connect(t);
  const late = deferred();
  fake.answer = () => late.promise;
  const call = ws.getLead("l");
  fake.crash();
  late.resolve("late");
  await assert.rejects(call, crashed);
});
