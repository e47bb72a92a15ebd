import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { WASM, load } from "./support/package.mjs";

async function serve(t, { status = 200, headers = {}, body = WASM }) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(status, headers).end(body);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => server.close());
  return { url: `http://127.0.0.1:${server.address().port}/client.wasm`, requests: () => requests };
}

test("the module is loaded only once", async (t) => {
  const { init, Workspace, fake } = await load(t);
  await Promise.all([init(WASM), init(WASM), init()]);
  await Workspace.create({ baseUrl: "http://a.example", apiKey: "k" });
  assert.equal(fake.loaded.length, 1);
  assert.ok(fake.loaded[0] instanceof WebAssembly.Module);
});

test("a failed load can be retried", async (t) => {
  const { init, fake } = await load(t);
  await assert.rejects(init(Uint8Array.of(1, 2, 3)), { name: "WorkspaceError", code: "load" });
  await init(WASM);
  assert.equal(fake.loaded.length, 1);
});

const module = new WebAssembly.Module(WASM);
const SOURCES = {
  "bytes": () => WASM,
  "an ArrayBuffer": () => WASM.buffer.slice(0),
  "a compiled module": () => module,
  "a response": () => new Response(WASM, { headers: { "content-type": "application/wasm" } }),
  "the promise of a response": () => Promise.resolve(new Response(WASM)),
  "a response of the wrong type": () => new Response(WASM, { headers: { "content-type": "text/html" } }),
  "a blob": () => new Blob([WASM]),
};

for (const [what, source] of Object.entries(SOURCES)) {
  test(`the module comes from ${what}`, async (t) => {
    const { init, fake } = await load(t);
    await init(source());
    assert.ok(fake.loaded[0] instanceof WebAssembly.Module);
  });
}

test("a file URL and a path are read from the disk", async (t) => {
  for (const source of [(path) => pathToFileURL(path), (path) => pathToFileURL(path).href, (path) => path]) {
    const { init, fake, folder } = await load(t);
    const path = join(folder, "other.wasm");
    await writeFile(path, WASM);
    await init(source(path));
    assert.equal(fake.loaded.length, 1);
  }
});

test("the default source is the file next to the package", async (t) => {
  const { init, fake, folder } = await load(t);
  await assert.rejects(init(), { name: "NetworkError", code: "load", message: /client\.wasm/ });
  await writeFile(join(folder, "client.wasm"), WASM);
  await init();
  assert.equal(fake.loaded.length, 1);
});

test("the inline entry contains its module", async (t) => {
  // The module is not inlined here; this only tests that no file is requested.
  const { init } = await load(t, "inline.js");
  await assert.rejects(init(), (error) => !/client\.wasm/.test(error.message));
});

test("a URL is fetched, whatever its content type", async (t) => {
  for (const headers of [{ "content-type": "application/wasm" }, { "content-type": "text/plain" }, {}]) {
    const { init, fake } = await load(t);
    const server = await serve(t, { headers });
    await init(server.url);
    assert.equal(fake.loaded.length, 1);
    assert.equal(server.requests(), 1, "a second request for the same file");
  }
});

test("the error of a response without a module names the cause", async (t) => {
  const { init } = await load(t);
  const missing = await serve(t, { status: 404 });
  await assert.rejects(init(missing.url), { code: "load", status: 404, message: /responded with status 404/ });
  const page = await serve(t, { headers: { "content-type": "text/html" }, body: "<!doctype html>" });
  await assert.rejects(init(page.url), { code: "load", message: /the data from http:.* is not a WebAssembly module/ });
  await assert.rejects(init("http://127.0.0.1:1/client.wasm"), { name: "NetworkError", retryable: true });
});

test("an unsupported source is an ArgumentError", async (t) => {
  const { init, ArgumentError } = await load(t);
  for (const source of [42, {}]) {
    await assert.rejects(init(source), ArgumentError);
  }
});

test("a failed or aborted request is reported as such", async (t) => {
  const { Workspace, NetworkError, init, fake } = await load(t);
  const create = (wasm) => Workspace.create({ baseUrl: "http://a.example", apiKey: "k", wasm });
  await assert.rejects(create(fetch("http://127.0.0.1:1/client.wasm")), (error) => {
    assert.ok(error instanceof NetworkError, error.stack);
    return error.code === "load" && error.retryable && error.cause.message === "fetch failed";
  });
  const signal = AbortSignal.abort();
  await assert.rejects(create(fetch("http://127.0.0.1:1/client.wasm", { signal })), { name: "AbortError" });
  await init(WASM);
  assert.equal(fake.loaded.length, 1);
});

test("an unused second source may fail", async (t) => {
  const { init } = await load(t);
  const unhandled = [];
  const listener = (error) => unhandled.push(error);
  process.on("unhandledRejection", listener);
  t.after(() => process.off("unhandledRejection", listener));
  await Promise.all([init(WASM), init(Promise.reject(new Error("not needed")))]);
  await new Promise(setImmediate);
  assert.deepEqual(unhandled, []);
});
