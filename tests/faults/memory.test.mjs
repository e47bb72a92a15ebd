// Requests and waiting calls must not leak memory. Set `LEAD_WORKSPACE_MEMORY_REQUESTS=100000` for a longer run.
// Responses come from the page itself, because connections would take most of the time.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { inChromium } from "./support/stage.mjs";

after(closeBrowser);

const REQUESTS = Number(process.env.LEAD_WORKSPACE_MEMORY_REQUESTS ?? 4_000);
const QUEUED = 1_000;
const MOST_BYTES = 104 << 10;

// Opens a workspace without hooks, which would retain their events, and captures the module's memory.
async function open() {
  const { Workspace, kept } = globalThis.lw;
  for (const name of ["instantiate", "instantiateStreaming"]) {
    const original = WebAssembly[name];
    WebAssembly[name] = async (...args) => {
      const loaded = await original(...args);
      const exports = Object.values((loaded.instance ?? loaded).exports);
      kept.memory = exports.find((it) => it instanceof WebAssembly.Memory);
      return loaded;
    };
  }
  kept.ws = await Workspace.create({ baseUrl: "", apiKey: "lwk_1_s3cret" });
}

// Mocks `fetch`. Each response arrives in its own task, as from a network.
function answer() {
  let limits = 0;
  globalThis.fetch = async ({ url }) => {
    await new Promise((resolve) => { setTimeout(resolve, 0); });
    // Every other request is rate limited.
    const isLimited = url.endsWith("/limit") && limits++ % 2 === 0;
    if (isLimited) return new Response(null, { status: 429, headers: { "retry-after-ms": "2000" } });
    return new Response('{"id":"a"}', { headers: { "content-type": "application/json" } });
  };
}

// Makes `count` requests, six at a time, which is Chromium's limit of connections per origin.
async function request(count) {
  const { ws } = globalThis.lw.kept;
  let left = count;
  const lane = async () => {
    while (left-- > 0) await ws.getLead("a");
  };
  await Promise.all(Array.from({ length: 6 }, lane));
}

// Makes calls that all wait at the gate. Returns how many did.
async function queue(count) {
  const { ws } = globalThis.lw.kept;
  const turn = () => new Promise((resolve) => { setTimeout(resolve, 5); });
  const calls = [ws.getLead("limit")];
  while (ws.gate.state !== "closed") await turn();
  for (let made = 0; made < count; made += 1) calls.push(ws.getLead("a"));
  await turn();
  const { waiting } = ws.gate;
  await Promise.all(calls);
  return waiting;
}

test("requests and waiting calls leak no memory", async (t) => {
  const { page, run } = await inChromium(t);
  await run(open);
  await run(answer);
  const devtools = await page.context().newCDPSession(page);
  const measure = async () => {
    // Finalizers run after the first collection and free more.
    for (const _ of [1, 2]) await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    return { heap: usedSize, wasm: await run(() => globalThis.lw.kept.memory.buffer.byteLength) };
  };
  const work = async (requests) => {
    await run(request, requests);
    assert.equal(await run(queue, QUEUED), QUEUED + 1);
  };

  // Warm-up: memory that is compiled, cached or reserved once.
  await work(2_000);
  const before = await measure();
  await work(REQUESTS);
  const now = await measure();
  for (const kind of ["heap", "wasm"]) {
    const grown = now[kind] - before[kind];
    t.diagnostic(`${REQUESTS} requests, ${QUEUED} in a queue: ${kind} ${before[kind]} + ${grown} bytes`);
    assert.ok(grown < MOST_BYTES, `the ${kind} has grown by ${grown} bytes`);
  }
});
