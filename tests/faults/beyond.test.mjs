// What a call sends and gets beyond the contract, with the real module: headers, parameters, `fetch`, the response.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { collector } from "../js/support/package.mjs";
import { PACKAGE } from "./support/page.mjs";
import { onEveryStage } from "./support/stage.mjs";

const { Workspace, ArgumentError, NetworkError, NotFoundError, DecodeError } = await import(
  pathToFileURL(join(PACKAGE, "index.js")).href
);

after(closeBrowser);

const PAGE = { data: [], total: 0 };

// Creates a workspace whose requests are recorded and answered with `answer`.
async function connect(t, options, answer = () => Response.json(PAGE)) {
  const sent = [];
  const fetch = (url, init) => {
    sent.push({ url, ...init, body: init.body && JSON.parse(init.body) });
    return answer(url, init, sent.length);
  };
  const ws = await Workspace.create({ baseUrl: "http://a.example", apiKey: "lwk_1_s3cret", fetch, ...options });
  t.after(() => ws.dispose());
  return { ws, sent };
}

async function refused(call, message) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ArgumentError, String(error));
    assert.match(error.message, message);
    return true;
  });
}

test("requests go to the caller's `fetch`, with what the platform's would get", async (t) => {
  const { ws, sent } = await connect(t);
  await ws.queryLeads({ search: "a" });
  await ws.searchLeadFacet({ field: "title", q: "å&b" }).catch(() => {});
  const [{ signal, headers, body, ...first }, { url }] = sent;
  assert.deepEqual(first, {
    url: "http://a.example/api/leads/query", method: "POST", redirect: "manual", credentials: "omit", cache: "no-store",
  });
  assert.deepEqual(headers, {
    accept: "application/json", authorization: "Bearer lwk_1_s3cret", "content-type": "application/json",
  });
  assert.equal(body.search, "a");
  assert.ok(signal instanceof AbortSignal);
  assert.match(url, /\?field=title&q=%C3%A5%26b$/);
});

test("the caller's `fetch` is called without `this`, and may return a response instead of a promise", async (t) => {
  let self = "not called";
  async function fetch() {
    self = this;
    return Response.json({ id: "l1" });
  }
  const { ws } = await connect(t, { fetch });
  await ws.getLead("l1");
  assert.equal(self, undefined);
  const other = await connect(t, { fetch: () => Response.json({ id: "l1" }) });
  assert.equal((await other.ws.getLead("l1")).id, "l1");
});

test("what the caller's `fetch` throws is the cause of a NetworkError, and the request is repeated", async (t) => {
  const thrown = new RangeError("the tunnel is closed");
  for (const fail of [() => { throw thrown; }, () => Promise.reject(thrown)]) {
    const { ws, sent } = await connect(t, { retry: { attempts: 2, baseMs: 1 } }, fail);
    await assert.rejects(ws.updateLead("l1", "approved"), (error) => {
      assert.ok(error instanceof NetworkError);
      assert.equal(error.cause, thrown);
      assert.deepEqual([error.attempts, error.ambiguous], [2, true]);
      return true;
    });
    assert.equal(sent.length, 2);
  }
});

test("a response of another implementation is read, and anything else is refused", async (t) => {
  const text = new TextEncoder().encode('{"id":"l1"}');
  const body = new ReadableStream({ start: (stream) => { stream.enqueue(text); stream.close(); } });
  const foreign = await connect(t, {}, () => ({ status: 200, headers: new Map(), body }));
  assert.equal((await foreign.ws.getLead("l1")).id, "l1");
  for (const answer of [undefined, null, "text", {}, { status: 200 }, { status: 200, headers: new Map(), body: "text" }]) {
    const { ws } = await connect(t, { retry: { attempts: 1 } }, () => answer);
    await assert.rejects(ws.getLead("l1"), (error) => {
      assert.ok(error instanceof NetworkError);
      assert.match(error.cause.message, /did not return a Response/);
      return true;
    });
  }
});

test("an abort aborts the signal that the caller's `fetch` got", async (t) => {
  const controller = new AbortController();
  const { ws, sent } = await connect(t, {}, () => {
    // After the call has seen that the request is under way.
    setTimeout(() => controller.abort(), 0);
    return new Promise(() => {});
  });
  await assert.rejects(ws.getLead("l1", { signal: controller.signal }), { name: "AbortError" });
  assert.ok(sent[0].signal.aborted);
});

test("a garbage collection does not keep the signal from being aborted", async (t) => {
  const gc = await collector();
  // Nothing else refers to the signal, as in an implementation of `fetch` that only listens.
  let aborted = 0;
  const fetch = (_, { signal }) => new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => {
      aborted += 1;
      reject(signal.reason);
    });
  });
  const ws = await Workspace.create({ baseUrl: "http://a.example", apiKey: "lwk_1_s3cret", fetch });
  t.after(() => ws.dispose());
  const controller = new AbortController();
  const call = ws.getLead("l1", { signal: controller.signal });
  for (let times = 0; times < 5; times += 1) await gc();
  controller.abort();
  await assert.rejects(call, { name: "AbortError" });
  assert.equal(aborted, 1);
});

test("headers of a call replace those of the workspace", async (t) => {
  const { ws, sent } = await connect(t, { headers: { "X-Team": "sales", "x-trace-id": "1", "x-off": undefined } });
  await ws.queryLeads({}, { headers: new Headers({ "X-Trace-Id": "2" }) });
  await ws.queryLeads({}, { headers: [["x-trace-id", "3"]] });
  for await (const _ of ws.leads({}, { headers: { "x-trace-id": "4" } })) assert.fail("a row");
  const own = sent.map(({ headers }) => [headers["x-team"], headers["x-trace-id"], "x-off" in headers]);
  assert.deepEqual(own, [["sales", "2", false], ["sales", "3", false], ["sales", "4", false]]);
});

test("headers and functions that are not valid are refused", async (t) => {
  const { ws, sent } = await connect(t);
  const headers = (headers) => ws.getLead("l1", { headers });
  await refused(headers({ Authorization: "Bearer x" }), /options\.headers: the client sets the header authorization itself/);
  await refused(headers({ "content-type": "text/plain" }), /content-type/);
  await refused(headers({ "x-a": "b\r\nx-c: d" }), /x-a contains a line break/);
  await refused(headers({ "x a": "b" }), /"x a" is not the name of a header/);
  for (const bad of ["x-a: b", 5, { "x-a": 5 }, { "x-a": null }, [5]]) {
    await refused(headers(bad), /options\.headers must be an object of strings/);
  }
  await refused(connect(t, { headers: { "x-tenant-id": "t" } }), /x-tenant-id/);
  await refused(connect(t, { fetch: "https://proxy.example" }), /options\.fetch must be a function/);
  assert.equal(sent.length, 0);
});

test("parameters beyond the contract are sent only by their option", async (t) => {
  const { ws, sent } = await connect(t);
  const extraQuery = { debug: true, since: "a b", none: null, many: [1, 2] };
  await ws.queryLeads({ page: 2 }, { extraQuery, extraBody: { cursor: { after: "x" } } });
  assert.equal(sent[0].url, "http://a.example/api/leads/query?debug=true&since=a+b&many=%5B1%2C2%5D");
  assert.deepEqual(sent[0].body.cursor, { after: "x" });
  assert.equal(sent[0].body.page, 2);
  for await (const _ of ws.leads({}, { extraBody: { cursor: 1 } })) assert.fail("a row");
  assert.equal(sent[1].body.cursor, 1);
  await ws.request("GET", "/api/x?y=1", undefined, { extraQuery: { z: 2 } });
  assert.match(sent[2].url, /\/api\/x\?y=1&z=2$/);
  await ws.getAccount("a", { include_unpromoted: true, extraQuery: { z: 2 } }).catch(() => {});
  assert.match(sent[3].url, /\?include_unpromoted=true&z=2$/);
  await ws.updateLeads(["a", "b"], "approved", { extraBody: { reason: "fit" } });
  assert.equal(sent[4].body.reason, "fit");
});

test("parameters of the contract, and members of no body, are refused as extra ones", async (t) => {
  const { ws, sent } = await connect(t);
  await refused(ws.queryLeads({ cursor: "x" }), /there is no "cursor"/);
  await refused(ws.queryLeads({}, { extraBody: { page: 2 } }), /"page" is a parameter of the contract/);
  await refused(ws.queryLeads({}, { extraQuery: { page: 2 } }), /"page" is a parameter of the contract/);
  await refused(ws.leads({}, { extraBody: { page: 2 } }).next(), /"page" is a parameter of the contract/);
  await refused(ws.updateLeads(["a", "b"], "approved", { extraBody: { lead_ids: [] } }), /"lead_ids" is a parameter/);
  await refused(ws.getLead("l1", { extraBody: { note: 1 } }), /the request has no body/);
  await refused(ws.request("POST", "/api/x", {}, { extraBody: { note: 1 } }), /the body of a request is an argument/);
  for (const bad of [5, "a=b", ["a"], () => {}]) {
    await refused(ws.getLead("l1", { extraQuery: bad }), /options\.extraQuery must be an object/);
  }
  assert.equal(sent.length, 0);
});

test("`withResponse` gives the result and the response, however late it is called", async (t) => {
  const headers = { "x-request-id": "r-1", "x-quota": "9" };
  const { ws } = await connect(t, { retry: { baseMs: 1 } }, (url, init, count) =>
    count === 1 ? new Response("", { status: 503 }) : Response.json({ id: "l1", job_id: "l1", status: "done" }, { status: 201, headers }));
  const call = ws.getLead("l1");
  const lead = await call;
  const { data, response } = await call.withResponse();
  assert.equal(data, lead);
  assert.deepEqual([response.status, response.requestId, response.attempts], [201, "r-1", 2]);
  assert.equal(response.headers.get("x-quota"), "9");
  for (const other of [
    ws.deleteLead("l1"), ws.updateLead("l1", "approved"), ws.waitForJob("l1"), ws.request("GET", "/api/x"),
    ws.getAccount("a"), ws.scoreLeads({ lead_ids: ["l1"] }),
  ]) {
    const { response } = await other.withResponse();
    assert.deepEqual([response.status, response.requestId, response.attempts], [201, "r-1", 1]);
  }
  const bulk = ws.updateLeads(["l1"], "approved");
  assert.equal(bulk.withResponse, undefined, "any number of responses");
  await bulk;
});

test("`withResponse` rejects as the call does", async (t) => {
  const { ws } = await connect(t, {}, () => Response.json({ detail: "gone" }, { status: 404 }));
  await assert.rejects(ws.getLead("l1").withResponse(), NotFoundError);
  const unreadable = await connect(t, {}, () => Response.json([]));
  await assert.rejects(unreadable.ws.getLead("l1").withResponse(), DecodeError);
});

test("a lead that an earlier attempt deleted is a success, with the response that says so", async (t) => {
  const { ws } = await connect(t, { retry: { baseMs: 1 } }, (url, init, count) => {
    if (count === 1) throw new TypeError("reset");
    return Response.json({ detail: "gone" }, { status: 404, headers: { "x-quota": "9" } });
  });
  const { data, response } = await ws.deleteLead("l1").withResponse();
  assert.equal(data, undefined);
  assert.deepEqual([response.status, response.attempts, response.headers.get("x-quota")], [404, 2, "9"]);
});

onEveryStage(test, "the platform sends the headers and the parameters, and shows the response", async (t, { api, run }) => {
  const shown = { "access-control-allow-headers": "*", "access-control-expose-headers": "*" };
  api.answerAll = (exchange) => exchange.answer({ body: { id: "l1", more: 1 }, headers: { "x-request-id": "r-1", ...shown } });
  const result = await run(async (baseUrl) => {
    const ws = await globalThis.lw.connect({ baseUrl, headers: { "x-team": "sales" } });
    const { data, response } = await ws.getLead("l1", { extraQuery: { debug: 1 } }).withResponse();
    const { status, requestId, attempts, headers } = response;
    return [data.more, status, requestId, attempts, headers.get("x-request-id")];
  }, api.origin);
  assert.deepEqual(result, [1, 200, "r-1", 1, "r-1"]);
  const [{ headers, target }] = api.requests;
  assert.equal(target, "/api/leads/l1?debug=1");
  assert.equal(headers["x-team"], "sales");
});
