import assert from "node:assert/strict";
import { test } from "node:test";

import { connect, hang } from "./support/package.mjs";

const step = (ids, more = {}) => ({
  rows: ids.map((lead_id) => ({ lead_id })),
  rowErrors: [],
  drift: [],
  ...more,
});

function pages(fake, ...steps) {
  const signals = [];
  fake.answer = (_, [page, signal]) => {
    signals.push(signal);
    return steps[page - 1];
  };
  return signals;
}

async function ids(rows) {
  const found = [];
  for await (const row of rows) found.push(row.lead_id);
  return found;
}

test("rows come one by one, page after page", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a", "b"]), step([]), step(["c"]));
  assert.deepEqual(await ids(ws.leads({ search: "x" }, { maxItems: 9, timeoutMs: 5 })), ["a", "b", "c"]);
  const { name, args } = fake.calls[0];
  assert.equal(name, "leadPages");
  assert.deepEqual(args.slice(0, 2), [{ search: "x" }, { maxItems: 9 }]);
  assert.equal(args[2].timeoutMs, 5);
  assert.equal("onDrift" in args[2] || "maxItems" in args[2], false);
  assert.deepEqual(fake.freed, ["pages"]);
});

test("accounts have pages of their own", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a"]));
  await ids(ws.accounts());
  assert.equal(fake.calls[0].name, "accountPages");
});

test("drift and odd rows are told before the rows of their page", async (t) => {
  const { ws, fake } = await connect(t);
  const odd = { index: 1, reason: "name: expected a text, got 5", raw: { name: 5 } };
  const drift = { kind: "total", before: 3, now: 4 };
  pages(fake, step(["a"]), step(["b"], { rowErrors: [odd], drift: [drift] }));
  const told = [];
  const options = { onDrift: (event) => told.push(event), onRowError: (event) => told.push(event) };
  for await (const row of ws.leads({}, options)) told.push(row.lead_id);
  assert.deepEqual(told, ["a", odd, drift, "b"]);
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
  test(`${how} ends the page that is fetched ahead`, async (t) => {
    const { ws, fake } = await connect(t);
    const [...signals] = [pages(fake, step(["a", "b"]), step(["c"]))];
    await leave(ws.leads());
    assert.equal(signals[0].length, 1, "a page was asked for that nobody wanted");
    assert.ok(signals[0][0].aborted);
    assert.deepEqual(fake.freed, ["pages"]);
  });
}

test("the caller's signal and disposal end a walk", async (t) => {
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

test("a walk that was left lying does not hold up disposal", async (t) => {
  const { ws, fake } = await connect(t);
  pages(fake, step(["a", "b"]));
  await ws.leads().next();
  ws.dispose();
  assert.deepEqual(fake.freed, [0]);
});

test("an error of a page comes through, and the walk is over", async (t) => {
  const { ws, fake, NetworkError } = await connect(t);
  fake.answer = () => Promise.reject(new NetworkError("gone"));
  const rows = ws.leads();
  await assert.rejects(rows.next(), NetworkError);
  assert.deepEqual(await rows.next(), { value: undefined, done: true });
});
