// One request with the platform's `fetch`: the arguments passed, and the mapping of its errors.

import assert from "node:assert/strict";
import { test } from "node:test";

import { send, thrown } from "../../src/js/fetch.js";

const get = (method = "GET", body) => send(method, "http://a.example/api", [], [], body, 1000).answer;

// Replaces a global for the duration of the test.
function replace(t, name, value) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

test("a request that the platform refuses is no trouble of the network", async (t) => {
  replace(t, "fetch", () => assert.fail("it was sent"));
  const { trouble, words } = await get("GET", "{}");
  assert.equal(trouble, "refused");
  assert.match(words, /body/);
  assert.equal((await send("GET", "/api", [], [], undefined, 1000).answer).trouble, "refused");
});

test("a connection that cannot be made is", async (t) => {
  replace(t, "fetch", () => Promise.reject(new TypeError("fetch failed")));
  const { trouble, words } = await get();
  assert.equal(trouble, "network");
  assert.equal(thrown(words).error.message, "fetch failed");
  assert.equal(thrown(words).elsewhere, false, "outside of a page no origin is asked");
});

test("what a platform does not know is not asked of it", async (t) => {
  const asked = [];
  class Request {
    constructor(url, options) {
      for (const name of ["credentials", "cache", "keepalive"]) {
        if (name in options) throw new TypeError(`The '${name}' field on 'RequestInitializerDict' is not implemented.`);
      }
      asked.push(options.method);
    }
  }
  replace(t, "Request", Request);
  replace(t, "fetch", async () => new Response("{}"));
  for (const method of ["GET", "DELETE"]) assert.equal((await get(method)).status, 200);
  assert.deepEqual(asked, ["GET", "DELETE"]);
});

test("what is deleted goes on when the page is left, and nothing else does", async (t) => {
  const asked = [];
  replace(t, "fetch", async ({ method, keepalive, credentials, cache }) => {
    asked.push([method, keepalive, credentials, cache]);
    return new Response("{}");
  });
  await get("DELETE");
  await get("GET");
  assert.deepEqual(asked, [["DELETE", true, "omit", "no-store"], ["GET", false, "omit", "no-store"]]);
});

test("in a worker made of a blob a failed request still gives its answer", async (t) => {
  replace(t, "location", new URL("blob:https://app.example/9c2f"));
  replace(t, "origin", "https://app.example");
  replace(t, "fetch", () => Promise.reject(new TypeError("fetch failed")));
  const { trouble, words } = await get();
  assert.equal(trouble, "network");
  assert.equal(thrown(words).elsewhere, true);
  assert.equal((await send("GET", "/api", [], [], undefined, 1000).answer).trouble, "refused");
});
