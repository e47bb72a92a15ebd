// Parameters, options and requests as the real module reads and sends them, in Node with a `fetch` of the test.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { PACKAGE } from "./support/page.mjs";

const ROOT = join(import.meta.dirname, "..", "..");
const { Workspace, ArgumentError, filter } = await import(pathToFileURL(join(PACKAGE, "index.js")).href);

// Replaces a global for the duration of the test.
function replace(t, name, value) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

// Creates a workspace whose requests are recorded and answered with `answer`.
async function connect(t, options, answer = () => Response.json({ data: [], total: 0 })) {
  const sent = [];
  replace(t, "fetch", async (request) => {
    const text = await request.text?.();
    sent.push({ method: request.method, url: request.url, request, body: text ? JSON.parse(text) : undefined });
    return answer(request);
  });
  const ws = await Workspace.create({ baseUrl: "http://a.example", apiKey: "lwk_1_s3cret", ...options });
  t.after(() => ws.dispose());
  return { ws, sent };
}

// Asserts that a call rejects with an ArgumentError, and that nothing was sent.
async function refused(call, sent, message) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ArgumentError, String(error));
    if (message instanceof RegExp) assert.match(error.message, message);
    else assert.equal(error.message, message);
    return true;
  });
  assert.equal(sent.length, 0);
}

test("parameters are read at the call, by the rules of JSON", async (t) => {
  const { ws, sent } = await connect(t);
  const value = [new Date(0), undefined, Number.NaN];
  const query = { search: "a \\ud800 \u{1f469}", page: 2, page_size: undefined, filters: [{ another: "shape", value }] };
  const call = ws.queryLeads(query);
  query.search = "b";
  await call;
  const { body } = sent[0];
  assert.equal(body.search, "a \\ud800 \u{1f469}");
  assert.equal(body.page, 2);
  assert.deepEqual(body.filters, [{ another: "shape", value: ["1970-01-01T00:00:00.000Z", null, null] }]);
  assert.ok(!("page_size" in body));
});

test("an iteration reads its query and options at the call", async (t) => {
  const rows = (ids, has_more) => ({ data: ids.map((lead_id) => ({ lead_id })), total: 4, page_size: 2, has_more });
  const pages = [rows(["a", "b"], true), rows(["c", "d"], false)];
  const { ws, sent } = await connect(t, {}, () => Response.json(pages.shift()));
  const query = { search: "a", page_size: 2, filters: [filter("icp_tier").isIn(["A"])] };
  const options = { maxItems: 3 };
  const found = ws.leads(query, options);
  query.search = "b";
  query.filters[0].value.push("B");
  query.filters.push(filter("name").isSet());
  options.maxItems = 1;
  options.onRowError = 5;
  const ids = [];
  for await (const { lead_id } of found) ids.push(lead_id);
  assert.deepEqual(ids, ["a", "b", "c"]);
  const body = { search: "a", page_size: 2, filters: [{ field: "icp_tier", operator: "in", value: ["A"] }] };
  assert.deepEqual(sent.map((request) => request.body), [{ ...body, page: 1 }, { ...body, page: 2 }]);
});

test("parameters may be absent, null, an object without a prototype, or getters of a class", async (t) => {
  const { ws, sent } = await connect(t);
  class Search {
    #text = "a";
    page = 2;
    get search() {
      return this.#text;
    }
  }
  for (const query of [undefined, null, Object.create(null), new Search()]) await ws.queryLeads(query);
  assert.deepEqual(sent.map(({ body }) => body), [{}, {}, {}, { page: 2, search: "a" }]);
});

test("parameters of a query string are sent as text", async (t) => {
  const { ws, sent } = await connect(t, {}, () => Response.json({ options: [] }));
  await ws.searchLeadFacet({ field: "company", q: "a b&c", limit: 5, selected: null });
  const { search } = new URL(sent[0].url);
  assert.equal(search, "?field=company&limit=5&q=a+b%26c");
});

test("violated limits are reported with their paths", async (t) => {
  const { ws, sent } = await connect(t);
  const query = {
    filters: [
      { field: 1, operator: "eq", value: {} },
      { field: "a", operator: "like" },
      { field: "a", operator: "is_set", value: 5 },
    ],
    search: 5,
    sort_dir: "down",
    page: 0,
    page_size: 101,
  };
  await refused(
    ws.queryLeads(query),
    sent,
    "Nothing was sent: " + [
      "filters.0.field: the value must be a string",
      "filters.0.value: the value must be a string, a number or a boolean",
      "filters.1.operator: the value must be one of eq, neq, in, not_in, gt, gte, lt, lte, between, " +
        "contains, not_contains, starts_with, is_set, is_not_set",
      "filters.2.value: this operator takes no value",
      "search: the value must be a string, and 3 more",
    ].join("; ") + ". Correct it and try again.",
  );
  await refused(ws.searchLeadFacet({}), sent, /field: this parameter is required/);
  await refused(ws.scoreLeads({ lead_ids: [""] }), sent, /lead_ids\.0: an id must have at least 1 character/);
  await refused(ws.scoreLeads({}), sent, /has no leads/);
  for (const page of [1.5, "1", null]) await refused(ws.queryLeads({ page }), sent, /page: the value must be an integer/);
});

test("parameters that are not an object or not serializable are refused", async (t) => {
  const { ws, sent } = await connect(t);
  const cycle = {};
  cycle.value = cycle;
  const half = /contains an unpaired surrogate/;
  const cases = [
    [5, "Nothing was sent: the query must be an object."],
    [[], "Nothing was sent: the query must be an object."],
    [() => {}, "Nothing was sent: the query must be an object."],
    [{ search: "an emoji \ud83d" }, half],
    [{ filters: [{ value: ["a", "\udc69"] }] }, half],
    [{ search: 1n }, "Nothing was sent: the query cannot be serialized as JSON."],
    [{ filters: [cycle] }, "Nothing was sent: the query cannot be serialized as JSON."],
    [{ pagesize: 5 }, 'Nothing was sent: there is no "pagesize" in the query. Use "page_size".'],
    [{ zzz: 5 }, /there is no "zzz" in the query\. Known names: filters, search, /],
  ];
  for (const [query, message] of cases) await refused(ws.queryLeads(query), sent, message);
  for (const id of [5, undefined, "a\ud83d", "", "."]) await refused(ws.getLead(id), sent, /lead_id/);
  await refused(ws.updateLead("l1", "maybe"), sent, /status/);
  await refused(ws.updateLeads("l1", "approved"), sent, /ids must be an array of strings/);
  await refused(ws.updateLeads(["l1", ""], "approved"), sent, /ids\.1 is empty/);
  await refused(ws.request("TRACE", "/api/x"), sent, /TRACE/);
  await refused(ws.request("POST", "/api/x", () => {}), sent, /body cannot be serialized as JSON/);
});

test("invalid and unknown options are refused", async (t) => {
  const { ws, sent } = await connect(t);
  await refused(ws.getLead("l1", { timeout: 5 }), sent, 'Nothing was sent: there is no "timeout" in options. Use "timeoutMs".');
  await refused(ws.getLead("l1", { timeoutMs: 0 }), sent, /options\.timeoutMs must be a number of milliseconds above 0/);
  await refused(ws.getLead("l1", { retries: 1.5 }), sent, /options\.retries must be an integer from 0/);
  await refused(ws.getLead("l1", { onProgress() {} }), sent, /there is no "onProgress"/);
  await refused(ws.updateLeads(["l1"], "approved", { chunkSize: 0 }), sent, /options\.chunkSize must be at least 1/);
  await refused(ws.waitForJob("j1", { onProgress: 5 }), sent, /options\.onProgress must be a function/);
  await refused(ws.leads({}, { maxItem: 5 }).next(), sent, /Use "maxItems"/);
  for (const name of ["chunkSize", "onProgress", "page", "page_size", "from"]) {
    const rows = ws.accounts({}, { [name]: 5 });
    for (const next of [rows.next(), rows.byPage().next()]) {
      await refused(next, sent, new RegExp(`there is no "${name}" in options`));
    }
  }
  await refused(ws.leads({ limit: 5 }).next(), sent, /there is no "limit" in the query/);
  const create = (options) => Workspace.create({ baseUrl: "http://a.example", apiKey: "lwk_1_s3cret", ...options });
  await refused(create({ baseurl: "x" }), sent, /there is no "baseurl" in options\. Use "baseUrl"/);
  await refused(create({ retry: { attempt: 1 } }), sent, /there is no "attempt" in options\.retry/);
  await refused(create({ hooks: { onresponse() {} } }), sent, /Use "onResponse"/);
  await refused(create({ baseUrl: "ftp://a" }), sent, /is not a workspace address/);
  await refused(create({ apiKey: "a\nb" }), sent, /line break/);
});

test("getAccount accepts its options as members of its parameters", async (t) => {
  const { ws, sent } = await connect(t, {}, () => Response.json({ id: "a1" }));
  await ws.getAccount("a1", { include_unpromoted: true, timeoutMs: 5_000 });
  await ws.getAccount("a1", { include_unpromoted: true }, { timeoutMs: 5_000 });
  await ws.getAccount("a1");
  assert.deepEqual(sent.map(({ url }) => new URL(url).search), ["?include_unpromoted=true", "?include_unpromoted=true", ""]);
  await assert.rejects(ws.getAccount("a1", { timeoutMs: 5 }, {}), /there is no "timeoutMs" in the query/);
});

test("errors contain the server's detail unchanged", async (t) => {
  const entries = [
    { loc: ["body", "page", 0], msg: "too small", type: "x", input: 2 ** 60, ctx: null },
    { msg: "no" },
  ];
  let detail = entries;
  const { ws } = await connect(t, {}, () => Response.json({ detail }, { status: 422 }));
  const caught = () => ws.queryLeads({}).then(() => assert.fail("it was accepted"), (error) => error);
  let error = await caught();
  assert.equal(error.message, "The server refused the request: page.0: too small; no. Correct it and try again.");
  assert.deepEqual(error.detail, [
    { loc: ["body", "page", "0"], msg: "too small", type: "x", input: 2 ** 60, ctx: {} },
    { loc: [], msg: "no", type: "", input: null, ctx: {} },
  ]);
  detail = "no";
  error = await caught();
  assert.equal(error.detail, "no");
  detail = { any: [1, null] };
  error = await caught();
  assert.deepEqual(error.detail, { any: [1, null] });
  detail = undefined;
  error = await caught();
  assert.equal(error.detail, null);
  assert.match(error.message, /without a reason/);
});

test("a request that the platform refuses is not a network error", async (t) => {
  const { ws, sent } = await connect(t);
  await refused(ws.request("GET", "/api/x", {}), sent, /GET/);
});

test("the cause of a failed connection is the platform's exception, unless it contains the key", async (t) => {
  let thrown = new TypeError("fetch failed", { cause: Object.assign(new Error("refused"), { code: "ECONNREFUSED" }) });
  const { ws } = await connect(t, { retry: { attempts: 1 } }, () => Promise.reject(thrown));
  await assert.rejects(ws.getLead("l1"), (error) => {
    assert.equal(error.name, "NetworkError");
    assert.equal(error.cause, thrown);
    assert.equal(error.message, "The server cannot be reached. Check the connection and try again.");
    return true;
  });
  thrown = new TypeError("Bearer lwk_1_s3cret is odd");
  await assert.rejects(ws.getLead("l1"), (error) => {
    assert.doesNotMatch([error.message, error.cause.message, error.cause.stack].join(), /s3cret/);
    return error.name === "NetworkError";
  });
});

test("a failed request to another origin names CORS as a possible reason", async (t) => {
  // As in a worker created from a blob URL.
  replace(t, "origin", "https://app.example");
  const { ws } = await connect(t, { retry: { attempts: 1 } }, () => Promise.reject(new TypeError("Failed to fetch")));
  await assert.rejects(ws.getLead("l1"), /does not allow requests from this page's origin/);
});

test("request options that the platform does not support are not passed to it", async (t) => {
  const { ws, sent } = await connect(t, {}, () => Response.json({}));
  class Request {
    constructor(url, options = {}) {
      for (const name of ["credentials", "cache", "keepalive"]) {
        if (name in options) throw new TypeError(`The '${name}' field is not implemented.`);
      }
      Object.assign(this, { url: String(url), method: options.method });
    }
  }
  replace(t, "Request", Request);
  await ws.getLead("l1");
  await ws.deleteLead("l1");
  assert.deepEqual(sent.map(({ method }) => method), ["GET", "DELETE"]);
});

test("a deletion uses keepalive, and no request uses cookies or the cache", async (t) => {
  const { ws, sent } = await connect(t, {}, () => Response.json({}));
  await ws.deleteLead("l1");
  await ws.getLead("l1");
  const asked = sent.map(({ request }) => [request.keepalive, request.credentials, request.cache, request.redirect]);
  assert.deepEqual(asked, [[true, "omit", "no-store", "manual"], [false, "omit", "no-store", "manual"]]);
});

test("an exception in a hook is reported, and the call continues", async (t) => {
  const reported = [];
  replace(t, "reportError", (error) => reported.push(error));
  const onRequest = () => {
    throw "thrown";
  };
  const { ws } = await connect(t, { hooks: { onRequest } });
  await ws.queryLeads();
  assert.deepEqual(reported, ["thrown"]);
});

test("the error codes of the module and of the types are the same", async () => {
  const types = await readFile(join(ROOT, "www/npm/errors.d.ts"), "utf8");
  const declared = new Set([...types.matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code]) => code));
  const rust = await readFile(join(ROOT, "src/js/error.rs"), "utf8");
  const used = new Set([...rust.matchAll(/\("\w+Error", "(\w+)"\)|refused\("(\w+)"/g)].map(([, a, b]) => a ?? b));
  for (const path of ["src/js/guard.js", ...["calls", "iterate", "loader", "workspace"].map((name) => `www/npm/${name}.js`)]) {
    const text = await readFile(join(ROOT, path), "utf8");
    for (const [, code] of text.matchAll(/code: "(\w+)"/g)) used.add(code);
  }
  assert.deepEqual([...declared].sort(), [...used].sort());
});

test("drift and unreadable rows are reported before the rows of their page", async (t) => {
  const pages = [
    { data: [{ lead_id: "a" }], total: 3, page_size: 1, has_more: true },
    { data: [{ lead_id: "b" }, 5], total: 4, page_size: 1, has_more: false },
  ];
  const { ws } = await connect(t, {}, () => Response.json(pages.shift()));
  const events = [];
  const onDrift = ({ kind, before, now }) => events.push([kind, before, now]);
  const onRowError = ({ index, raw }) => events.push(["row", index, raw]);
  for await (const row of ws.leads({}, { onDrift, onRowError })) events.push(row.lead_id);
  assert.deepEqual(events, ["a", ["row", 1, 5], ["total", 3, 4], "b"]);
});

test("fields that this version does not know are kept, in rows and in what they contain", async (t) => {
  const account = { account_id: "x", later: [1] };
  const row = { lead_id: "a", new_field: { any: 1 }, current_account: account, __proto__: null };
  const text = JSON.stringify({ data: [row], total: 1, cursor: "next" }).replace('"lead_id"', '"__proto__":{"polluted":1},"lead_id"');
  const { ws } = await connect(t, {}, () => new Response(text, { headers: { "content-type": "application/json" } }));
  const page = await ws.queryLeads();
  const [lead] = page.data;
  assert.equal(page.cursor, "next");
  assert.deepEqual(lead.new_field, { any: 1 });
  assert.deepEqual(lead.current_account.later, [1]);
  assert.equal(lead.name, null);
  assert.equal(lead.polluted, undefined);
});

test("an option that must be true or false is refused with another value", async (t) => {
  await refused(connect(t, { allowApiKeyInPage: "false" }), [], /options\.allowApiKeyInPage/);
});
