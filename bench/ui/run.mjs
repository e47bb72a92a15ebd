// Compares two builds of the leads page in Chromium: the script behind `cargo xtask bench ui`.

import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { loadavg } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";

import { results, table } from "./report.mjs";
import { start } from "./servers.mjs";
import { PHASES, visit } from "./visit.mjs";

// Above this load average, other processes distort the results.
const MOST_LOAD = 2.5;
const QUIET_WITHIN_MS = 180_000;

const NETWORKS = {
  none: null,
  // Lighthouse's slow 4G.
  slow4g: {
    offline: false,
    latency: 150,
    downloadThroughput: (1.6e6 / 8) * 0.9,
    uploadThroughput: (750e3 / 8) * 0.9,
  },
};

const ARGUMENTS = [
  "--headless=new",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--enable-precise-memory-info",
  // Otherwise performance.measureUserAgentSpecificMemory() waits for the next garbage collection.
  "--enable-blink-features=ForceEagerMeasureMemory",
  // The leads' pictures do not exist. This prevents DNS requests for them.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

const { values: options } = parseArgs({
  options: {
    ours: { type: "string" },
    peer: { type: "string" },
    // Compares with the UI of an earlier commit instead: the folder of its release build.
    before: { type: "string" },
    libraries: { type: "string" },
    out: { type: "string" },
    // Compares ours with itself, to see which differences the benchmark can detect.
    same: { type: "boolean" },
    // Compares three columns of the user's own data with three that every list has.
    "own-columns": { type: "boolean" },
    // Pairs of runs.
    runs: { type: "string", default: "15" },
    warmups: { type: "string", default: "1" },
    // How many times slower the CPU is.
    throttle: { type: "string", default: "4" },
    net: { type: "string", default: "none" },
    leads: { type: "string", default: "100000" },
    only: { type: "string", default: PHASES.join() },
  },
});
const phases = options.only.split(",");
for (const [name, given, known] of [["only", phases, PHASES], ["net", [options.net], Object.keys(NETWORKS)]]) {
  const unknown = given.find((value) => !known.includes(value));
  if (unknown) throw new Error(`--${name} ${unknown} is not one of ${known.join(", ")}`);
}
const conditions = { throttle: Number(options.throttle), network: NETWORKS[options.net] };

// The peer shows all leads, so ours opens the tab that does.
const ours = { name: "ours", folder: options.ours, start: "/leads?tab=all" };
// Narrow, so that the buttons of the last column are in the window.
const columns = (three) => `/leads?tab=all&cols=fit.name-130.title-130.company-130.-signal.${three}.approval_status`;
const others = {
  ui: { name: "peer", folder: options.peer, start: "/leads" },
  "ui-before": { ...ours, name: "before", folder: options.before },
  "ui-own-columns": options["own-columns"] && { ...ours, name: "usual", start: columns("industry.location.created_at") },
  "ui-same": { ...ours, name: "ours again" },
};
// The results' file name, and the build to compare with.
const [file, other] = Object.entries(others).find(([, other]) => other?.folder);
if (options["own-columns"]) {
  Object.assign(ours, { name: "own columns", start: columns("custom%3Aowner.custom%3Asegment.custom%3Anote") });
}
const sides = [ours, other];

const problems = new Map();
const pairs = [];
let failed = 0;

const servers = [];
try {
  for (const side of sides) {
    const server = await start(side.folder, options.leads);
    servers.push(server);
    side.origin = server.origin;
  }
  const load = await quiet();
  const { chromium } = createRequire(join(options.libraries, "package.json"))("playwright-core");
  const browser = await chromium.launch({ executablePath: process.env.CHROME, args: ARGUMENTS });
  try {
    // After each pair, so that a run that is stopped has results.
    await compare(browser, () => report(load, browser.version()));
  } finally {
    await browser.close();
  }
} finally {
  for (const server of servers) server.stop();
}

// Waits until the load average is low, e.g. after a build. Returns the load average.
async function quiet() {
  const end = Date.now() + QUIET_WITHIN_MS;
  while (loadavg()[0] > MOST_LOAD && Date.now() < end) {
    console.error(`waiting for a quiet machine, load ${loadavg()[0].toFixed(2)}`);
    await pause(5_000);
  }
  return loadavg()[0];
}

async function compare(browser, onPair) {
  for (let count = 0; count < Number(options.warmups); count += 1) {
    // Fills the caches of the stubs.
    const warm = phases.filter((phase) => phase === "interact");
    await pair(browser, warm, `warm-up ${count + 1}`);
  }
  for (let count = 0; count < Number(options.runs); count += 1) {
    const runs = await pair(browser, phases, `run ${count + 1}/${options.runs}`);
    pairs.push(runs.map(({ measured }) => measured));
    failed += runs.filter(({ ok }) => !ok).length;
    await onPair();
  }
}

// Runs both sides in turn, so that slow changes of the machine affect both. Returns the runs as [ours, other].
async function pair(browser, phases, label) {
  const runs = [];
  for (const side of [other, ours]) {
    const begun = Date.now();
    const run = { measured: {}, ok: true };
    const onProblem = (what, error) => problems.set(`${side.name}, ${what}`, error.message.split("\n")[0]);
    try {
      await visit(browser, side, { ...conditions, phases, measured: run.measured, onProblem });
    } catch (error) {
      run.ok = false;
      onProblem("run", error);
    }
    runs.unshift(run);
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    console.error(`${label}, ${side.name}: ${seconds} s, load ${loadavg()[0].toFixed(2)}`);
  }
  return runs;
}

async function report(load, browser) {
  const all = results(pairs);
  const names = sides.map(({ name }) => name);
  const loads = [load, loadavg()[0]];
  const isVoid = load > MOST_LOAD;
  const lines = [table(all, names), ""];
  for (const [what, message] of problems) lines.push(`not measured or reported: ${what}: ${message}`);
  if (failed > 0) lines.push(`runs that did not come to their end: ${failed}`);
  if (isVoid) lines.push(`VOID: the load average at the start was above ${MOST_LOAD}`);
  const [before, after] = loads.map((one) => one.toFixed(2));
  lines.push(
    `${pairs.length} pairs, ${options.leads} leads, CPU slowed ${options.throttle} times, network ${options.net}`,
    `load average ${before} at the start, ${after} at the end; Chromium ${browser}, Node ${process.version}`,
  );
  const whole = {
    sides: names,
    pairs: pairs.length,
    failed,
    void: isVoid,
    options: { leads: options.leads, throttle: options.throttle, net: options.net, phases },
    load: loads,
    browser,
    node: process.version,
    problems: Object.fromEntries(problems),
    metrics: all,
  };
  await mkdir(options.out, { recursive: true });
  await writeFile(join(options.out, `${file}.txt`), `${lines.join("\n")}\n`);
  await writeFile(join(options.out, `${file}.json`), `${JSON.stringify(whole, null, 1)}\n`);
}
