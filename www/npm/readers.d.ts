// Readers of what the contract leaves open.

import type { FreeObject, ListScore, NewApprovalStatus } from "./types.js";

/** A score as {@link listScores} reads it: every member is present. One of another type in the response is null. */
export type Score = {
  [Member in keyof ListScore as string extends Member ? never : Member]-?: Exclude<ListScore[Member], undefined>;
};

/** A value of a facet as {@link facetOptions} reads it. */
export interface FacetValue {
  /** The value for a filter. */
  value: string;
  /** The label to display; the value if it has none. */
  label: string;
  /** Number of leads with this value; null if it is not given. */
  count: number | null;
}

/**
 * Reads the scores of a lead or an account, one per list. Elements that are no scores are left out.
 *
 * @example
 * const lead = await ws.getLead("lead-1");
 * for (const { list_name, icp_score } of listScores(lead)) console.log(list_name, icp_score);
 */
export function listScores(row: { readonly list_scores: readonly unknown[] | null }): Score[];

/**
 * Reads the highest score of a lead or an account, the last one of equals; null if it has none.
 *
 * @example
 * for await (const lead of ws.leads()) console.log(lead.name, scoreOf(lead)?.icp_score);
 */
export function scoreOf(row: { readonly list_scores: readonly unknown[] | null }): Score | null;

/**
 * Reads a custom field of a lead, by its key: a member of `custom_data`, which may be any JSON value; null if the lead has
 * none.
 *
 * @example
 * for await (const lead of ws.leads()) console.log(lead.name, customOf(lead, "Deal size"));
 */
export function customOf(lead: { readonly custom_data: FreeObject | null }, key: string): unknown;

/**
 * Reads the values of a facet, whichever form its elements have: a text, a number, or an object with `value` or an id,
 * and perhaps a label or a name. Elements without a value are left out.
 *
 * @example
 * const { signals } = await ws.getLeadFacets();
 * for (const { value, label, count } of facetOptions(signals)) console.log(value, label, count);
 */
export function facetOptions(facet: readonly unknown[] | null | undefined): FacetValue[];

/**
 * Whether a value is an approval status that can be set. Responses may have others.
 *
 * @example
 * const { approval_status } = await ws.getLead("lead-1");
 * if (isApprovalStatus(approval_status)) await ws.updateLead("lead-2", approval_status);
 */
export function isApprovalStatus(value: unknown): value is NewApprovalStatus;
