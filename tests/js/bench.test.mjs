// The statistics and the table of `cargo xtask bench ui`.

import assert from "node:assert/strict";
import { test } from "node:test";

import { METRICS } from "../../bench/ui/metrics.mjs";
import { results, table } from "../../bench/ui/report.mjs";
import { interval, mean, median, quantile, ratio } from "../../bench/ui/statistics.mjs";
import { scriptTime } from "../../bench/ui/trace.mjs";

test("median, mean and quantile, also of an empty list", () => {
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([10, 9, 2, 1]), 5.5);
  assert.equal(mean([1, 2, 6]), 3);
  assert.equal(quantile([3, 1, 2, 4], 0.5), 2);
  assert.equal(quantile([3, 1, 2, 4], 0.98), 4);
  for (const empty of [median([]), mean([]), quantile([], 0.5)]) assert.equal(empty, null);
});

test("the ratio is that of the first values to the second", () => {
  const pairs = Array.from({ length: 15 }, (_, at) => [2 * (10 + at), 10 + at]);
  assert.equal(ratio(pairs), 2);
  const [low, high] = interval(pairs);
  assert.ok(low < 2.5 && low <= 2 && high >= 2 && high > 1.5);
  assert.deepEqual(interval(pairs), [low, high]);
  assert.equal(ratio([[1, 0]]), null);
  assert.equal(ratio([]), null);
});

test("the interval contains 1.00 if two sides differ only by noise", () => {
  const noise = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9];
  const [low, high] = interval(noise.map((one, at) => [100 + one, 100 + noise.at(-1 - at)]));
  assert.ok(low <= 1 && high >= 1, `${low} to ${high}`);
});

test("script time counts nested spans on the main thread once, between the marks", () => {
  const here = { pid: 1, tid: 2 };
  const script = (ts, dur) => ({ name: "FunctionCall", ph: "X", ts, dur, ...here });
  const events = [
    { name: "bench-scroll-start", ts: 1_000, ...here },
    script(500, 100),
    script(2_000, 1_000),
    // Nested in the previous span.
    script(2_100, 500),
    script(2_900, 600),
    { ...script(5_000, 9_000), tid: 3 },
    { ...script(5_000, 9_000), name: "Layout" },
    { name: "bench-scroll-end", ts: 10_000, ...here },
    script(11_000, 100),
  ];
  assert.equal(scriptTime(events), 1.5);
  assert.throws(() => scriptTime([]), /marks/);
});

test("the table has a row for each metric that was measured on at least one side", () => {
  const all = results([
    [{ sort: 120, facet: 7, growth: -0.5 }, { sort: 100, growth: 0.5 }],
    [{ sort: 60 }, { sort: 100 }],
    [{}, { sort: 100 }],
  ]);
  assert.deepEqual(all.map(({ name }) => name), METRICS.map(([name]) => name));
  const sort = all.find(({ name }) => name === "sort");
  assert.deepEqual(sort.medians, [90, 100]);
  assert.equal(sort.ratio, 0.9);
  assert.deepEqual(sort.samples, [[120, 100], [60, 100], [null, 100]]);

  const lines = table(all, ["ours", "peer"]).split("\n");
  assert.deepEqual(lines.slice(2).map((line) => line.split(" ")[1]), ["sort", "facet", "growth"]);
  assert.equal(new Set(lines.map(({ length }) => length)).size, 1);
  assert.match(lines[0], /ours \| +peer \| unit \| ours \/ peer/);
  assert.match(lines.find((line) => line.includes("| sort ")), /90\.0 \| +100 \| ms +\| +0\.900 \|/);
  assert.match(lines.find((line) => line.includes("| facet ")), /7\.00 \| +n\/a \| ms +\| +n\/a \|/);
});
