// `lead-workspace/testing`: the workspace in memory, its faults and its clock, with the client and without.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { temporaryFolder } from "../e2e/support/service.mjs";
import { project, required } from "./support/project.mjs";
import { serve } from "./support/site.mjs";

after(closeBrowser);

const run = promisify(execFile);
const entry = (name) => pathToFileURL(join(required("LEAD_WORKSPACE_PACKAGE"), name)).href;
const { createTestWorkspace } = await import(entry("testing.js"));

const HEADERS = { authorization: "Bearer any" };

// Sends a request without the client, and resolves with status, headers and body.
async function send(server, method, path, body, options = {}) {
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const sent = { method, headers: HEADERS, ...text, ...options };
  const response = await server.fetch(`https://workspace.test${path}`, sent);
  const answer = await response.text();
  return { status: response.status, headers: response.headers, body: answer ? JSON.parse(answer) : undefined };
}

const query = (server, body = {}) => send(server, "POST", "/api/leads/query", body);

async function firstLead(server) {
  const { body } = await query(server, { page_size: 1 });
  return body.data[0].lead_id;
}

test("the same seed gives the same leads, another seed others", async () => {
  const [one, same, other] = await Promise.all(
    [1, 1, 2].map((seed) => createTestWorkspace({ seed, leads: 20 })),
  );
  const [a, b, c] = await Promise.all([one, same, other].map((server) => query(server, { page_size: 100 })));
  assert.equal(a.body.total, 20);
  assert.deepEqual(a.body, b.body);
  assert.notDeepEqual(a.body.data[0], c.body.data[0]);
});

test("requests are recorded, and `reset` restores everything", async () => {
  const server = await createTestWorkspace({ leads: 5, faults: { slow: { ms: 1, times: 1 } } });
  const id = await firstLead(server);
  assert.deepEqual(server.requests[0].faults, ["slow"]);
  const before = server.lead(id);
  const approval_status = before.approval_status === "rejected" ? "approved" : "rejected";
  await send(server, "PATCH", `/api/leads/${id}`, { approval_status });
  await send(server, "GET", "/api/leads/facets?campaign_id=c");
  assert.equal(server.lead(id).approval_status, approval_status);
  const [, patch, facets] = server.requests;
  assert.deepEqual(
    { ...patch, headers: patch.headers.authorization },
    {
      method: "PATCH",
      path: `/api/leads/${id}`,
      search: "",
      query: {},
      body: { approval_status },
      headers: "Bearer any",
      status: 200,
      faults: [],
    },
  );
  assert.deepEqual(facets.query, { campaign_id: "c" });
  await send(server, "DELETE", `/api/leads/${id}`);
  assert.equal(server.lead(id), undefined);
  server.advance(5000);
  server.reset();
  assert.deepEqual(server.lead(id), before);
  assert.deepEqual(server.requests, []);
  assert.equal(server.now.toISOString(), "2026-05-30T00:00:00.000Z");
  await query(server);
  assert.deepEqual(server.requests[0].faults, ["slow"]);
});

test("leads of a file are added and scored, and `reset` removes them", async () => {
  const server = await createTestWorkspace({ leads: 0 });
  const report = server.importLeads("Full name,Title,Status\nAna Diaz,VP Sales,approved\n,CFO,\n", "fair.csv");
  assert.deepEqual(report, {
    inserted: 1,
    updated: 0,
    unchanged: 0,
    failed: 1,
    errors: [{ line: 3, reason: "no name, profile URL or e-mail address" }],
  });
  const { body } = await query(server);
  const [{ name, approval_status, list_scores }] = body.data;
  assert.deepEqual([name, approval_status], ["Ana Diaz", "approved"]);
  assert.ok(list_scores[0].icp_score > 0);
  const facets = await send(server, "GET", "/api/leads/facets");
  assert.equal(facets.body.import_jobs[0].import_job_name, "fair.csv");
  assert.throws(() => server.importLeads("City\nBern\n"), /no column contains a name/);
  server.reset();
  assert.equal((await query(server)).body.total, 0);
});

test("the demo of a file without names does not name an option that it does not have", async (t) => {
  const file = join(await temporaryFolder(t), "places.csv");
  await writeFile(file, "City,Country\nBern,CH\n");
  const program = join(required("LEAD_WORKSPACE_PACKAGE"), "cli.js");
  const { stderr } = await run(process.execPath, [program, "demo", "--no-open", "--import", file]).then(assert.fail, (error) => error);
  assert.match(stderr, /no column contains a name.* The columns are City, Country\. Rename the one with the names to "name"\.\n$/);
});

test("only the given key and workspace are accepted", async () => {
  const server = await createTestWorkspace({ leads: 1, apiKey: "k", tenantId: "sales" });
  const status = async (headers) => (await send(server, "POST", "/api/leads/query", {}, { headers })).status;
  assert.equal(await status({ authorization: "Bearer k" }), 200);
  assert.equal(await status({ authorization: "Bearer k", "x-tenant-id": "sales" }), 200);
  assert.equal(await status({ authorization: "Bearer k", "x-tenant-id": "other" }), 403);
  assert.equal(await status(HEADERS), 401);
  assert.equal(await status({}), 401);
});

test("a job runs a step after each poll, and with the clock", async () => {
  const server = await createTestWorkspace({ leads: 450 });
  const start = async () => (await send(server, "POST", "/api/leads/score", {})).body.job_id;
  const poll = async (id) => (await send(server, "GET", `/api/jobs/${id}`)).body;
  const polled = await start();
  const progress = [];
  for (let polls = 0; polls < 4; polls += 1) {
    const { status, progress: { done } } = await poll(polled);
    progress.push([status, done]);
  }
  assert.deepEqual(progress, [["queued", 0], ["running", 200], ["running", 400], ["succeeded", 450]]);
  const advanced = await start();
  server.advance(1000);
  assert.equal((await poll(advanced)).progress.done, 400);
  const { status, updated_at } = await poll(advanced);
  assert.deepEqual([status, updated_at], ["succeeded", "2026-05-30T00:00:01.000Z"]);
});

test("rate-limit-storm: refused with a time to wait, and not carried out", async () => {
  const server = await createTestWorkspace({ leads: 5 });
  const id = await firstLead(server);
  const before = server.lead(id);
  server.faults.add("rate-limit-storm", { times: 2, retryAfterMs: 1500, method: "patch" });
  const patch = () => send(server, "PATCH", `/api/leads/${id}`, { approval_status: "filtered" });
  for (let refused = 0; refused < 2; refused += 1) {
    const { status, headers, body } = await patch();
    assert.deepEqual(
      [status, headers.get("retry-after"), headers.get("retry-after-ms"), typeof body.detail],
      [429, "2", "1500", "string"],
    );
    assert.equal((await query(server)).status, 200);
  }
  assert.deepEqual(server.lead(id), before);
  assert.equal((await patch()).status, 200);
});

test("server-error: answered with the given status, and not carried out", async () => {
  const server = await createTestWorkspace({ leads: 5 });
  const id = await firstLead(server);
  server.faults.add("server-error", { status: 503, path: id });
  assert.equal((await query(server)).status, 200);
  assert.equal((await send(server, "DELETE", `/api/leads/${id}`)).status, 503);
  assert.notEqual(server.lead(id), undefined);
  assert.equal((await send(server, "DELETE", `/api/leads/${id}`)).status, 204);
});

test("lost-answer: carried out, without an answer", async () => {
  const server = await createTestWorkspace({ leads: 5 });
  const id = await firstLead(server);
  server.faults.add("lost-answer");
  await assert.rejects(send(server, "DELETE", `/api/leads/${id}`), TypeError);
  assert.equal(server.lead(id), undefined);
  assert.equal(server.requests.at(-1).status, 204);
  assert.equal((await query(server)).status, 200);
});

test("offline: does not arrive until the fault is removed", async () => {
  const server = await createTestWorkspace({ leads: 5 });
  const id = await firstLead(server);
  const remove = server.faults.add("offline");
  server.faults.add("server-error");
  await assert.rejects(send(server, "DELETE", `/api/leads/${id}`), TypeError);
  assert.notEqual(server.lead(id), undefined);
  assert.equal(server.requests.at(-1).status, undefined);
  remove();
  // It was not used up.
  assert.equal((await query(server)).status, 500);
  assert.equal((await query(server)).status, 200);
});

test("slow: carried out at once; the answer arrives with the clock, or not if it is aborted", async () => {
  const server = await createTestWorkspace({ leads: 5 });
  const id = await firstLead(server);
  server.faults.add("slow", { ms: 3_600_000 });
  const before = query(server);
  const aborted = new AbortController();
  const late = send(server, "DELETE", `/api/leads/${id}`, undefined, { signal: aborted.signal });
  while (server.lead(id) !== undefined) await new Promise(setImmediate);
  aborted.abort();
  await assert.rejects(late, { name: "AbortError" });
  server.advance(1_800_000);
  server.advance(1_800_000);
  assert.equal((await before).body.total, 5);
  server.faults.clear();
  assert.equal((await query(server)).body.total, 4);
});

test("slow: the answer arrives by itself", async () => {
  const server = await createTestWorkspace({ leads: 5, faults: { slow: { ms: 1 } } });
  assert.equal((await query(server)).status, 200);
});

test("drifting-list: later rows move forward, so that the client reports a drift", async (t) => {
  const server = await createTestWorkspace({ leads: 40 });
  const ids = async (page) => (await query(server, { page, page_size: 10 })).body.data.map((lead) => lead.lead_id);
  const [first, second] = [await ids(1), await ids(2)];
  server.faults.add("drifting-list", { leads: 3 });
  assert.deepEqual(await ids(1), first);
  assert.deepEqual((await ids(2)).slice(0, 7), second.slice(3));
  assert.equal(server.lead(first[0]), undefined);
  const drift = [];
  const ws = await connect(t, server);
  for await (const lead of ws.leads({ page_size: 10 }, { onDrift: (change) => drift.push(change) })) {
    assert.notEqual(lead.lead_id, null);
  }
  assert.equal(drift[0].kind, "total");
});

test("invalid options and faults are refused with a reason", async () => {
  for (const options of [{ leads: -1 }, { leads: 10_001 }, { seed: 1.5 }, { now: "soon" }]) {
    const [name] = Object.keys(options);
    await assert.rejects(createTestWorkspace(options), (error) => {
      assert.ok(error instanceof RangeError);
      return error.message.startsWith("No workspace was created: ") && error.message.includes(name);
    });
  }
  const server = await createTestWorkspace({ leads: 1 });
  assert.throws(() => server.faults.add("flood"), /flood is not one of rate-limit-storm, /);
  assert.throws(() => server.faults.add("slow", { status: 500 }), /slow has the options times, ms, method, path, and no status/);
  assert.throws(() => server.faults.add("slow", { ms: "long" }), /must be a number, 0 or more, not long/);
  assert.throws(() => server.advance(-1), RangeError);
  await assert.rejects(createTestWorkspace({ faults: { flood: {} } }), TypeError);
  await assert.rejects(createTestWorkspace({ lead: 5 }), {
    name: "TypeError",
    message: "No workspace was created: the options are leads, seed, now, apiKey, tenantId, faults, and no lead.",
  });
  await createTestWorkspace({ leads: 0, lead: undefined });
});

// Returns the client, which sends everything to the test workspace.
async function connect(t, server) {
  const { Workspace } = await import(entry("index.js"));
  const ws = await Workspace.create({ baseUrl: "https://workspace.test/base", apiKey: "any", fetch: server.fetch });
  t.after(() => ws.dispose());
  return ws;
}

test("the client works with it, through every fault", async (t) => {
  const server = await createTestWorkspace({ leads: 30 });
  const ws = await connect(t, server);
  server.faults.add("rate-limit-storm", { times: 2, retryAfterMs: 5 });
  server.faults.add("server-error", { status: 503 });
  const page = await ws.queryLeads({ search: "a", sort_by: "name", page_size: 5 });
  assert.equal(page.data.length, 5);
  assert.deepEqual(server.requests.map(({ status }) => status), [429, 429, 503, 200]);
  const id = page.data[0].lead_id;
  server.faults.add("lost-answer", { method: "PATCH" });
  await ws.updateLead(id, "approved");
  assert.equal(server.lead(id).approval_status, "approved");
  const { job_id } = await ws.scoreLeads({ lead_ids: [id] });
  assert.equal((await ws.waitForJob(job_id)).status, "succeeded");
  server.faults.add("lost-answer", { method: "POST" });
  await assert.rejects(ws.scoreLeads({ lead_ids: [id] }), { name: "OutcomeUnknownError" });
});

test("timers run while thousands of leads are updated, and abort the update", async (t) => {
  const server = await createTestWorkspace({ leads: 3000 });
  const ws = await connect(t, server);
  const ids = [];
  for await (const lead of ws.leads({ page_size: 100 })) ids.push(lead.lead_id);
  assert.equal(ids.length, 3000);
  server.requests.length = 0;
  const aborted = new AbortController();
  setTimeout(() => aborted.abort(), 1);
  await assert.rejects(ws.updateLeads(ids, "approved", { signal: aborted.signal }), { name: "AbortError" });
  assert.ok(server.requests.length < 30, `all ${server.requests.length} requests were sent before the abort`);
});

test("fake timers do not hold back its answers, and it does not keep Node from exiting", async (t) => {
  const server = await createTestWorkspace({ leads: 5 });
  t.mock.timers.enable();
  assert.equal((await query(server)).body.total, 5);
  t.mock.timers.reset();
  const script = `import { createTestWorkspace } from ${JSON.stringify(entry("testing.js"))};
const { fetch } = await createTestWorkspace({ leads: 1 });
console.log((await fetch("/api/leads/facets")).status);`;
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { timeout: 10_000 });
  assert.equal(stdout, "401\n");
});

test("it works in a browser, with the address of the page", async (t) => {
  const origin = await serve(t, required("LEAD_WORKSPACE_PACKAGE"), { types: { ".md": "text/plain" } });
  const page = await openPage(t);
  await page.goto(`${origin}/README.md`);
  const result = await page.evaluate(async () => {
    const { createTestWorkspace } = await import("/testing.js");
    const { Workspace } = await import("/index.js");
    const server = await createTestWorkspace({ leads: 3 });
    const ws = await Workspace.create({ baseUrl: "", apiKey: "any", fetch: server.fetch });
    const { data, total } = await ws.queryLeads();
    const { updated } = await ws.updateLeads(data.map((lead) => lead.lead_id), "approved");
    const statuses = data.map((lead) => server.lead(lead.lead_id).approval_status);
    return { total, updated: updated.length, statuses };
  });
  assert.deepEqual(result, { total: 3, updated: 3, statuses: ["approved", "approved", "approved"] });
});

// Returns the script below a heading of the documentation.
async function documented(heading) {
  const page = await readFile(join(import.meta.dirname, "../../docs/testing.md"), "utf8");
  const [, script] = page.split(`\n## ${heading}\n`)[1].match(/^```js\n(.*?)^```$/ms);
  return script;
}

test("the stories of the documentation show what their faults cause", async (t) => {
  const folder = await project(t, { from: join(import.meta.dirname, "fixtures/stories") });
  await writeFile(join(folder, "stories.js"), await documented("Storybook"));
  const page = await openPage(t);
  await page.goto(await serve(t, folder));
  const show = (story) =>
    page.evaluate(async (story) => {
      const stories = await import("/stories.js");
      document.body.replaceChildren(stories[story].render());
    }, story);
  await show("Loaded");
  await page.getByText("30 leads").waitFor();
  await show("Slow");
  await page.getByText("Loading…").waitFor();
  await page.getByText("30 leads").waitFor();
  await show("Offline");
  await page.getByText(/network|connection|reached/i).waitFor();
});

test("the example of the documentation passes", async (t) => {
  const example = await documented("Vitest and Jest");
  const folder = await project(t, { from: join(import.meta.dirname, "fixtures/vitest") });
  // Stands for Vitest: the same functions, on top of Node's own test runner.
  const vitest = join(folder, "node_modules/vitest");
  await mkdir(vitest, { recursive: true });
  await writeFile(join(vitest, "package.json"), JSON.stringify({ type: "module", exports: "./vitest.js" }));
  await writeFile(join(vitest, "vitest.js"), await readFile(join(folder, "vitest.js"), "utf8"));
  await writeFile(join(folder, "example.test.js"), example);
  const { stdout } = await run(process.execPath, ["--test", "--test-reporter=tap", "example.test.js"], {
    cwd: folder,
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  });
  assert.match(stdout, /^# pass 4$/m);
});
