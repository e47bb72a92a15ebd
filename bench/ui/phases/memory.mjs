// Memory in use after the load.

const WITHIN_MS = 8_000;
const MB = 1024 * 1024;

export async function heaps(screen) {
  const { js, wasm, sum } = await screen.memory();
  const { Nodes } = await screen.counters();
  return { mem_js: js, mem_wasm: wasm, mem_js_wasm: sum, dom_nodes: Nodes };
}

export async function byTheBrowser(screen) {
  const used = await screen.page.evaluate(() => performance.memory.usedJSHeapSize);
  const whole = await screen.page.evaluate(async (within) => {
    const tooLate = new Promise((resolve) => setTimeout(resolve, within));
    return (await Promise.race([performance.measureUserAgentSpecificMemory(), tooLate]))?.bytes;
  }, WITHIN_MS);
  return { mem_perf: used / MB, mem_uasm: whole === undefined ? undefined : whole / MB };
}
