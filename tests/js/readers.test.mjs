// Readers of what the contract leaves open. `crates/api/tests/it/shapes.rs` reads the same cases in Rust.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { load } from "./support/package.mjs";

const CASES = JSON.parse(await readFile(join(import.meta.dirname, "../fixtures/shapes.json"), "utf8"));

for (const { about, list_scores, scores, best } of CASES.scores) {
  test(`scores: ${about}`, async (t) => {
    const { listScores, scoreOf } = await load(t);
    assert.deepEqual(listScores({ list_scores }), scores);
    assert.deepEqual(scoreOf({ list_scores }), best === null ? null : scores[best]);
  });
}

for (const { about, custom_data, key, value } of CASES.custom) {
  test(`custom fields: ${about}`, async (t) => {
    const { customOf } = await load(t);
    assert.deepEqual(customOf({ custom_data }, key), value);
  });
}

for (const { about, facet, options } of CASES.facets) {
  test(`facets: ${about}`, async (t) => {
    const { facetOptions } = await load(t);
    assert.deepEqual(facetOptions(facet), options);
  });
}

test("a facet that is missing has no values", async (t) => {
  const { facetOptions } = await load(t);
  assert.deepEqual([facetOptions(null), facetOptions(undefined)], [[], []]);
});

test("approval statuses that can be set are recognized", async (t) => {
  const { isApprovalStatus } = await load(t);
  for (const status of ["approved", "pending_approval", "rejected", "filtered"]) assert.ok(isApprovalStatus(status));
  for (const odd of ["on_hold", "Approved", "", null, undefined, 7, ["approved"]]) assert.ok(!isApprovalStatus(odd));
});
