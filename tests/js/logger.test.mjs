import assert from "node:assert/strict";
import { test } from "node:test";

import { WASM, connect, hang, load } from "./support/package.mjs";

const LEVELS = ["error", "warn", "info", "debug"];

// A logger that keeps its lines.
function recorder() {
  const lines = [];
  const logger = Object.fromEntries(LEVELS.map((level) => [level, (line) => lines.push(`${level}: ${line}`)]));
  return { lines, logger };
}

const REQUEST = { operation: "getLead", method: "GET", url: "http://a.example/api/leads/l", attempt: 1 };
const END = { ...REQUEST, status: 503, durationMs: 3.6, requestId: "r-1", aborted: false, error: {} };
const EVENTS = {
  onRequest: REQUEST,
  onResponse: END,
  onRetry: { operation: "getLead", attempt: 1, delayMs: 200, reason: "The service failed", status: 503 },
  onGate: { state: "closed", retryAfterMs: 900, waiting: 2 },
};
const DEBUG = [
  "debug: lead-workspace: getLead: GET http://a.example/api/leads/l, attempt 1",
  "debug: lead-workspace: getLead: 503 after 4 ms, attempt 1 (request r-1)",
  "info: lead-workspace: getLead: attempt 1 failed and is repeated in 200 ms: The service failed",
  "debug: lead-workspace: the rate-limit gate is closed, for 900 ms; 2 calls are waiting",
];

// Calls every hook that the module got.
function tell({ fake }, events = EVENTS) {
  const { hooks } = fake.made[0];
  for (const [name, event] of Object.entries(events)) hooks?.[name]?.(event);
}

test("each level logs its events and those of the levels before it", async (t) => {
  const expected = { off: [], error: [], warn: [], info: DEBUG.slice(2, 3), debug: DEBUG };
  for (const [logLevel, all] of Object.entries(expected)) {
    const { lines, logger } = recorder();
    const made = await connect(t, { logger, logLevel });
    tell(made);
    assert.deepEqual(lines, all, logLevel);
  }
});

test("an aborted request and one without a response are logged as such", async (t) => {
  const { lines, logger } = recorder();
  const made = await connect(t, { logger, logLevel: "debug" });
  tell(made, { onResponse: { ...END, status: null, requestId: null, aborted: true } });
  tell(made, { onResponse: { ...END, status: null, requestId: null } });
  assert.deepEqual(lines, [
    "debug: lead-workspace: getLead: aborted after 4 ms, attempt 1",
    "debug: lead-workspace: getLead: no response after 4 ms, attempt 1",
  ]);
});

test("failed calls are logged, a crash as an error, and aborts are not", async (t) => {
  const { lines, logger } = recorder();
  const { ws, fake, NotFoundError } = await connect(t, { logger, logLevel: "info" });
  fake.answer = () => Promise.reject(new NotFoundError("Not found."));
  await assert.rejects(ws.getLead("l"));
  await assert.rejects(ws.leads().next());
  fake.answer = (_, args) => hang(args.at(-1).signal);
  await assert.rejects(ws.getLead("l", { signal: AbortSignal.abort(new Error("enough")) }), /enough/);
  assert.deepEqual(lines.splice(0), [
    "info: lead-workspace: getLead failed: Not found.",
    "info: lead-workspace: queryLeads failed: Not found.",
  ]);
  fake.answer = () => new Promise(() => {});
  const call = ws.getLead("l");
  fake.crash();
  await assert.rejects(call);
  assert.match(lines.join(), /^error: lead-workspace: getLead failed: .* crashed/);
});

test("the logger is the console by default, at the level `warn`", async (t) => {
  const lines = [];
  for (const level of LEVELS) t.mock.method(console, level, (line) => lines.push(line));
  const made = await connect(t);
  tell(made);
  made.fake.crash();
  assert.deepEqual(lines, []);
  made.fake.answer = () => new Promise(() => {});
  const call = made.ws.getLead("l");
  made.fake.crash();
  await assert.rejects(call);
  assert.equal(lines.length, 1);
});

test("the page's hooks are called whatever is logged", async (t) => {
  for (const logLevel of ["off", "debug"]) {
    const heard = [];
    const hooks = Object.fromEntries(Object.keys(EVENTS).map((name) => [name, (event) => heard.push([name, event])]));
    const made = await connect(t, { ...recorder(), hooks, logLevel });
    tell(made);
    assert.deepEqual(heard, Object.entries(EVENTS));
  }
});

test("hooks that are not valid are left to the module, which refuses them", async (t) => {
  const { logger } = recorder();
  for (const hooks of [5, { onRetry: 5 }, { onretry() {} }]) {
    const { fake } = await connect(t, { logger, logLevel: "debug", hooks });
    const [name, value] = Object.entries(hooks)[0] ?? [];
    if (name) assert.equal(fake.made[0].hooks[name], value);
    else assert.equal(fake.made[0].hooks, hooks);
  }
});

test("a logger that throws does not end a call", async (t) => {
  const reported = [];
  globalThis.reportError = (error) => reported.push(error);
  t.after(() => delete globalThis.reportError);
  const logger = { ...recorder().logger, info: () => { throw "full"; } };
  const { ws, fake, NotFoundError } = await connect(t, { logger, logLevel: "info" });
  fake.answer = () => Promise.reject(new NotFoundError("Not found."));
  await assert.rejects(ws.getLead("l"), NotFoundError);
  assert.deepEqual(reported, ["full"]);
});

test("a logger and a level that are not valid are refused", async (t) => {
  const { Workspace, ArgumentError } = await load(t);
  const create = (options) => Workspace.create({ baseUrl: "http://a.example", apiKey: "k", wasm: WASM, ...options });
  for (const [options, message] of [
    [{ logLevel: "verbose" }, /options\.logLevel must be one of off, error, warn, info, debug\./],
    [{ logger: { log() {} } }, /options\.logger must have the functions error, warn, info and debug/],
    [{ logger: "console" }, /options\.logger/],
  ]) {
    await assert.rejects(create(options), (error) => error instanceof ArgumentError && message.test(error.message));
  }
});

test("the caller's `fetch` stays reachable, and is called without the options as `this`", async (t) => {
  const seen = [];
  async function fetch(...args) {
    seen.push([this, ...args]);
    return "response";
  }
  const { fake } = await connect(t, { fetch });
  assert.equal(await fake.made[0].fetch("url", "init"), "response");
  assert.deepEqual(seen, [[undefined, "url", "init"]]);
});
