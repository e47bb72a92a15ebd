// Starts Chromium, and opens pages that record all their errors.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";

import { afterTest } from "./cleanup.mjs";
import { expectEventually } from "./wait.mjs";

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

const RESULTS = join(import.meta.dirname, "..", "results");
// How many times slower the processor of each first page is, to find tests that depend on the speed of a machine.
const SLOWDOWN = Number(process.env.LEAD_WORKSPACE_TEST_SLOWDOWN ?? 1);
const ARGUMENTS = [
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
];

// One browser for all tests of a file; each test has its own context.
let browser;

async function launched() {
  browser ??= await launch();
  return browser;
}

// Starts a separate browser.
export function launch(options = {}) {
  const root = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: process.env.CHROME,
    // Chromium's sandbox does not work as root.
    chromiumSandbox: !root && process.platform === "linux" ? true : undefined,
    args: ARGUMENTS,
    ...options,
  });
}

// Call once per file, as `after(closeBrowser)`.
export async function closeBrowser() {
  await browser?.close();
  browser = undefined;
}

// Opens a page in its own context. Logged errors, exceptions and failed requests make the test fail, unless they
// match one of the `expected` patterns. So do violations of the Content-Security-Policy in all pages of the context,
// unless they match one of the `violations`. A failed test leaves a screenshot in `results/`. `keys` are those that the user
// has changed.
export async function openPage(t, { viewport = DESKTOP, expected = [], violations = [], keys, ...options } = {}) {
  const context = await (await launched()).newContext({
    viewport,
    locale: "en-GB",
    timezoneId: "UTC",
    reducedMotion: "reduce",
    ...options,
  });
  const violated = await watchPolicy(context);
  const page = await context.newPage();
  if (keys) await page.addInitScript((keys) => localStorage.setItem("lead-workspace.keys", keys), keys);
  page.setDefaultTimeout(20_000);
  if (SLOWDOWN > 1) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
  watchRequests(page);
  const problems = watch(page);
  afterTest(t, async () => {
    const unexpected = [...unmatched(problems, expected), ...unmatched(violated, violations)];
    if (!t.passed || unexpected.length > 0) await screenshot(page, t.name);
    // Requests that the test still answers would fail with the context.
    for (const opened of context.pages()) await opened.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
    assert.deepEqual(unexpected, [], "the page reported problems");
  });
  return page;
}

const unmatched = (found, patterns) => found.filter((one) => !patterns.some((pattern) => pattern.test(one)));

const STREAM = /\/api\/leads\/changes(\?|$)/;

// The requests of each page that are open, without the stream of changes, and when the last one ended.
const requests = new WeakMap();

function watchRequests(page) {
  const all = { open: new Set(), lastEnd: 0 };
  requests.set(page, all);
  page.on("request", (request) => STREAM.test(request.url()) || all.open.add(request));
  for (const end of ["requestfinished", "requestfailed"]) {
    page.on(end, (request) => {
      if (all.open.delete(request)) all.lastEnd = Date.now();
    });
  }
}

// Waits until nothing was requested for half a second, as `waitForLoadState("networkidle")` does; with that, a page whose
// stream of changes is open never is.
export async function networkIdle(page) {
  await expectEventually("no more requests", () => {
    const { open, lastEnd } = requests.get(page);
    return open.size === 0 && Date.now() - lastEnd > 500;
  });
}

// What Chromium logs about the policies of a page.
const POLICY = /Content Security Policy|Permissions-Policy header|requires 'Trusted/i;

// Returns the list of violations, which grows while the pages of a context run. The page's own events are the first
// source; the console also has those of headers that cannot be parsed, and of a page that is already gone.
export async function watchPolicy(context) {
  const violated = [];
  await context.exposeBinding("reportViolation", (_, violation) => violated.push(`policy: ${violation}`));
  await context.addInitScript(() => {
    // Kept here, as the page's own scripts could replace it.
    const report = globalThis.reportViolation;
    document.addEventListener("securitypolicyviolation", (event) => {
      report(`${event.effectiveDirective} ${event.blockedURI} ${event.sample} (${event.sourceFile}:${event.lineNumber})`);
    });
  });
  context.on("console", (message) => {
    if (POLICY.test(message.text())) violated.push(`policy: ${message.text()} (${message.location().url})`);
  });
  return violated;
}

function watch(page) {
  const problems = [];
  page.on("console", (message) => {
    // Collected by `watchPolicy`.
    if (message.type() !== "error" || POLICY.test(message.text())) return;
    if (STREAM.test(message.location().url) && /net::ERR_/.test(message.text())) return;
    problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => {
    // The app aborts superseded requests by design.
    const reason = request.failure()?.errorText;
    if (reason === "net::ERR_ABORTED") return;
    // The stream of changes is open as long as the page, and connects again by itself.
    if (STREAM.test(request.url())) return;
    problems.push(`request: ${request.method()} ${request.url()} ${reason}`);
  });
  page.on("response", (response) => {
    if (response.status() < 400) return;
    problems.push(`response: ${response.status()} ${response.request().method()} ${response.url()}`);
  });
  return problems;
}

async function screenshot(page, name) {
  await mkdir(RESULTS, { recursive: true });
  const file = `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`;
  // The page may be closed already; the test's own failure matters more.
  await page.screenshot({ path: join(RESULTS, file) }).catch(() => {});
}
