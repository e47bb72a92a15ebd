import assert from "node:assert/strict";
import { test } from "node:test";

import { collector, connect, countListeners, deferred, hang } from "./support/package.mjs";

// A page as the module returns it.
const step = (ids, page) => ({ data: ids.map((lead_id) => ({ lead_id })), page: 1, total: null, rowErrors: [], ...page });

// Answers the requests of pages one after another: with a page, with an error, or with the end.
function pages(fake, ...steps) {
  const signals = [];
  fake.answer = (_, [request, signal]) => {
    signals.push(signal);
    const answer = steps[request - 1];
    return answer instanceof Error ? Promise.reject(answer) : answer;
  };
  return signals;
}

async function ids(rows) {
  const found = [];
  for await (const row of rows) found.push(row.lead_id);
  return found;
}

test("rows are returned one by one, page after page", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a", "b"]), step([]), step(["c"]));
  assert.deepEqual(await ids(ws.leads({ search: "x" }, { maxItems: 9, timeoutMs: 5 })), ["a", "b", "c"]);
  const { name, args } = fake.calls[0];
  assert.equal(name, "leadPages");
  const { signal, ...options } = args[1];
  assert.deepEqual([args[0], options], [{ search: "x" }, { maxItems: 9, timeoutMs: 5 }]);
  assert.deepEqual(fake.freed, ["pages"]);
});

test("accounts have their own pages", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a"]));
  await ids(ws.accounts());
  assert.equal(fake.calls[0].name, "accountPages");
});

for (const [how, leave] of Object.entries({
  "a break": async (rows) => {
    for await (const _ of rows) break;
  },
  "an exception": async (rows) => {
    await assert.rejects(async () => {
      for await (const _ of rows) throw new Error("of the loop's own");
    }, /of the loop's own/);
  },
  "return()": async (rows) => {
    await rows.next();
    await rows.return();
  },
})) {
  test(`${how} aborts the prefetched page`, async (t) => {
    const { ws, fake } = await connect(t);
    const [...signals] = [pages(fake, step(["a", "b"]), step(["c"]))];
    await leave(ws.leads());
    assert.equal(signals[0].length, 1, "an unneeded page was requested");
    assert.ok(signals[0][0].aborted);
    assert.deepEqual(fake.freed, ["pages"]);
  });
}

test("the caller's signal and disposal end an iteration", async (t) => {
  for (const end of [(_, controller) => controller.abort(), (ws) => ws.dispose()]) {
    const { ws, fake } = await connect(t);
    const controller = new AbortController();
    fake.answer = (_, [page, signal]) => (page === 1 ? step(["a"]) : hang(signal));
    const rows = ws.leads({}, { signal: controller.signal });
    await rows.next();
    const next = rows.next();
    end(ws, controller);
    await assert.rejects(next, { name: "AbortError" });
    assert.ok(fake.freed.includes("pages"));
  }
});

test("an abandoned iteration does not delay disposal", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a", "b"]));
  await ws.leads().next();
  ws.dispose();
  assert.deepEqual(fake.freed, ["pages", 0]);
});

for (const [how, end, reason] of [
  ["the caller's signal", (_, controller) => controller.abort(new Error("enough")), { message: "enough" }],
  ["disposal", (ws) => ws.dispose(), { name: "AbortError", message: /disposed of/ }],
]) {
  test(`${how} ends an iteration before the next row`, async (t) => {
    const { ws, fake } = await connect(t);
    const controller = new AbortController();
    pages(fake, step(["a", "b", "c"]));
    const rows = ws.leads({}, { signal: controller.signal });
    await rows.next();
    end(ws, controller);
    assert.ok(fake.freed.includes("pages"), "the prefetched page is not aborted");
    // More than once: it must not look like the end of the rows.
    for (const next of [rows.next(), rows.next()]) {
      await assert.rejects(next, reason);
    }
    await rows.return();
    assert.deepEqual(await rows.next(), { value: undefined, done: true });
  });
}

test("return() aborts the pending request", async (t) => {
  const { ws, fake } = await connect(t);
  fake.answer = (_, [, signal]) => hang(signal);
  const rows = ws.leads();
  const next = rows.next();
  assert.deepEqual(await rows.return("done"), { value: "done", done: true });
  assert.deepEqual(await next, { value: undefined, done: true });
  assert.deepEqual(fake.freed, ["pages"]);
});

for (const [of, start] of Object.entries({ "rows": (rows) => rows, "pages": (rows) => rows.byPage() })) {
  test(`return() does not wait for the pending request of ${of}`, async (t) => {
    const { ws, fake } = await connect(t);
    const under = deferred();
    const requested = deferred();
    fake.answer = (_, [, signal]) => {
      requested.resolve(signal);
      return under.promise;
    };
    const iterator = start(ws.leads());
    const next = iterator.next();
    const signal = await requested.promise;
    assert.deepEqual(await iterator.return(), { value: undefined, done: true });
    assert.ok(signal.aborted);
    under.resolve(step(["late"]));
    assert.deepEqual(await next, { value: undefined, done: true });
  });
}

test("return() before the first row requests nothing", async (t) => {
  const { ws, fake } = await connect(t);
  fake.answer = () => assert.fail("a page was requested");
  const rows = ws.leads();
  assert.deepEqual(await rows.return(), { value: undefined, done: true });
  assert.deepEqual(await rows.next(), { value: undefined, done: true });
});

test("an abandoned iterator leaves no listener on the caller's signal", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a", "b"]));
  const { signal } = new AbortController();
  const listeners = countListeners(signal);
  const start = async () => {
    const rows = ws.leads({}, { signal });
    await rows.next();
  };
  for (let count = 0; count < 5; count += 1) await start();
  const gc = await collector();
  while (listeners.size > 0) await gc();
  assert.equal(fake.freed.filter((freed) => freed === "pages").length, 5);
});

test("an iterator with a pending call is not collected", async (t) => {
  const { ws, fake } = await connect(t);
  const under = deferred();
  fake.answer = (_, [page]) => (page === 1 ? under.promise : undefined);
  const next = ws.leads().next();
  const gc = await collector();
  for (let count = 0; count < 3; count += 1) await gc();
  under.resolve(step(["a"]));
  assert.equal((await next).value.lead_id, "a");
});

test("the query is read at the call", async (t) => {
  const { ws, fake } = await connect(t);
  const query = { search: "a" };
  ws.leads(query);
  assert.equal(fake.calls.length, 1, "the module reads the query at the call");
});

test("invalid options are refused", async (t) => {
  const { ws, fake, ArgumentError } = await connect(t);
  for (const odd of [AbortSignal.timeout(1000), 5000, { signal: new AbortController() }]) {
    const rows = ws.leads({}, odd);
    for (const next of [rows.next(), rows.next()]) await assert.rejects(next, ArgumentError);
  }
  assert.equal(fake.calls.length, 0);
});

test("an iterator has the methods of a generator's", async (t) => {
  const { ws } = await connect(t);
  const rows = ws.leads();
  assert.equal(rows[Symbol.asyncIterator](), rows);
  await assert.rejects(rows.throw(new Error("of the page")), /of the page/);
  assert.deepEqual(await rows.next(), { value: undefined, done: true });
});

test("an error is thrown after the rows before it, and the next loop goes on at the page that failed", async (t) => {
  const { ws, fake, NetworkError } = await connect(t);
  const gone = new NetworkError("gone");
  pages(fake, gone, step(["a", "b"]), gone, gone, step(["c"]));
  const rows = ws.leads();
  const found = [];
  const errors = [];
  for (let done = false; !done; ) {
    try {
      for await (const { lead_id } of rows) found.push(lead_id);
      done = true;
    } catch (error) {
      errors.push([error, found.length]);
    }
  }
  assert.deepEqual(found, ["a", "b", "c"]);
  assert.deepEqual(errors, [[gone, 0], [gone, 2], [gone, 2]]);
  assert.deepEqual(fake.freed, ["pages"]);
  assert.match(gone.stack, /iterate\.test\.mjs/);
});

test("steps that are taken at once get one row each, in order", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a", "b"]), step(["c"]));
  const rows = ws.leads();
  const steps = await Promise.all([1, 2, 3, 4, 5].map(() => rows.next()));
  assert.deepEqual(steps.map(({ value, done }) => [value?.lead_id, done]), [
    ["a", false], ["b", false], ["c", false], [undefined, true], [undefined, true],
  ]);
  assert.equal(fake.calls.length, 1);
});

test("`total` is known from the first page on", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a"], { total: 7 }), step(["b"], { total: 6 }));
  const rows = ws.leads();
  const totals = [rows.total];
  for await (const _ of rows) totals.push(rows.total);
  assert.deepEqual([...totals, rows.total], [null, 7, 6, 6]);
});

test("byPage() returns the pages of the module", async (t) => {
  const { ws, fake } = await connect(t);
  const steps = [step(["a", "b"], { total: 3, more: "kept" }), step([], { page: 2 }), step(["c"], { page: 3 })];
  pages(fake, ...steps);
  const found = [];
  for await (const page of ws.leads().byPage()) found.push(page);
  assert.deepEqual(found, steps);
  assert.deepEqual(fake.freed, ["pages"]);
});

test("byPage() begins with what is left of the current page, and rows may follow pages", async (t) => {
  const { ws, fake } = await connect(t);
  const rowErrors = [{ index: 0, reason: "odd", raw: 7, kept: false }];
  pages(fake, step(["a", "b", "c"], { rowErrors }), step(["d"], { page: 2 }), step(["e", "f"], { page: 3 }));
  const rows = ws.leads();
  await rows.next();
  const byPage = rows.byPage();
  const { value: rest } = await byPage.next();
  assert.deepEqual(rest, step(["b", "c"], { rowErrors }));
  assert.deepEqual((await byPage.next()).value, step(["d"], { page: 2 }));
  assert.equal((await rows.next()).value.lead_id, "e");
  assert.deepEqual((await rows.byPage().next()).value, step(["f"], { page: 3 }));
  assert.deepEqual(await byPage.next(), { value: undefined, done: true });
});

test("byPage() goes on after an error at the page that failed", async (t) => {
  const { ws, fake, NetworkError } = await connect(t);
  pages(fake, step(["a"]), new NetworkError("gone"), step(["b"], { page: 2 }));
  const byPage = ws.leads().byPage();
  await byPage.next();
  await assert.rejects(byPage.next(), NetworkError);
  assert.equal((await byPage.next()).value.page, 2);
  assert.deepEqual(await byPage.next(), { value: undefined, done: true });
});

test("byPage() refuses options", async (t) => {
  const { ws, fake, ArgumentError } = await connect(t);
  fake.answer = () => assert.fail("a page was requested");
  assert.throws(() => ws.leads().byPage({ page_size: 5 }), (error) => {
    assert.ok(error instanceof ArgumentError);
    assert.equal(error.code, "options");
    return /page_size/.test(error.message);
  });
});

test("pages keep the rows that they come from alive", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a"]), step(["b"], { page: 2 }));
  const start = async () => {
    const byPage = ws.leads().byPage();
    await byPage.next();
    return byPage;
  };
  const byPage = await start();
  const gc = await collector();
  for (let count = 0; count < 3; count += 1) await gc();
  assert.deepEqual(fake.freed, []);
  assert.equal((await byPage.next()).value.page, 2);
});
