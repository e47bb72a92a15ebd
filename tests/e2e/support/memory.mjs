// Measures the memory of a page that runs the app, in bytes.

import assert from "node:assert/strict";

// Makes the memory of the Wasm module accessible to `expectFlat`.
export const watchMemory = (page) =>
  page.addInitScript(() => {
    for (const name of ["instantiate", "instantiateStreaming"]) {
      const original = WebAssembly[name];
      WebAssembly[name] = async (...given) => {
        const made = await original.apply(WebAssembly, given);
        const { memory } = (made.instance ?? made).exports;
        if (memory) globalThis.wasmMemory = memory;
        return made;
      };
    }
  });

// Fails if memory grows during `work` by more than `most` bytes. `warmUp` does the same work before the first measurement,
// to fill the caches. Growth is measured again before it fails: a leak grows again, whereas the allocator keeps the room
// that an unusual order of responses once needed.
export async function expectFlat(t, page, warmUp, work, most) {
  const devtools = await page.context().newCDPSession(page);
  const bytes = async () => {
    // Finalizers run after the first collection and free more.
    for (let pass = 0; pass < 2; pass += 1) await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize } = await devtools.send("Runtime.getHeapUsage");
    return { heap: usedSize, wasm: await page.evaluate(() => globalThis.wasmMemory.buffer.byteLength) };
  };
  const measure = async () => {
    const before = await bytes();
    assert.ok(before.wasm > 1_000_000, "this is not the memory of the app");
    await work();
    const after = await bytes();
    const grown = { heap: after.heap - before.heap, wasm: after.wasm - before.wasm };
    t.diagnostic(`grown by ${grown.wasm} bytes of Wasm and ${grown.heap} of JavaScript`);
    return grown;
  };
  await warmUp();
  let grown = await measure();
  if (grown.wasm > most.wasm || grown.heap > most.heap) grown = await measure();
  assert.ok(grown.wasm <= most.wasm, `${grown.wasm} more bytes of Wasm`);
  assert.ok(grown.heap <= most.heap, `${grown.heap} more bytes of JavaScript`);
}
