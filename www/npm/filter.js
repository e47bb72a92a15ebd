// Builds the filters of a query.

/** Starts a filter on a field: `filter("icp_tier").isIn(["A", "B"])`, `filter.custom("Deal size").gte(50000)`. */
export const filter = /* @__PURE__ */ Object.assign((field) => filterOn(field), {
  custom: (key) => filterOn(`custom_data.${key}`),
});

function filterOn(field) {
  const on = (operator) => (value) => ({ field, operator, value });
  const among = (operator) => (values) => ({ field, operator, value: [...values] });
  const presence = (operator) => () => ({ field, operator });
  return {
    eq: on("eq"),
    neq: on("neq"),
    isIn: among("in"),
    notIn: among("not_in"),
    gt: on("gt"),
    gte: on("gte"),
    lt: on("lt"),
    lte: on("lte"),
    between: (low, high) => ({ field, operator: "between", value: [low, high] }),
    contains: on("contains"),
    notContains: on("not_contains"),
    startsWith: on("starts_with"),
    isSet: presence("is_set"),
    isNotSet: presence("is_not_set"),
  };
}
