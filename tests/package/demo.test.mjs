// `lead-workspace demo`, the program of the package, from an installed tarball.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, get } from "node:http";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";

import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { afterTest } from "../e2e/support/cleanup.mjs";
import { LeadsPage } from "../e2e/support/leads.mjs";
import { temporaryFolder } from "../e2e/support/service.mjs";
import { allSaved, expectEventually } from "../e2e/support/wait.mjs";
import { project } from "./support/project.mjs";

after(closeBrowser);

const run = promisify(execFile);
// Installed once for all tests of this file.
const PROGRAM = join(await project({ after }), "node_modules/.bin/lead-workspace");

// Starts the demo, and resolves with what it prints and its URL.
async function start(t, ...args) {
  const child = spawn(PROGRAM, ["demo", "--port", "0", "--no-open", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  afterTest(t, async () => {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  await expectEventually("the URL", () => /Ctrl-C/.test(output));
  return { child, output, url: /http:\S+/.exec(output)[0] };
}

// Runs the program to its end, which is an error.
async function refused(...args) {
  const { code, stderr } = await run(PROGRAM, args).then(assert.fail, (error) => error);
  return { code, stderr };
}

const statusOf = (page, id) => page.locator(`[role="row"][data-lead-id="${id}"]`).getAttribute("data-status");

test("the review, whose decisions last until the program ends", async (t) => {
  const { output, url } = await start(t, "--leads", "300");
  assert.match(output, /^300 invented leads at http:\/\/127\.0\.0\.1:\d+\/\nDecisions last until this program ends\./);
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, url);
  await leads.showAll();
  assert.match(page.url(), /\/leads\?.*tab=all/);
  const [id] = await leads.ids();
  const verb = (await statusOf(page, id)) === "approved" ? "Reject" : "Approve";
  const status = { Reject: "rejected", Approve: "approved" }[verb];
  await leads.decide(leads.row(id), verb);
  await leads.waitForStatus(id, status);
  await allSaved(page);

  await page.reload();
  await leads.settled();
  await leads.waitForStatus(id, status);
  await page.goBack();
  await expectEventually("the first tab", async () => (await leads.tab("All").getAttribute("aria-selected")) === "false");
  // Back reads the list again.
  await leads.settled();
});

test("Ctrl-C ends it", async (t) => {
  const { child } = await start(t, "--leads", "0");
  child.kill("SIGINT");
  assert.deepEqual(await once(child, "exit"), [null, "SIGINT"]);
});

test("addresses of views open them", async (t) => {
  const { url } = await start(t, "--leads", "300");
  const page = await openPage(t);
  await page.goto(`${url}accounts`);
  await page.getByRole("grid", { name: "Accounts" }).waitFor();
});

// Resolves with the status and the body of a request with this header `Host`.
async function ask(url, host) {
  const [response] = await once(get(url, { headers: { host } }), "response");
  let body = "";
  for await (const chunk of response.setEncoding("utf8")) body += chunk;
  return { status: response.statusCode, type: response.headers["content-type"], body };
}

test("only pages of this machine, and only the files of the package", async (t) => {
  const { url } = await start(t, "--leads", "0");
  const { host, port } = new URL(url);
  assert.deepEqual(await ask(url, "evil.example"), {
    status: 421,
    type: "text/plain; charset=utf-8",
    body: 'The host "evil.example" is not allowed.',
  });
  assert.equal((await ask(`${url}api/leads/facets`, `127.0.0.1.evil.example:${port}`)).status, 421);
  assert.equal((await ask(url, `localhost:${port}`)).status, 200);
  assert.equal((await ask(`${url}package/review.wasm`, host)).type, "application/wasm");
  for (const path of ["package/package.json", "package/..%2fpackage.json", "package/none.js", "elsewhere"]) {
    assert.equal((await ask(url + path, host)).status, 404, path);
  }
  // Without a key, as from a page that cannot read the answer.
  assert.equal((await ask(`${url}api/leads/facets`, host)).status, 401);
});

test("wrong options are refused with a reason", async () => {
  for (const [args, reason] of [
    [[], /^error: A command is missing: demo\./],
    [["serve"], /^error: The only command of this package is demo, not serve\. The workspace service, .* is a program of its own\.\n/],
    [["serve", "--allow-origin", "https://app.example"], /^error: The only command of this package is demo, not serve\./],
    [["--port", "0", "serve"], /^error: The only command of this package is demo, not serve\./],
    [["demo", "leads.csv"], /^error: demo takes options only, not leads\.csv\./],
    [["demo", "--leads", "10001"], /^error: --leads must be an integer from 0 to 10000, not "10001"\./],
    [["demo", "--port", "http"], /^error: --port must be an integer from 0 to 65535, not "http"\./],
    [["demo", "--data", "folder"], /^error: Unknown option '--data'\.\nSee lead-workspace --help\.\n$/],
  ]) {
    const { code, stderr } = await refused(...args);
    assert.match(stderr, reason);
    assert.equal(code, 2);
  }
  const { stdout } = await run(PROGRAM, ["--help"]);
  assert.match(stdout, /^Usage: lead-workspace demo/);
});

// Runs the test with a file that is removed after it.
async function fileOf(t, name, content) {
  const file = join(await temporaryFolder(t), name);
  await writeFile(file, content);
  return file;
}

test("leads of a file", async (t) => {
  // As spreadsheets write it on Windows.
  const text = "Vorname;Nachname;Firma;Status\r\nZo\xeb;Lind;Acme;approved\r\nBo;Diaz;Acme;\r\n;;Acme;\r\n";
  const file = await fileOf(t, "contacts.csv", Buffer.from(text, "latin1"));
  const { output, url } = await start(t, "--import", file);
  assert.match(output, /^2 leads of contacts\.csv at http/);
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, `${url}leads?tab=all&sort=name`);
  const names = await Promise.all((await leads.ids()).map((id) => leads.name(leads.row(id))));
  assert.deepEqual(names.map((name) => name.split("\n")[0]), ["Bo Diaz", "Zoë Lind"]);
});

test("a file without leads is refused with the reason", async (t) => {
  for (const [name, content, reason] of [
    ["empty.csv", "", /the file is empty\. Nothing was imported/],
    ["places.csv", "City,Country\nBern,CH\n", /no column contains a name, a profile URL or an e-mail address/],
    ["leads.csv", "Name,City\n,Bern\n", /line 2: no name, profile URL or e-mail address/],
    ["leads.xlsx", "PK\x03\x04", /the file is an Excel workbook, which cannot be read here\..* save .* as CSV/],
  ]) {
    const file = await fileOf(t, name, content);
    const { code, stderr } = await refused("demo", "--no-open", "--import", file);
    assert.ok(stderr.startsWith(`error: ${file} cannot be imported: `), stderr);
    assert.match(stderr, reason);
    assert.equal(code, 1);
  }
  const { code, stderr } = await refused("demo", "--no-open", "--import", "nowhere.csv");
  assert.match(stderr, /^error: nowhere\.csv cannot be imported: ENOENT: no such file/);
  assert.equal(code, 1);
});

test("a port in use is named", async (t) => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  afterTest(t, async () => other.close());
  const { port } = other.address();
  const { code, stderr } = await refused("demo", "--no-open", "--port", String(port));
  assert.match(stderr, new RegExp(`^error: 127\\.0\\.0\\.1:${port} is in use by another program\\..*--port 0`));
  assert.equal(code, 1);
});
