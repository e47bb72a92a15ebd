import assert from "node:assert/strict";
import { test } from "node:test";

import { filter } from "../../www/npm/filter.js";

const on = (operator, value) => (value === undefined ? { field: "x", operator } : { field: "x", operator, value });

test("each method returns a filter with its operator", () => {
  const x = filter("x");
  const built = {
    eq: [x.eq("a"), on("eq", "a")],
    neq: [x.neq(false), on("neq", false)],
    isIn: [x.isIn(["a", "b"]), on("in", ["a", "b"])],
    notIn: [x.notIn(new Set([1, 2])), on("not_in", [1, 2])],
    gt: [x.gt(1), on("gt", 1)],
    gte: [x.gte(1), on("gte", 1)],
    lt: [x.lt(1), on("lt", 1)],
    lte: [x.lte(1), on("lte", 1)],
    between: [x.between(1, 2), on("between", [1, 2])],
    contains: [x.contains("a"), on("contains", "a")],
    notContains: [x.notContains("a"), on("not_contains", "a")],
    startsWith: [x.startsWith("a"), on("starts_with", "a")],
    isSet: [x.isSet(), on("is_set")],
    isNotSet: [x.isNotSet(), on("is_not_set")],
  };
  assert.deepEqual(Object.keys(x), Object.keys(built));
  for (const [name, [found, expected]] of Object.entries(built)) assert.deepEqual(found, expected, name);
});

test("a custom field is filtered by its key", () => {
  const built = filter.custom("Deal size").gte(50000);
  assert.deepEqual(built, { field: "custom_data.Deal size", operator: "gte", value: 50000 });
  assert.deepEqual(Object.keys(filter.custom("a.b")), Object.keys(filter("x")));
  assert.equal(filter.custom("a.b").isSet().field, "custom_data.a.b");
});

test("a list is copied", () => {
  const tiers = ["A"];
  const built = filter("icp_tier").isIn(tiers);
  tiers.push("B");
  assert.deepEqual(built.value, ["A"]);
});
