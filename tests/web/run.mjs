// Runs the tests of a Wasm file in headless Chromium: node run.mjs RUNNER FILE.
//
// wasm-bindgen's runner prepares and serves the test page. Its server handles only four of the six connections that a
// browser opens at once, and the page then hangs. So this script proxies the requests and sends them to the runner
// one at a time.

import { spawn } from "node:child_process";
import { createServer, get } from "node:http";
import { createInterface } from "node:readline";

import { launch } from "../e2e/support/browser.mjs";

const POLL_MS = 100;

// Shorter than the watch's limit, so that the error includes the browser's output.
const LAUNCH_MS = 45_000;

const problems = [];
const unanswered = new Set();
const parent = process.ppid;
let runner;
let doing = "waiting for the runner's server";

// Prints what was seen if there is no result, and exits. The browser is killed when the process exits.
function stop(code, reason) {
  if (reason !== undefined) {
    console.log(`\n${reason}`);
    for (const path of unanswered) console.log(`    not answered: ${path}`);
    for (const problem of problems) console.log(`    ${problem.replaceAll("\n", "\n    ")}`);
  }
  runner?.kill("SIGKILL");
  process.exit(code);
}

// Resolves with the URL of the page once the runner serves it.
async function served(program, file) {
  runner = spawn(program, [file], {
    env: { ...process.env, NO_HEADLESS: "1", WASM_BINDGEN_TEST_ADDRESS: "127.0.0.1:0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((_, reject) => {
    runner.on("error", reject);
    runner.on("exit", (code) => reject(new Error(`the runner ended with ${code}`)));
  });
  const address = new Promise((resolve) => {
    createInterface({ input: runner.stdout }).on("line", (line) => {
      const found = / available at (http:\S+)$/.exec(line);
      if (found) resolve(found[1]);
    });
  });
  return Promise.race([address, ended]);
}

// Fetches a complete response: a connection with a slow reader would block all others.
function ask(url) {
  return new Promise((resolve, reject) => {
    // A separate connection, closed after the response.
    const request = get(url, { agent: false, headers: { connection: "close" } }, async (answer) => {
      try {
        const body = Buffer.concat(await answer.toArray());
        const { "transfer-encoding": _, connection: __, ...headers } = answer.headers;
        resolve({ status: answer.statusCode, headers: { ...headers, "content-length": body.length }, body });
      } catch (error) {
        reject(error);
      }
    });
    request.on("error", reject);
  });
}

// Starts the proxy and resolves with its URL.
async function inTurn(origin) {
  let last = Promise.resolve();
  const server = createServer(async (request, response) => {
    unanswered.add(request.url);
    const answer = last.then(() => ask(origin + request.url));
    last = answer.catch(() => {});
    try {
      const { status, headers, body } = await answer;
      response.writeHead(status, headers).end(body);
    } catch (error) {
      problems.push(`the runner's server: ${request.url}: ${error.message}`);
      response.writeHead(502).end();
    }
    unanswered.delete(request.url);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${server.address().port}`;
}

function watch(page) {
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`uncaught: ${error.stack ?? error.message}`));
  page.on("crash", () => stop(1, "the page crashed"));
}

// Prints the page's output until it is complete. Resolves with whether all tests passed.
async function follow(page) {
  let shown = "";
  while (!shown.includes("test result: ")) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const text = await page.evaluate(() => document.getElementById("output")?.textContent ?? "");
    // The page rewrites its first line.
    process.stdout.write(text.startsWith(shown) ? text.slice(shown.length) : `\n${text}`);
    shown = text;
  }
  return shown.includes("test result: ok");
}

process.on("SIGTERM", () => stop(1, `stopped while ${doing}; seen until then:`));
// The process that started this one is gone.
setInterval(() => process.ppid !== parent && process.exit(1), 1000).unref();

try {
  const address = await inTurn(await served(...process.argv.slice(2)));
  console.log(`Running headless tests in Chromium on ${address}`);
  doing = "starting the browser";
  const browser = await launch({ handleSIGTERM: false, timeout: LAUNCH_MS });
  browser.on("disconnected", () => stop(1, "the browser ended"));
  const page = await browser.newPage();
  watch(page);
  doing = "loading the page";
  await page.goto(address, { waitUntil: "commit" });
  doing = "following the page";
  const passed = await follow(page);
  // The page has already printed the details of failed tests.
  stop(passed ? 0 : 1);
} catch (error) {
  stop(1, error.stack);
}
