// What the Wasm module leaves to scripts: checks of parameters, and parsing of error bodies.

import assert from "node:assert/strict";
import { test } from "node:test";

import { cutShort, explain, parse, refused, step, survey, tell } from "../../src/js/face.js";
import { json, prepare, prepareOne, turn } from "../../src/js/requests.js";

const HALVED = "holds half of a character, such as an emoji that was cut in two.";

const problems = (operation, value) => prepare(operation, "Query", value).problems;

test("parameters within the limits have no problems, whatever else they hold", () => {
  const filters = [
    { field: "icp_tier", operator: "in", value: ["A", 1, true] },
    { field: "icp_score", operator: "between", value: [1, 2] },
    { field: "title", operator: "is_set" },
    { another: "shape" },
    "anything",
    null,
  ];
  assert.equal(problems("query_leads", { filters, search: null, page: 1, page_size: 100, more: 1 }), "");
  assert.equal(problems("query_leads", undefined), "");
  assert.equal(problems("score_accounts", {}), "");
});

test("every limit that is broken is told with its place", () => {
  const query = {
    filters: [
      { field: 1, operator: "eq", value: {} },
      { field: "a", operator: "like" },
      { field: "a", operator: "in", value: "A" },
      { field: "a", operator: "between", value: [1] },
      { field: "a", operator: "contains", value: 5 },
      { field: "a", operator: "is_set", value: 5 },
    ],
    search: 5,
    sort_dir: "down",
    page: 0,
    page_size: 101,
  };
  assert.deepEqual(problems("query_leads", query).split("; "), [
    "filters.0.field: the value must be a string",
    "filters.0.value: the value must be a string, a number or a boolean",
    "filters.1.operator: the value must be one of eq, neq, in, not_in, gt, gte, lt, lte, between, " +
      "contains, not_contains, starts_with, is_set, is_not_set",
    "filters.2.value: the value must be an array of strings, numbers or booleans",
    "filters.3.value: the value must be an array of two bounds",
    "filters.4.value: the value must be a string",
    "filters.5.value: this operator takes no value",
    "search: the value must be a string",
    "sort_dir: the value must be one of asc, desc",
    "page: the number must be at least 1",
    "page_size: the number must be at most 100",
  ]);
  assert.equal(problems("search_lead_facet", {}), "field: this parameter is required");
  assert.equal(problems("score_leads", { lead_ids: [""] }), "lead_ids.0: an id needs at least 1 character");
  const pages = [-1, 2 ** 32, 1.5, 2 ** 63, "1", null].map((page) => problems("query_leads", { page }));
  assert.deepEqual(pages, [
    "page: the number must not be negative",
    "page: the number is too large",
    ...Array(4).fill("page: the value must be an integer"),
  ]);
});

test("parameters are read at once, as JSON has them", () => {
  const query = { search: "a", page: 2, list: undefined, at: new Date(0) };
  const prepared = prepare("query_leads", "LeadQuery", query);
  query.search = "b";
  assert.deepEqual(JSON.parse(prepared.body), { search: "a", page: 2, at: "1970-01-01T00:00:00.000Z" });
  assert.deepEqual(JSON.parse(turn(prepared, 3).body).page, 3);
  const { query: texts } = prepare("search_lead_facet", "q", { field: "a", limit: 5, q: null, n: [1] });
  assert.deepEqual(texts, ["field", "a", "limit", "5", "n", "[1]"]);
  const { it } = prepareOne("get_account", "include_unpromoted", { include_unpromoted: true, timeoutMs: 5 });
  assert.deepEqual(it, { include_unpromoted: true });
});

test("what is no object, or no JSON, is refused before anything is sent", () => {
  const cases = [
    [5, "Nothing was sent: LeadQuery must be an object."],
    [[], "Nothing was sent: LeadQuery must be an object."],
    [{ search: "an emoji \ud83d" }, `Nothing was sent: LeadQuery.search ${HALVED}`],
    [{ filters: [{ value: ["a", "\udc69"] }] }, `Nothing was sent: LeadQuery.filters.0.value.1 ${HALVED}`],
    [{ "\ud800": 1 }, `Nothing was sent: LeadQuery ${HALVED}`],
    [new Map([["search", "a"]]), "Nothing was sent: LeadQuery must be a plain object."],
    [new URLSearchParams("search=a"), "Nothing was sent: LeadQuery must be a plain object."],
    [{ search: 1n }, "Nothing was sent: LeadQuery cannot be written as JSON."],
    [() => {}, "Nothing was sent: LeadQuery cannot be written as JSON."],
  ];
  for (const [value, message] of cases) {
    const refusal = { name: "ArgumentError", message, code: "argument", attempts: 0 };
    assert.throws(() => prepare("query_leads", "LeadQuery", value), refusal);
  }
  assert.equal(problems("query_leads", { search: "\\ud800 \u{1f469}" }), "");
  assert.throws(() => prepareOne("get_account", "include_unpromoted", 5), /the parameters must be an object/);
  assert.equal(json("body", undefined), undefined);
  assert.equal(refused("It is so.").message, "Nothing was sent: It is so.");
});

test("parameters may be getters of a class", () => {
  class Search {
    #text = "a";
    page = 2;
    get search() {
      return this.#text;
    }
  }
  assert.deepEqual(prepare("query_leads", "LeadQuery", new Search()).it, { page: 2, search: "a" });
  class Written {
    toJSON() {
      return { search: "b" };
    }
  }
  assert.deepEqual(prepare("query_leads", "LeadQuery", new Written()).it, { search: "b" });
  assert.deepEqual(prepare("query_leads", "LeadQuery", Object.create(null)).it, {});
});

test("the bodies of errors are explained as the contract has them", () => {
  const entry = { loc: ["body", "page", 0], msg: "too small", type: "x", input: 0, ctx: null };
  const entries = explain(JSON.stringify({ detail: [entry, { msg: "no" }] }));
  assert.equal(entries.said, "page.0: too small; no");
  assert.deepEqual(JSON.parse(entries.json), [
    { loc: ["body", "page", "0"], msg: "too small", type: "x", input: 0, ctx: {} },
    { loc: [], msg: "no", type: "", input: null, ctx: {} },
  ]);
  assert.deepEqual(explain('{"detail": "no"}'), { said: "no", json: '"no"' });
  assert.equal(explain('{"detail": ""}'), undefined);
  assert.deepEqual(explain('{"detail": []}'), { said: "" });
  for (const other of [{ any: 1 }, 5, [1], [{ loc: "page" }], [{ loc: [1.5] }], [{ ctx: [] }]]) {
    const text = JSON.stringify(other);
    assert.deepEqual(explain(JSON.stringify({ detail: other })), { said: text, json: text });
  }
  for (const nothing of ["", "<html>", "null", "5", "{}", "[]", '{"detail":null}', '{"error":"x"}']) {
    assert.equal(explain(nothing), undefined);
  }
});

test("what servers of another kind say is read as well", () => {
  const bodies = [
    { detail: null, message: "no" },
    { detail: "", error: { message: "no" } },
    { error: { code: 5, message: "no" } },
    { type: "about:blank", title: "no", status: 400 },
    { title: "Bad Request", detail: "no" },
  ];
  for (const body of bodies) assert.deepEqual(explain(JSON.stringify(body)), { said: "no", json: '"no"' });
});

test("an answer that cannot be read is not quoted", () => {
  const bytes = new TextEncoder().encode("hunter2 is the password");
  assert.throws(() => parse(bytes), (error) => error.message === "it is not JSON");
});

test("a page is told to the walk, and given without what was there before", () => {
  const page = { data: [{ id: "a" }, { id: null }], rowErrors: [{ index: 1, kept: true }, { index: 2, kept: false }], total: 5, has_more: true, page_size: 3 };
  assert.deepEqual(survey(page, "id"), { ids: ["a", null], lost: 1, total: 5, has_more: true, page_size: 3 });
  assert.deepEqual(step(page, [0, 1], 4, 5, ["a"], undefined), {
    rows: [{ id: null }],
    rowErrors: page.rowErrors,
    drift: [{ kind: "total", before: 4, now: 5 }, { kind: "repeated", ids: ["a"] }],
  });
  assert.deepEqual(step(page, [0, 0], undefined, undefined, undefined, undefined, true).drift, [
    { kind: "incomplete" },
  ]);
});

test("what a listener throws is reported, and an abort tells what became of the leads", (t) => {
  const reported = [];
  const report = globalThis.reportError;
  t.after(() => Object.assign(globalThis, { reportError: report }));
  globalThis.reportError = (error) => reported.push(error);
  tell(() => {
    throw "thrown";
  }, {});
  assert.deepEqual(reported, ["thrown"]);
  const aborted = cutShort({ updated: [] });
  assert.deepEqual([aborted.name, aborted.outcome], ["AbortError", { updated: [] }]);
});
