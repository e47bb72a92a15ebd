// Serves a folder to headless Chromium and prints what the page in it measures.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { argv, env } from "node:process";

const [, , folder, libraries] = argv;
const { chromium } = createRequire(join(libraries, "package.json"))("playwright-core");

const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
const ROUNDS = { rounds: 61, pages: 12 };

// The module names what it imports without a path.
const PAGE = `<!doctype html><script type="importmap">
{ "imports": { "shapes": "/shapes.js", "plain": "/plain.js" } }
</script>`;

const server = createServer(async (request, response) => {
  const name = request.url === "/" ? "index.html" : request.url.slice(1);
  // Isolated pages have a clock of 5 µs, others one of 100 µs.
  const headers = {
    "content-type": TYPES[extname(name)] ?? "text/plain",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",
  };
  const body = name === "index.html" ? PAGE : await readFile(join(folder, name)).catch(() => null);
  response.writeHead(body === null ? 404 : 200, headers).end(body ?? "");
});
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));

const browser = await chromium.launch({ executablePath: env.CHROME, args: ["--disable-gpu"] });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  for (const kind of ["scripts", "ascii"]) {
    const measure = async ([kind, rounds]) => (await import("/measure.js")).measure(kind, rounds);
    report(kind, await page.evaluate(measure, [kind, ROUNDS]));
  }
} finally {
  await browser.close();
  server.close();
}

function report(kind, { bytes, times }) {
  console.log(`\n${kind}: 100 leads, ${(bytes / 1000).toFixed(0)} kB; ${ROUNDS.rounds} rounds of ${ROUNDS.pages} pages`);
  console.log("candidate              ms a page   x baseline (95 %)");
  for (const [name, measured] of Object.entries(times)) {
    // Round by round, for what slows a round slows all of it.
    const ratios = measured.map((time, round) => time / times.baseline[round]).sort((a, b) => a - b);
    // The ranks between which the median lies, from the binomial distribution.
    const half = Math.ceil(0.98 * Math.sqrt(ratios.length));
    const middle = (ratios.length - 1) / 2;
    const [low, high] = [ratios[middle - half], ratios[middle + half]];
    const time = median(measured).toFixed(3).padStart(9);
    const ratio = `${median(ratios).toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
    console.log(`${name.padEnd(22)} ${time}   ${ratio}`);
  }
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) / 2];
}
