// What platforms lack, and how their URLs differ.

import assert from "node:assert/strict";
import { test } from "node:test";

import { asset } from "../../www/npm/asset.js";
import { finalizer, weak } from "../../www/npm/finalizer.js";

test("without FinalizationRegistry and WeakRef, nothing is freed and every object is alive", (t) => {
  for (const name of ["FinalizationRegistry", "WeakRef"]) {
    const value = globalThis[name];
    globalThis[name] = undefined;
    t.after(() => (globalThis[name] = value));
  }
  const registry = finalizer(() => assert.fail("was freed"));
  const object = {};
  registry.register(object, "value", object);
  registry.unregister(object);
  assert.equal(weak(object).deref(), object);
});

test("the URL of a file may be relative and unchangeable, as in Next.js", () => {
  const url = Object.freeze({ href: "/_next/static/media/client.wasm" });
  assert.equal(asset(url), "/_next/static/media/client.wasm");
  const moved = new URL("http://localhost/node_modules/.vite/deps/client.wasm");
  assert.equal(asset(moved), "http://localhost/node_modules/lead-workspace/client.wasm");
});
