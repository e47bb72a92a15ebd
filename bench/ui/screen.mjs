// One open page, driven by real input and measured by scripts in the page.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { KEY } from "./api.mjs";

const WITHIN_MS = 15_000;
const MB = 1024 * 1024;

// Joined into one script, because Playwright does not define the order of several.
const PARTS = ["screen", "frames", "conditions", "events", "memory", "scroll"];
const SCRIPTS = PARTS.map((part) => readFileSync(join(import.meta.dirname, "page", `${part}.js`), "utf8")).join("");

export const UNLIMITED = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

export class Screen {
  #devtools;
  #slowdown;

  constructor(page, devtools, slowdown) {
    this.page = page;
    this.#devtools = devtools;
    this.#slowdown = slowdown;
  }

  // Opens the page of a side and waits for its first rows. `throttle` slows the CPU and `network` limits the network;
  // pauses grow with `slowdown`.
  static async open(context, side, { throttle, network = null, slowdown, onError }) {
    const page = await context.newPage();
    page.setDefaultTimeout(WITHIN_MS);
    page.on("pageerror", onError);
    const devtools = await context.newCDPSession(page);
    const screen = new Screen(page, devtools, slowdown);
    await page.addInitScript({ content: SCRIPTS });
    await devtools.send("Performance.enable");
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: throttle });
    if (network) {
      await devtools.send("Network.enable");
      await screen.limitNetwork(network);
    }
    await page.goto(`${side.origin}${side.start}#key=${KEY}`, { waitUntil: "commit" });
    screen.first20 = await page.evaluate(() => window.bench.first20);
    return screen;
  }

  limitNetwork(conditions) {
    return this.#devtools.send("Network.emulateNetworkConditions", conditions);
  }

  // Calls a function of the scripts in the page.
  call(name, argument) {
    return this.page.evaluate(([name, argument]) => window.bench[name](argument), [name, argument]);
  }

  // Lets the page finish work that is not measured.
  settle(milliseconds = 400) {
    return this.page.waitForTimeout(milliseconds * Math.max(1, this.#slowdown / 2));
  }

  // The performance counters of the browser, by name.
  async counters() {
    const { metrics } = await this.#devtools.send("Performance.getMetrics");
    return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
  }

  // Megabytes in use after garbage collection.
  async memory() {
    // Twice, because finalizers of the first collection may free more.
    for (let pass = 0; pass < 2; pass += 1) await this.#devtools.send("HeapProfiler.collectGarbage");
    const js = (await this.counters()).JSHeapUsedSize / MB;
    const wasm = (await this.call("wasmBytes")) / MB;
    return { js, wasm, sum: js + wasm };
  }

  // Moves the pointer to a part of the screen. Returns a function that clicks there.
  async pointAt(part, argument) {
    const center = await this.call("centerOf", { part, argument });
    if (!center) throw new Error(`${part} ${JSON.stringify(argument)} is not on the screen`);
    await this.page.mouse.move(center.x, center.y);
    return () => this.page.mouse.click(center.x, center.y);
  }

  // Returns the milliseconds from the input event that `act` causes to the paint of a state that meets the condition,
  // or null after a timeout.
  async time(event, condition, argument, act) {
    const arm = ([event, condition, argument, within]) => {
      const { bench } = window;
      bench.arm(event, () => bench.conditions[condition](argument), within);
    };
    await this.page.evaluate(arm, [event, condition, argument, WITHIN_MS]);
    await act();
    return this.page.evaluate(() => window.bench.armed);
  }
}
