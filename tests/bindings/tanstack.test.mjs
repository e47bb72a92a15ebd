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
  assert.equal(key(at(`${base}/`), query), key(at(base), query));
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
  const call = (name) => (...args) => (calls.push([name, ...args]), pageOf());
  const workspace = new Proxy({}, { get: (_, name) => call(name) });
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
  await answer(0, { ...pageOf("a"), total: 2, has_more: true });
  observer.fetchNextPage();
  // This server does not say whether a page follows.
  await answer(1, { ...pageOf("b"), total: 2, has_more: null });
  observer.fetchNextPage();
  await answer(2, { ...pageOf(), total: 2, has_more: null });
  assert.equal(observer.getCurrentResult().hasNextPage, false);
  assert.deepEqual(workspace.reads.map(({ query }) => query), [1, 2, 3].map((page) => ({ page_size: 1, page })));
  const rows = observer.getCurrentResult().data.pages.flatMap(({ data }) => data);
  assert.deepEqual(rows.map((row) => row.approval_status), ["pending_approval", "approved"]);
});

/** A service whose list changes while it is read: a lead that is decided leaves it. */
class Service {
  reads = 0;
  /** Members of each page that this service does not state. */
  unstated = {};
  #ids;

  constructor(leads) {
    this.#ids = Array.from({ length: leads }, (_, index) => `lead-${index}`);
  }

  async queryLeads({ page = 1, page_size: size }) {
    this.reads += 1;
    const { data } = pageOf(...this.#ids.slice((page - 1) * size, page * size));
    const total = this.#ids.length;
    return { data, total, page, page_size: size, has_more: page * size < total, ...this.unstated };
  }

  decide(ids) {
    this.#ids = this.#ids.filter((id) => !ids.includes(id));
  }

  /** Leads that come to the front of the list. */
  add(...ids) {
    this.#ids.unshift(...ids);
  }
}

/** Observes the leads of a service, five by five. */
function list(t, service) {
  const options = leadQueries(service).infiniteLeads({ page_size: 5 });
  const observer = new InfiniteQueryObserver(clientFor(t), options);
  t.after(observer.subscribe(() => {}));
  const result = () => observer.getCurrentResult();
  const ids = () => (result().data?.pages ?? []).flatMap(({ data }) => data.map((row) => row.lead_id));
  const first = () => until(() => assert.equal(result().status, "success"));
  return { observer, result, ids, first };
}

const named = (count) => Array.from({ length: count }, (_, index) => `lead-${index}`);

for (const unstated of [{}, { page: null, page_size: null, has_more: null }]) {
  for (const share of [1, 0.5, 0.2]) {
    const what = Object.keys(unstated).length > 0 ? ", by a service that states only the total" : "";
    test(`every lead is shown once while ${share * 100} % of those shown are decided${what}`, async (t) => {
      const service = new Service(43);
      service.unstated = unstated;
      const { observer, result, ids, first } = list(t, service);
      await first();
      while (result().hasNextPage) {
        service.decide(ids().filter((_, index, all) => index >= all.length - 5 && (index % 5) / 5 < share));
        await observer.fetchNextPage();
      }
      assert.deepEqual(ids(), named(43));
      assert.ok(service.reads < 40, `${service.reads} reads`);
    });
  }
}

test("a read again begins at the first page, and leads that were decided are not on it", async (t) => {
  const service = new Service(30);
  const { observer, ids, first } = list(t, service);
  await first();
  service.decide(ids());
  await observer.fetchNextPage();
  assert.deepEqual(ids(), named(10));
  await observer.refetch();
  assert.deepEqual(ids(), named(15).slice(5));
  // While all pages are read again, too, the list becomes shorter.
  const read = service.queryLeads;
  service.queryLeads = async (query) => {
    const page = await read.call(service, query);
    if (query.page === 1) service.decide(["lead-5"]);
    return page;
  };
  await observer.refetch();
  assert.deepEqual(ids(), named(11).slice(5));
  while (observer.getCurrentResult().hasNextPage) await observer.fetchNextPage();
  assert.deepEqual(ids(), named(30).slice(5));
});

test("no lead is lost if others leave the list with every request", async (t) => {
  const service = new Service(43);
  const { observer, result, ids, first } = list(t, service);
  await first();
  const read = service.queryLeads;
  const left = [];
  service.queryLeads = async (query) => {
    left.push(ids().find((id) => !left.includes(id)));
    service.decide(left);
    return read.call(service, query);
  };
  while (result().hasNextPage) await observer.fetchNextPage();
  assert.deepEqual(ids(), named(43));
});

test("a total that goes up and down, as of two servers, does not ask without end", async (t) => {
  const service = new Service(20);
  const { observer, result, first } = list(t, service);
  await first();
  const read = service.queryLeads;
  service.queryLeads = async (query) => {
    const page = await read.call(service, query);
    return { ...page, total: page.total - (service.reads % 2) };
  };
  while (result().hasNextPage && service.reads < 100) await observer.fetchNextPage();
  assert.ok(service.reads < 20, `${service.reads} reads`);
});

test("leads that come to the list do not end it, or show others twice", async (t) => {
  const service = new Service(20);
  const { observer, ids, first } = list(t, service);
  await first();
  // The next page has nothing new.
  service.add("new-0", "new-1", "new-2", "new-3", "new-4");
  await observer.fetchNextPage();
  assert.deepEqual(ids(), named(10));
  service.add("new-5", "new-6");
  await observer.fetchNextPage();
  await observer.fetchNextPage();
  assert.deepEqual(ids(), named(18));
});

test("a page whose rows cannot be read does not end the list", async (t) => {
  const service = new Service(15);
  const read = service.queryLeads;
  service.queryLeads = async (query) => {
    const page = await read.call(service, query);
    return query.page === 2 ? { ...page, data: [] } : page;
  };
  const { observer, result, ids, first } = list(t, service);
  await first();
  while (result().hasNextPage) await observer.fetchNextPage();
  assert.deepEqual(ids(), [...named(5), ...named(15).slice(10)]);
});

test("a service that ignores the page ends the list", async (t) => {
  const service = new Service(20);
  const read = service.queryLeads;
  service.queryLeads = (query) => read.call(service, { ...query, page: 1 });
  const { observer, result, ids, first } = list(t, service);
  await first();
  await observer.fetchNextPage();
  assert.deepEqual([ids(), result().hasNextPage, service.reads], [named(5), false, 2]);
});
