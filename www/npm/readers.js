// Readers of what the contract leaves open, with the results of those in `crates/api/src/shapes.rs`: a test compares
// the two.

import { isObject, isWhole } from "./body.js";
import { APPROVAL_STATUSES, ListScore } from "./shapes.js";

/** Returns the scores of a lead or an account. Elements that are no scores are left out. */
export function listScores(row) {
  return (row.list_scores ?? []).map(ListScore).filter(Boolean);
}

/** Returns the highest score of a lead or an account, the last one of equals; null if there is none. */
export function scoreOf(row) {
  const points = (score) => score.icp_score ?? -1;
  return listScores(row).reduce((best, score) => (best && points(best) > points(score) ? best : score), null);
}

/** Returns the value of a custom field of a lead; null if it has none. */
export function customOf(lead, key) {
  const data = lead.custom_data;
  return isObject(data) && Object.hasOwn(data, key) ? data[key] : null;
}

/** Returns the values of a facet. Elements without a value are left out. */
export function facetOptions(facet) {
  return (facet ?? []).map(facetOption).filter(Boolean);
}

function facetOption(raw) {
  if (!isObject(raw)) {
    const value = scalar(raw);
    return value === null ? null : { value, label: value, count: null };
  }
  const names = Object.keys(raw).sort();
  const find = (is) => names.filter(is).map((name) => scalar(raw[name])).find((text) => text !== null);
  const named = (wanted) => find((name) => name === wanted);
  // `item_id` is the id of an entry in a list, not of the list.
  const value = named("value") ?? named("id") ?? find((name) => name.endsWith("_id") && name !== "item_id");
  if (value === undefined) return null;
  const label = named("label") ?? named("name") ?? find((name) => name.endsWith("_name"));
  return { value, label: label ?? value, count: isWhole(raw.count, 0, 2 ** 64) ? raw.count : null };
}

function scalar(value) {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

/** Whether a text is a status that can be set. */
export function isApprovalStatus(value) {
  return APPROVAL_STATUSES.includes(value);
}
