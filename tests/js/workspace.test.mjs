import assert from "node:assert/strict";
import { test } from "node:test";

import { WASM, collector, connect, countListeners, deferred, hang, load } from "./support/package.mjs";

const plain = (args) => args.map((arg) => (arg?.signal ? { ...arg, signal: "signal" } : arg));

test("every method passes its arguments on, with its own signal", async (t) => {
  const { ws, fake } = await connect(t);
  const own = { timeoutMs: 5 };
  const seen = { timeoutMs: 5, signal: "signal" };
  const cases = {
    queryLeads: [{ search: "a" }],
    getLeadFacets: [{ signal_id: "s" }],
    searchLeadFacet: [{ field: "title" }],
    getLead: ["l"],
    updateLead: ["l", "approved"],
    updateLeads: [["l"], "approved"],
    deleteLead: ["l"],
    scoreLeads: [{ lead_ids: ["l"] }],
    queryAccounts: [{ list_id: "x" }],
    getAccount: ["a", { include_unpromoted: true }],
    getAccountPulse: ["a"],
    scoreAccounts: [{ account_ids: ["a"] }],
    getJob: ["j"],
    getLeadFields: [],
    waitForJob: ["j"],
    request: ["GET", "/x", { a: 1 }],
  };
  for (const [name, args] of Object.entries(cases)) {
    const result = await ws[name](...args, own);
    assert.equal(result.name, name);
    assert.deepEqual(plain(result.args), [...args, seen]);
  }
  assert.equal(fake.calls.length, 16);
  assert.deepEqual(ws.gate, { state: "open", retryAfterMs: 0, waiting: 0 });
});

test("omitted arguments stay undefined", async (t) => {
  const { ws } = await connect(t);
  assert.deepEqual(plain((await ws.queryLeads()).args), [undefined, { signal: "signal" }]);
});

test("getAccount accepts call options among its parameters", async (t) => {
  const { ws } = await connect(t);
  const params = { include_unpromoted: true, retries: 0, timeoutMs: 5 };
  const { args } = await ws.getAccount("a", params);
  assert.deepEqual(plain(args), ["a", { ...params, signal: "signal" }]);
  assert.deepEqual(params, { include_unpromoted: true, retries: 0, timeoutMs: 5 });
});

test("the options are kept for the UI and for restarts, without the module's source", async (t) => {
  const { ws, fake, optionsOf } = await connect(t, { tenantId: "t" });
  const kept = { baseUrl: "http://a.example", apiKey: "lwk_1_secret", tenantId: "t" };
  assert.deepEqual(fake.made, [kept]);
  assert.deepEqual(optionsOf(ws), kept);
  assert.equal(optionsOf({}), undefined);
});

test("the key is not visible in JSON or when inspected", async (t) => {
  const { ws } = await connect(t);
  const { inspect } = await import("node:util");
  assert.doesNotMatch(JSON.stringify(ws) + inspect(ws, { showHidden: true, depth: 9 }), /secret/);
});

test("`new Workspace()` points to Workspace.create", async (t) => {
  const { Workspace, ArgumentError } = await load(t);
  assert.throws(() => new Workspace({ baseUrl: "", apiKey: "k" }), (error) => {
    assert.ok(error instanceof ArgumentError);
    return /await Workspace\.create\(/.test(error.message);
  });
});

test("creation fails without options and with options that the module refuses", async (t) => {
  const { Workspace, ArgumentError, fake } = await load(t);
  await assert.rejects(Workspace.create(), ArgumentError);
  fake.refusal = new ArgumentError("no baseUrl");
  await assert.rejects(Workspace.create({ wasm: WASM }), fake.refusal);
});

test("the caller's signal ends a call before and after its start, with its own reason", async (t) => {
  const { ws, fake, NotFoundError } = await connect(t);
  fake.answer = (_, args) => hang(args.at(-1).signal);
  const reasonOf = (call) => call.then(() => assert.fail("not aborted"), (reason) => reason);
  // An error of another call is passed on as it is, with its operation and its stack.
  const error = new NotFoundError("gone", { operation: "getAccount" });
  const { stack } = error;
  for (const reason of ["a text", null, new Error("enough"), error]) {
    assert.equal(await reasonOf(ws.getLead("l", { signal: AbortSignal.abort(reason) })), reason);
    const controller = new AbortController();
    const calls = [ws.getLead("l", controller), ws.waitForJob("j", controller), ws.leads({}, controller).next()];
    controller.abort(reason);
    for (const call of calls) assert.equal(await reasonOf(call), reason);
  }
  assert.deepEqual([error.operation, error.stack], ["getAccount", stack]);

  const plain = new AbortController();
  const call = ws.getLead("l", { signal: plain.signal });
  plain.abort();
  assert.equal(await reasonOf(call), plain.signal.reason);
  assert.equal(plain.signal.reason.name, "AbortError");
  // A timeout of the platform does not keep the process running.
  const running = setInterval(() => {}, 1000);
  t.after(() => clearInterval(running));
  await assert.rejects(ws.getLead("l", { signal: AbortSignal.timeout(1) }), (reason) => {
    assert.ok(reason instanceof DOMException);
    return reason.name === "TimeoutError";
  });
});

test("any number of calls share one listener on a signal, which the last one removes", async (t) => {
  const { ws, fake } = await connect(t);
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = countListeners(signal);
  const answers = [];
  fake.answer = () => {
    const answer = deferred();
    answers.push(answer);
    return answer.promise;
  };
  const calls = [];
  for (let count = 0; count < 60; count += 1) calls.push(ws.getLead("l", { signal }));
  assert.equal(listeners.size, 1);
  const { signal: own } = fake.calls.at(-1).args.at(-1);
  for (const answer of answers.slice(0, 59)) answer.resolve("lead");
  await Promise.all(calls.slice(0, 59));
  assert.equal(listeners.size, 1);
  controller.abort();
  assert.ok(own.aborted, "it still follows the signal");
  answers[59].resolve("lead");
  await calls[59];
  assert.equal(listeners.size, 0);
});

test("the outcome of an aborted bulk update is known", async (t) => {
  const { ws, fake, NotFoundError } = await connect(t);
  const controller = new AbortController();
  fake.answer = (_, args) => hang(args.at(-1).signal).catch(() => "what was done");
  const update = ws.updateLeads(["l"], "approved", { signal: controller.signal });
  controller.abort("enough");
  assert.equal(await update.outcome(), "what was done");
  assert.equal(await update.catch((reason) => reason), "enough");

  fake.answer = () => "all done";
  const whole = ws.updateLeads(["l"], "approved");
  assert.deepEqual([await whole, await whole.outcome()], ["all done", "all done"]);
  fake.answer = () => Promise.reject(new NotFoundError("gone"));
  await assert.rejects(ws.updateLeads(["l"], "approved").outcome(), NotFoundError);
});

test("invalid options are refused before a request", async (t) => {
  const { ws, ArgumentError, fake } = await connect(t);
  await assert.rejects(ws.getLead("l", AbortSignal.timeout(1000)), ArgumentError);
  await assert.rejects(ws.getLead("l", 5000), ArgumentError);
  await assert.rejects(ws.getLead("l", { signal: new AbortController() }), ArgumentError);
  assert.equal(fake.calls.length, 0);
});

test("disposal aborts pending calls, then frees the workspace once", async (t) => {
  const { ws, fake } = await connect(t);
  const under = deferred();
  fake.answer = (_, args) => {
    const { signal } = args.at(-1);
    signal.addEventListener("abort", () => under.promise.then(() => {}));
    return hang(signal).catch(async (error) => {
      await under.promise;
      throw error;
    });
  };
  const call = ws.getLead("l");
  ws.dispose();
  ws.dispose();
  assert.deepEqual(fake.freed, [], "freed during a call");
  under.resolve();
  await assert.rejects(call, { name: "AbortError" });
  assert.deepEqual(fake.freed, [0]);
});

test("after disposal every call fails with `disposed`", async (t) => {
  const { ws, fake, WorkspaceError } = await connect(t);
  ws[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  assert.deepEqual(fake.freed, [0]);
  const disposed = (error) => error instanceof WorkspaceError && error.code === "disposed";
  await assert.rejects(ws.queryLeads(), disposed);
  await assert.rejects(ws.leads().next(), disposed);
  await assert.rejects(ws.waitForJob("j"), disposed);
  assert.throws(() => ws.gate, disposed);
  assert.equal(fake.calls.length, 0);
});

test("an unreachable workspace is freed, even if its hooks refer to it", async (t) => {
  const { Workspace, fake } = await load(t);
  const create = async () => {
    let ws;
    const refers = () => ws.gate;
    const hooks = { onRequest: refers, onGate: refers };
    ws = await Workspace.create({ baseUrl: "http://a.example", getApiKey: refers, hooks, wasm: WASM });
  };
  await create();
  const gc = await collector();
  while (fake.freed.length === 0) await gc();
  assert.deepEqual(fake.freed, [0]);
});

test("a workspace with a pending call keeps its hooks", async (t) => {
  const { Workspace, fake } = await load(t);
  const under = deferred();
  fake.answer = () => under.promise;
  const received = [];
  const start = async () => {
    const options = { getApiKey: () => "the key", hooks: { onRequest: (event) => received.push(event) } };
    const ws = await Workspace.create({ baseUrl: "http://a.example", ...options, wasm: WASM });
    return { call: ws.getLead("l") };
  };
  const { call } = await start();
  const gc = await collector();
  for (let count = 0; count < 3; count += 1) await gc();
  const [{ getApiKey, hooks }] = fake.made;
  assert.equal(await getApiKey(), "the key");
  hooks.onRequest("event");
  assert.deepEqual(received, ["event"]);
  under.resolve("lead");
  assert.equal(await call, "lead");
});

test("`create` needs no `this`, and creates instances of subclasses", async (t) => {
  const { Workspace, ArgumentError } = await load(t);
  const { create } = Workspace;
  const options = { baseUrl: "http://a.example", apiKey: "k", wasm: WASM };
  assert.ok((await create(options)) instanceof Workspace);
  class Own extends Workspace {
    async first() {
      return (await this.queryLeads()).name;
    }
  }
  const own = await Own.create(options);
  assert.ok(own instanceof Own);
  assert.equal(await own.first(), "queryLeads");
  await assert.rejects(create(), ArgumentError);
});

// Mimics `reactive` and `ref` of Vue: https://github.com/vuejs/core/blob/main/packages/reactivity/src/reactive.ts
function reactive(target) {
  if (target.__v_skip || !Object.isExtensible(target)) return target;
  return new Proxy(target, {});
}

test("Vue does not wrap a workspace", async (t) => {
  const { ws } = await connect(t);
  assert.equal((await reactive(ws).getLead("l")).name, "getLead");
  assert.deepEqual(Object.keys(ws), []);
});

test("an error passes through a custom `Error.prepareStackTrace`", async (t) => {
  const { ws, fake, NetworkError } = await connect(t);
  t.after(() => delete Error.prepareStackTrace);
  Error.prepareStackTrace = (_, frames) => frames;
  fake.answer = () => Promise.reject(new NetworkError("gone"));
  await assert.rejects(ws.getLead("l"), NetworkError);
});

test("an internal error keeps its stack, and the stack of a call's error shows the caller", async (t) => {
  const { ws, fake, NetworkError } = await connect(t);
  const bug = new TypeError("of our own");
  const { stack } = bug;
  fake.answer = () => Promise.reject(bug);
  await assert.rejects(ws.getLead("l"), (error) => error === bug && error.stack === stack);
  fake.answer = () => Promise.reject(new NetworkError("gone"));
  const error = await ws.getLead("l").catch((error) => error);
  assert.match(error.stack, /workspace\.test\.mjs/);
  assert.equal(Object.keys(error).includes("stack"), false);
});

test("baseUrl is required if the page has no base URL", async (t) => {
  const { Workspace, ArgumentError } = await load(t);
  t.after(() => {
    delete globalThis.location;
    delete globalThis.document;
  });
  const create = () => Workspace.create({ baseUrl: "", apiKey: "k", wasm: WASM });
  // A worker created from a blob URL.
  globalThis.location = new URL("blob:https://app.example/9c2f");
  await assert.rejects(create(), (error) => error instanceof ArgumentError && /baseUrl/.test(error.message));
  // A frame created with `srcdoc` has the base URL of the page around it.
  globalThis.location = new URL("about:srcdoc");
  globalThis.document = { baseURI: "https://app.example/page" };
  await create();
});
