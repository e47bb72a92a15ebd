import assert from "node:assert/strict";
import { test } from "node:test";

import { WASM, load } from "./support/package.mjs";

// Creates workspaces in a page of this origin, one after the other, and returns what they log.
async function warnings(t, origin, ...all) {
  const lines = [];
  globalThis.origin = origin;
  t.mock.method(console, "warn", (line) => lines.push(line));
  const { Workspace } = await load(t);
  for (const options of all) await Workspace.create({ baseUrl: "http://a.example", wasm: WASM, ...options });
  delete globalThis.origin;
  delete globalThis[Symbol.for("lead-workspace.key-warning")];
  return lines;
}

const KEY = { apiKey: "lwk_1_secret" };

test("a key in a page from another machine is warned of once, without the key", async (t) => {
  const lines = await warnings(t, "https://app.example", KEY, KEY);
  assert.equal(lines.length, 1);
  assert.match(lines[0], /gateway.*allowApiKeyInPage: true/);
  assert.doesNotMatch(lines[0], /secret/);
  assert.equal((await warnings(t, "https://127.0.0.1.example", KEY)).length, 1);
});

test("no warning on this machine, outside of a page, or without a fixed key", async (t) => {
  const local = ["localhost:5173", "app.localhost", "127.0.0.1:8787", "127.1.2.3", "[::1]:80"];
  for (const host of local) assert.deepEqual(await warnings(t, `http://${host}`, KEY), [], host);
  // A page from a file, and Node.
  for (const origin of ["null", undefined]) assert.deepEqual(await warnings(t, origin, KEY), []);
  assert.deepEqual(await warnings(t, "https://app.example", { getApiKey: () => "k" }), []);
});

test("the warning can be switched off, and goes to the workspace's logger", async (t) => {
  const page = "https://app.example";
  assert.deepEqual(await warnings(t, page, { ...KEY, allowApiKeyInPage: true }), []);
  const lines = [];
  const logger = { error() {}, warn: (line) => lines.push(line), info() {}, debug() {} };
  // A workspace that logs nothing does not use up the warning.
  const own = [{ ...KEY, logLevel: "off" }, { ...KEY, logger }, KEY];
  assert.deepEqual(await warnings(t, page, ...own), []);
  assert.equal(lines.length, 1);
});
