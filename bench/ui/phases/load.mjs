// Times and bytes of a load with an empty cache, and of a second visit.

export async function busyUntilRows(screen) {
  const { TaskDuration } = await screen.counters();
  return { first20: screen.first20, load_task: TaskDuration * 1000 };
}

// Closes the page: nothing else is measured on it.
export async function secondVisit(screen) {
  await screen.page.close();
  return { again20: screen.first20 };
}

export async function firstPaint(screen) {
  const paint = () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime;
  return { fcp: await screen.page.evaluate(paint) };
}

export async function bytes(screen) {
  const entries = await screen.page.evaluate(() => {
    const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return all.map(({ name, encodedBodySize }) => ({ name, size: encodedBodySize }));
  });
  // A second use of a file may be served from the cache, with size 0.
  const sizes = new Map();
  for (const { name, size } of entries) sizes.set(name, Math.max(size, sizes.get(name) ?? 0));
  const sums = { bytes_total: 0, bytes_js: 0, bytes_wasm: 0, bytes_css: 0 };
  for (const [name, size] of sizes) {
    const { pathname, protocol } = new URL(name);
    if (protocol === "data:" || pathname.startsWith("/api/")) continue;
    sums.bytes_total += size;
    const kind = /\.(js|mjs|wasm|css)$/.exec(pathname)?.[1].replace("mjs", "js");
    if (kind) sums[`bytes_${kind}`] += size;
  }
  return sums;
}
