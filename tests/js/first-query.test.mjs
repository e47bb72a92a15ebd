// The query that leaves before the app is loaded: when it is sent, and when its response is used.

import assert from "node:assert/strict";
import { test } from "node:test";

import { firstQuery } from "../../www/first-query.js";

const ORIGIN = "http://127.0.0.1:8787";
const NOTED = { "/leads": '{"page":1}', "/leads?tab=all": '{"page":2}' };

// A page at an address. `answer` responds to the requests, which are recorded.
function pageAt(address, { noted = NOTED, keys = { "lead-workspace.key ": "lwk_1_a" }, answer = () => new Response("early") } = {}) {
  const storage = (slots) => ({ getItem: (name) => slots[name] ?? null });
  const page = {
    requests: [],
    now: 0,
    location: new URL(address, ORIGIN),
    localStorage: storage(noted ? { "lead-workspace.first-query": JSON.stringify(noted) } : {}),
    sessionStorage: storage(keys),
    performance: { now: () => page.now },
    Request,
    async fetch(request, ...others) {
      // The platform would take the body for options.
      assert.deepEqual(others, []);
      page.requests.push(request);
      return page.requests.length === 1 ? answer(request) : new Response("late");
    },
  };
  return page;
}

// The app's own request.
const asked = (body, { key = "lwk_1_a", url = "/api/leads/query", headers = {}, signal } = {}) => [
  new Request(new URL(url, ORIGIN), {
    method: "POST",
    headers: {
      accept: "application/json",
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...headers,
    },
    body,
    signal,
  }),
  body,
];

const text = async (response) => (await response).text();

test("the noted query of the address is sent at once, and its response is used once", async () => {
  const page = pageAt("/leads?tab=all&lead=a&focus=1");
  const send = firstQuery(page);
  assert.equal(page.requests.length, 1);
  const [sent] = page.requests;
  assert.equal(await sent.clone().text(), '{"page":2}');
  assert.deepEqual([sent.redirect, sent.credentials, sent.cache], ["manual", "omit", "no-store"]);
  assert.equal(await text(send(...asked('{"page":2}'))), "early");
  assert.equal(await text(send(...asked('{"page":2}'))), "late");
});

test("a first visit sends the query of the tab, also for the bare origin", async () => {
  for (const address of ["/leads", "/#key=lwk_1_b"]) {
    const page = pageAt(address, { noted: null });
    firstQuery(page);
    const { filters } = JSON.parse(await page.requests[0].text());
    assert.deepEqual(filters[0].value, ["pending_approval"], address);
  }
});

test("the key of the link comes before that of the tab, and each workspace has its own", () => {
  const authorization = (address, noted, keys) => {
    const page = pageAt(address, { noted, keys });
    firstQuery(page);
    return page.requests.map(({ url, headers }) => [url, headers.get("authorization"), headers.get("x-tenant-id")]);
  };
  const url = `${ORIGIN}/api/leads/query`;
  assert.deepEqual(authorization("/leads#key=lwk_1_b"), [[url, "Bearer lwk_1_b", null]]);
  const elsewhere = "/leads?base=https%3A%2F%2Fa.example%2F&tenant=t1";
  const keys = { "lead-workspace.key ": "own", "lead-workspace.key https://a.example#t1": "other" };
  assert.deepEqual(authorization(elsewhere, { [elsewhere]: "{}" }, keys), [
    ["https://a.example/api/leads/query", "Bearer other", "t1"],
  ]);
  assert.deepEqual(authorization(elsewhere, { [elsewhere]: "{}" }, { "lead-workspace.key ": "own" }), []);
});

test("nothing is sent without a key, or for another address than a noted one", async () => {
  for (const [address, options] of [
    ["/leads", { keys: {} }],
    ["/leads?tab=approved", {}],
    ["/accounts", {}],
    ["/leads?tab=all&q=ada", { noted: null }],
  ]) {
    const page = pageAt(address, { ...options, answer: () => new Response("own") });
    const send = firstQuery(page);
    assert.equal(page.requests.length, 0, address);
    assert.equal(await text(send(...asked('{"page":3}'))), "own", "the app sends its own");
  }
});

test("another view, key, workspace or header is not answered with it", async () => {
  const others = [
    asked('{"page":1,"search":"ada"}'),
    asked('{"page":1}', { key: "lwk_1_b" }),
    asked('{"page":1}', { url: "https://a.example/api/leads/query" }),
    asked('{"page":1}', { headers: { "x-tenant-id": "t1" } }),
  ];
  for (const other of others) {
    const send = firstQuery(pageAt("/leads"));
    assert.equal(await text(send(...other)), "late");
    assert.equal(await text(send(...asked('{"page":1}'))), "early", "it waits for the request that it is for");
  }
});

test("after an error, a lost connection or a long time the request is sent again", async () => {
  const failures = {
    "an error": () => new Response("busy", { status: 503 }),
    "a refused key": () => new Response("", { status: 401 }),
    "a lost connection": () => Promise.reject(new TypeError("Failed to fetch")),
  };
  for (const [name, answer] of Object.entries(failures)) {
    const page = pageAt("/leads", { answer });
    assert.equal(await text(firstQuery(page)(...asked('{"page":1}'))), "late", name);
    assert.equal(page.requests.length, 2, name);
  }
  const page = pageAt("/leads");
  const send = firstQuery(page);
  page.now = 30_001;
  assert.equal(await text(send(...asked('{"page":1}'))), "late");
  assert.ok(page.requests[0].signal.aborted);
});

test("it is aborted with the app's own request", () => {
  const page = pageAt("/leads", { answer: () => new Promise(() => {}) });
  const send = firstQuery(page);
  const call = new AbortController();
  send(...asked('{"page":1}', { signal: call.signal }));
  assert.ok(!page.requests[0].signal.aborted);
  call.abort();
  assert.ok(page.requests[0].signal.aborted);
});
