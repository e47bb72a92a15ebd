// The query options in TanStack Query itself, which all its adapters share.

import { InfiniteQueryObserver, QueryClient, QueryObserver, hashKey } from "@tanstack/query-core";
import assert from "node:assert/strict";
import { test } from "node:test";

import { leadQueries } from "../../www/npm/tanstack.js";
import { remember } from "../../www/npm/internal.js";
import { FakeReview, FakeWorkspace, pageOf } from "./support/fake.mjs";
import { until } from "./support/until.mjs";

const clientFor = (t) => {
  const client = new QueryClient();
  client.mount();
  t.after(() => {
    client.clear();
    client.unmount();
  });
  return client;
};

const at = (baseUrl, tenantId) => {
  const workspace = new FakeWorkspace();
  remember(workspace, { baseUrl, tenantId });
  return workspace;
};

test("query keys are equal for equal queries of one workspace only", () => {
  const key = (workspace, query, options) => hashKey(leadQueries(workspace, options).leads(query).queryKey);
  const base = "https://a.example";
  const query = { search: "ada", page: 2 };
  assert.equal(key(at(base), query), key(at(base), { page: 2, search: "ada", filters: undefined }));
  const keys = [
    key(at(base), query),
    key(at(base), { search: "ada" }),
    key(at(base, "one"), query),
    key(at(base, "other"), query),
    key(at("https://b.example"), query),
    key(at(base), query, { scope: "ada@a.example" }),
  ];
  assert.equal(new Set(keys).size, keys.length);
  const { all, ...queries } = leadQueries(at(base));
  const kinds = Object.values(queries).map((options) => options("x").queryKey);
  for (const queryKey of kinds) assert.deepEqual(queryKey.slice(0, 2), all);
  assert.equal(new Set(kinds.map(hashKey)).size, 6);
});

test("each query calls its method with its arguments and the signal", async () => {
  const calls = [];
  const workspace = new Proxy({}, { get: (_, name) => (...args) => calls.push([name, ...args]) });
  const queries = leadQueries(workspace);
  const { signal } = new AbortController();
  for (const options of [
    queries.leads({ page: 2 }),
    queries.lead("lead-1"),
    queries.accounts({ list_id: "list-1" }),
    queries.account("account-1", { include_unpromoted: true }),
    queries.account("account-2"),
    queries.facets({ signal_id: "signal-1" }),
    queries.facets(),
  ]) {
    await options.queryFn({ signal, client: null });
  }
  await queries.infiniteLeads({ search: "ada" }).queryFn({ signal, pageParam: 3 });
  assert.deepEqual(calls, [
    ["queryLeads", { page: 2 }, { signal }],
    ["getLead", "lead-1", { signal }],
    ["queryAccounts", { list_id: "list-1" }, { signal }],
    ["getAccount", "account-1", { include_unpromoted: true }, { signal }],
    ["getAccount", "account-2", {}, { signal }],
    ["getLeadFacets", { signal_id: "signal-1" }, { signal }],
    ["getLeadFacets", {}, { signal }],
    ["queryLeads", { search: "ada", page: 3 }, { signal }],
  ]);
});

test("a query that nobody observes is aborted, and a failed one is not sent again", async (t) => {
  const client = clientFor(t);
  const workspace = new FakeWorkspace();
  const observer = new QueryObserver(client, leadQueries(workspace).leads());
  const stop = observer.subscribe(() => {});
  assert.equal(workspace.reads[0].signal.aborted, false);
  stop();
  assert.equal(workspace.reads[0].signal.aborted, true);
  const fetched = client.fetchQuery(leadQueries(workspace).leads({ page: 2 }));
  workspace.reads[1].reject(new Error("gone"));
  await assert.rejects(fetched, /gone/);
  const observed = new QueryObserver(client, leadQueries(workspace).leads({ page: 3 }));
  t.after(observed.subscribe(() => {}));
  workspace.reads[2].reject(new Error("gone"));
  await until(() => assert.equal(observed.getCurrentResult().status, "error"));
  assert.equal(workspace.reads.length, 3);
});

test("a review is laid over a page, and again when the component renders", async (t) => {
  const client = clientFor(t);
  const workspace = new FakeWorkspace();
  const review = new FakeReview();
  const options = () => leadQueries(workspace, { review }).leads();
  const observer = new QueryObserver(client, options());
  t.after(observer.subscribe(() => {}));
  review.decide("a", "approved");
  workspace.reads[0].resolve(pageOf("a", "b"));
  const shown = () => observer.getCurrentResult().data?.data.map((lead) => lead.approval_status);
  await until(() => assert.deepEqual(shown(), ["approved", "pending_approval"]));
  review.decide("b", "rejected");
  observer.setOptions(options());
  assert.deepEqual(shown(), ["approved", "rejected"]);
  assert.equal(workspace.reads.length, 1);
});

test("the pages of an infinite query follow each other, with the review laid over", async (t) => {
  const client = clientFor(t);
  const workspace = new FakeWorkspace();
  const review = new FakeReview();
  review.decide("b", "approved");
  const options = leadQueries(workspace, { review }).infiniteLeads({ page_size: 1 });
  const observer = new InfiniteQueryObserver(client, options);
  t.after(observer.subscribe(() => {}));
  const answer = async (index, page) => {
    await until(() => assert.equal(workspace.reads.length, index + 1));
    workspace.reads[index].resolve(page);
    await until(() => assert.equal(observer.getCurrentResult().data?.pages.length, index + 1));
  };
  await answer(0, { ...pageOf("a"), has_more: true });
  observer.fetchNextPage();
  // This server does not say whether a page follows.
  await answer(1, { ...pageOf("b"), has_more: null });
  observer.fetchNextPage();
  await answer(2, { ...pageOf(), has_more: null });
  assert.equal(observer.getCurrentResult().hasNextPage, false);
  assert.deepEqual(workspace.reads.map(({ query }) => query), [1, 2, 3].map((page) => ({ page_size: 1, page })));
  const rows = observer.getCurrentResult().data.pages.flatMap(({ data }) => data);
  assert.deepEqual(rows.map((row) => row.approval_status), ["pending_approval", "approved"]);
});
