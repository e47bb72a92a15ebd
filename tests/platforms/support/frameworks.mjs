// Projects of frameworks, which find their tools in the packages of these tests.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";

import { openPage } from "../../e2e/support/browser.mjs";
import { afterTest } from "../../e2e/support/cleanup.mjs";
import { expectEventually } from "../../e2e/support/wait.mjs";
import { expectApproved, serviceFor } from "../../package/support/matrix.mjs";
import { project } from "../../package/support/project.mjs";

const run = promisify(execFile);
const HERE = join(import.meta.dirname, "..");
const PROJECTS = join(HERE, "projects");
const PENDING = [{ field: "approval_status", operator: "eq", value: "pending_approval" }];

export const tool = (path) => join(HERE, "node_modules", path);

// Creates a project below the folder of these tests, so that its imports resolve to their packages.
export async function hoisted(t, from) {
  await mkdir(PROJECTS, { recursive: true });
  const folder = await mkdtemp(join(PROJECTS, "project-"));
  afterTest(t, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return project(t, { from, folder });
}

export const fixture = (name) => join(HERE, "fixtures", name);

const ENDS_WITHIN_MS = 300_000;

// Runs a program in a project, which must end by itself. A failure has the program's output.
export async function runIn(folder, program, args, env = {}) {
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 << 20, timeout: ENDS_WITHIN_MS };
  const { stdout } = await run(program, args, options).catch((error) =>
    assert.fail(`${program} ${args.join(" ")}\n${error.stdout}\n${error.stderr}`),
  );
  return stdout;
}

// A port that nothing listens on.
export async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

// Starts a server of a project, waits until it responds, and stops it after the test.
export async function startIn(t, folder, program, args, origin, env = {}) {
  // In a process group of its own, because some programs start another one.
  const child = spawn(program, args, { cwd: folder, env: { ...process.env, ...env }, detached: true });
  const exited = once(child, "exit");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => (output += text));
  }
  afterTest(t, async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid);
    await exited;
  });
  const ended = exited.then(() => assert.fail(`${program} ended\n${output}`));
  ended.catch(() => {});
  await Promise.race([ended, expectEventually(`${program} to respond`, () => fetch(origin))]);
}

// Checks a page that a framework renders on the server, with the best pending leads and a button for the first.
// `start` starts its server on a port, with the address and the key of a workspace as environment variables. Returns the
// origin of the page.
export async function expectRenderedPageWorks(t, start) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const service = await serviceFor(t, origin);
  await start(port, origin, { BASE_URL: service.origin, API_KEY: service.key });
  const query = { filters: PENDING, page_size: 3 };
  const { data } = (await service.call("POST", "/api/leads/query", query)).body;
  const html = await (await fetch(origin)).text();
  for (const { name } of data) assert.ok(html.includes(name), `the server did not render ${name}`);

  const page = await openPage(t);
  await page.goto(origin);
  await page.getByRole("button", { name: `Approve ${data[0].name}` }).click();
  const output = page.locator("output:not(:empty)");
  await output.waitFor({ state: "attached" });
  assert.equal(await output.textContent(), `${data[0].name} is approved`);
  await expectApproved(service, data[0].lead_id);
  return origin;
}
