// The stream of changes of `lead-workspace/testing`, with the client and without.

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { expectEventually } from "../e2e/support/wait.mjs";
import { required } from "./support/project.mjs";

const entry = (name) => pathToFileURL(join(required("LEAD_WORKSPACE_PACKAGE"), name)).href;
const { createTestWorkspace } = await import(entry("testing.js"));

const HEADERS = { authorization: "Bearer any" };

const send = (server, method, path, body) =>
  server.fetch(`https://workspace.test${path}`, { method, headers: HEADERS, body: JSON.stringify(body) });

async function firstLead(server) {
  const { data } = await (await send(server, "POST", "/api/leads/query", { page_size: 1 })).json();
  return data[0].lead_id;
}

test("the stream of changes reports requests, imports and scores", async () => {
  const server = await createTestWorkspace({ leads: 5 });
  const id = await firstLead(server);
  const response = await server.fetch("/api/leads/changes", { headers: HEADERS });
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const next = reader(response.body);
  assert.match(await next(), /^event: open\nid: 0\n/);
  await send(server, "PATCH", `/api/leads/${id}`, { approval_status: "rejected" });
  await send(server, "PATCH", `/api/leads/${id}`, { approval_status: "approved" });
  const events = [];
  while (events.length < 1 || !events.at(-1).includes('"approved"')) events.push(await next());
  assert.ok(events.at(-1).includes(id));
  server.importLeads("name\nAna Diaz\n");
  assert.match(await next(), /"kind":"added".*"count":1/);
  await send(server, "POST", "/api/leads/score", { lead_ids: [id] });
  server.advance(500);
  assert.match(await next(), /"kind":"score"/);
});

test("a stream of changes ends with its request, with `reset`, and needs the key", async () => {
  const server = await createTestWorkspace({ leads: 5, apiKey: "mine" });
  assert.equal((await server.fetch("/api/leads/changes", { headers: HEADERS })).status, 401);
  const headers = { authorization: "Bearer mine" };
  const controller = new AbortController();
  const open = async (more) => (await server.fetch("/api/leads/changes", { headers, ...more })).body;
  const aborted = reader(await open({ signal: controller.signal }));
  await aborted();
  controller.abort(new Error("enough"));
  await assert.rejects(aborted(), { message: "enough" });

  const ended = reader(await open());
  await ended();
  server.importLeads("name\nAna Diaz\n");
  await ended();
  server.reset();
  assert.equal(await ended(), undefined);
  // The stream that resumes is asked to read everything anew.
  const resumed = await server.fetch("/api/leads/changes?since=1", { headers });
  assert.match(await reader(resumed.body)(), /event: reset\nid: 2\n/);
});

test("the client follows the stream, and a broken one loses nothing", async () => {
  const { Workspace } = await import(entry("index.js"));
  const server = await createTestWorkspace({ leads: 5 });
  const ws = await Workspace.create({ baseUrl: "http://workspace.test", apiKey: "any", fetch: server.fetch });
  const connections = [];
  const changes = ws.changes({ onConnection: ({ state }) => connections.push(state) });
  const next = async () => (await changes.next()).value;
  assert.deepEqual(await next(), { kind: "open", version: 0 });
  server.faults.add("broken-stream", { times: 2 });
  for (const version of [1, 2, 3]) {
    server.importLeads(`name\nLead ${version}\n`);
    let event;
    do event = await next(); while (event.kind === "open");
    assert.deepEqual([event.kind, event.version, event.changes[0].count], ["change", version, 1]);
    assert.equal(event.changes[0].kind, "added");
  }
  assert.deepEqual(connections, ["open", "broken", "open", "broken", "open"]);
  server.faults.add("offline");
  server.importLeads("name\nLead 4\n");
  const later = next();
  await expectEventually("the outage", () => connections.length > 5);
  server.faults.clear();
  assert.equal((await later).kind, "open");
  assert.equal((await next()).version, 4);
  server.reset();
  assert.equal((await next()).kind, "open");
  assert.equal((await next()).kind, "reset");
  ws.dispose();
  await assert.rejects(changes.next(), { name: "AbortError" });
});

// Returns a function that reads the next part of a body as text; undefined at its end.
function reader(body) {
  const chunks = body.pipeThrough(new TextDecoderStream()).getReader();
  return async () => (await chunks.read()).value;
}
