// A panic in the module: calls in progress end with an error, and the next call works.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { limited, startApi } from "./support/api.mjs";
import { inChromium } from "./support/stage.mjs";

after(closeBrowser);

// The client logs a crash by default.
const LOGGED = /^console: lead-workspace: \w+ failed: .* crashed/;

// The error of the trap itself. Timers, requests and other tabs must not call the dead instance.
const EXPECTED = [/^uncaught: unreachable/, LOGGED];

const lead = { body: { id: "a" } };

// Causes a panic: js-sys expects that an array does not change its length while it is copied.
async function crash({ run }) {
  await run(() => {
    const { kept, ended } = globalThis.lw;
    let length = 0;
    const value = Object.defineProperty(new Uint8Array(4), "length", { get: () => (length += 1) });
    const body = { getReader: () => ({ read: async () => ({ value }) }) };
    kept.fetch = globalThis.fetch;
    globalThis.fetch = async () => ({ type: "basic", status: 200, headers: new Headers(), body });
    kept.calls.push(ended(kept.workspaces[0].getLead("a")));
  });
  const results = await run(() => Promise.all(globalThis.lw.kept.calls));
  await run(() => { globalThis.fetch = globalThis.lw.kept.fetch; });
  return results;
}

test("pending calls fail, and every workspace works again", async (t) => {
  const api = await startApi(t);
  const stage = await inChromium(t, { expected: EXPECTED });
  const { run } = stage;
  await run(async (baseUrl) => {
    const { kept, connect, ended } = globalThis.lw;
    kept.workspaces = [await connect({ baseUrl }), await connect({ baseUrl })];
    const [first, second] = kept.workspaces;
    kept.calls = [
      ended(first.waitForJob("job-1")),
      ended(second.updateLead("a", "approved")),
      ended(second.leads().next()),
    ];
  }, api.origin);
  const underWay = [await api.next(), await api.next(), await api.next()];

  for (const { error } of await crash({ run })) {
    assert.ok(error, "a pending call succeeded");
    const { name, code, ambiguous, cause } = error;
    assert.deepEqual({ name, code, ambiguous }, { name: "WorkspaceError", code: "crashed", ambiguous: true });
    assert.match(cause, /panicked at/);
    assert.ok(!error.text.includes("lwk_1_s3cret"), error.text);
  }
  assert.equal(underWay.length, 3);

  // More than once, because the module creates a new instance after each crash.
  for (const [index, at] of [0, 1, 0].entries()) {
    const call = run((at) => globalThis.lw.ended(globalThis.lw.kept.workspaces[at].getLead("a")), at);
    (await api.next()).answer(lead);
    assert.equal((await call).value?.id, "a", `call ${index}`);
  }
  await run(() => { globalThis.lw.kept.calls = []; });
  const [{ error }] = await crash({ run });
  assert.equal(error.code, "crashed");
  const call = run(() => globalThis.lw.ended(globalThis.lw.kept.workspaces[1].getLead("a")));
  (await api.next()).answer(lead);
  assert.equal((await call).value?.id, "a");
});

test("messages of other tabs do not reach a crashed instance", async (t) => {
  const api = await startApi(t);
  const stage = await inChromium(t, { expected: EXPECTED });
  const { run, until } = stage;
  await run(async (baseUrl) => {
    const { kept, connect, ended } = globalThis.lw;
    kept.workspaces = [await connect({ baseUrl }), await connect({ baseUrl })];
    kept.calls = [ended(kept.workspaces[1].updateLead("a", "approved"))];
  }, api.origin);
  const write = await api.next();
  await crash({ run });
  // The response to the stopped instance is ignored.
  write.answer(lead);

  const { origin } = new URL(stage.page.url());
  const other = await inChromium(t, { origin, sibling: stage, expected: EXPECTED });
  await run((baseUrl) => globalThis.lw.connect({ baseUrl }).then((ws) => { globalThis.lw.kept.ws = ws; }), api.origin);
  await other.run(async (baseUrl) => {
    const { kept, connect, ended } = globalThis.lw;
    kept.ws = await connect({ baseUrl });
    kept.call = ended(kept.ws.getLead("a"));
  }, api.origin);
  (await api.next()).answer(limited(20_000));
  await until(() => globalThis.lw.kept.ws.gate.state === "closed");
});

test("a trap without a panic, inside a future, ends the calls, and the next one works", async (t) => {
  const api = await startApi(t);
  const overflow = "Maximum call stack size exceeded";
  // Before the trap is noticed, one more callback may run into the stopped instance.
  const expected = [new RegExp(`^uncaught: ${overflow}`), ...EXPECTED];
  const { run } = await inChromium(t, { expected });
  await run(async (baseUrl) => {
    const { kept, connect, ended } = globalThis.lw;
    kept.ws = await connect({ baseUrl });
    kept.calls = [ended(kept.ws.waitForJob("job-1")), ended(kept.ws.getLead("a"))];
  }, api.origin);
  const underWay = [await api.next(), await api.next()];
  await run((overflow) => {
    globalThis.lw.kept.random = Math.random;
    Math.random = () => {
      throw new RangeError(overflow);
    };
  }, overflow);
  // The backoff before the next attempt calls `Math.random()`.
  underWay.find(({ path }) => path.includes("leads")).answer({ status: 503 });
  const results = await run(() => Promise.all(globalThis.lw.kept.calls));
  await run(() => { Math.random = globalThis.lw.kept.random; });
  for (const { error } of results) assert.deepEqual([error?.code, error?.ambiguous], ["crashed", true]);
  const call = run(() => globalThis.lw.ended(globalThis.lw.kept.ws.getLead("a")));
  (await api.next()).answer(lead);
  assert.equal((await call).value?.id, "a");
});
