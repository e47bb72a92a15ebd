/**
 * Stores for Svelte 4 and 5. They load neither the client nor the review screen. On a server nothing is read.
 *
 * In a component, read a store as `$status`; in other modules of Svelte 5, `fromStore(status).current`.
 *
 * @module
 */

import type { Readable } from "svelte/store";

import type { LeadListItem, LeadQuery, Page, Workspace } from "./index.js";
import type { LeadStatus, PageOfLeads, Review, ReviewOptions, ReviewSnapshot } from "./review.js";

/** A page of leads, and how far its read is. */
export interface Leads {
  /**
   * The page with the decisions laid over, or `null`. While another query is read it is the page of the previous
   * query. After an error it is the last page of this query, if there is one.
   */
  readonly page: Page<LeadListItem> | null;
  /** Why the last read failed: a `WorkspaceError`, or an `AbortError` if the workspace was disposed of. */
  readonly error: Error | null;
  /** Whether a read is under way. */
  readonly isLoading: boolean;
  /** Reads the page again. */
  readonly reload: () => void;
}

/**
 * Returns the review of a workspace. Every component that passes the same workspace and equal options gets the same
 * one. It is disposed of one second after the last of them was destroyed, so that a move to another route keeps its
 * history, and not before everything that is on its way was saved. Do not dispose of it yourself.
 *
 * Call it while a component is created; elsewhere use `workspace.review()`. The review stays that of this workspace: for
 * another one, create the component again, in `{#key workspace}`.
 *
 * @throws {@link ArgumentError} if an option is invalid. An error of the same name if there is no workspace.
 *
 * @example
 * import type { Workspace } from "lead-workspace";
 * import { leads, useReview } from "lead-workspace/svelte";
 *
 * export function pendingLeads(workspace: Workspace) {
 *   const review = useReview(workspace);
 *   return { review, list: leads(workspace, review, { page_size: 50 }) };
 * }
 */
export function useReview(workspace: Workspace, options?: ReviewOptions): Review;

/**
 * Returns the status of a lead.
 *
 * @example
 * import type { Review } from "lead-workspace";
 * import { leadStatus } from "lead-workspace/svelte";
 *
 * export const logStatus = (review: Review) =>
 *   leadStatus(review, "lead-1").subscribe(({ shown, phase }) => console.log(shown, phase));
 */
export function leadStatus(
  review: Review | null | undefined,
  leadId: string | null | undefined,
): Readable<LeadStatus>;

/**
 * Returns the review as a whole: how many decisions are on their way or failed, and whether there is something to undo.
 *
 * @example
 * import type { Review } from "lead-workspace";
 * import { reviewSnapshot } from "lead-workspace/svelte";
 * import { derived } from "svelte/store";
 *
 * export const footer = (review: Review) =>
 *   derived(reviewSnapshot(review), ({ pending }) => (pending > 0 ? `${pending} on their way` : "All saved"));
 */
export function reviewSnapshot(review: Review | null | undefined): Readable<ReviewSnapshot>;

/**
 * Lays the decisions over a page that was read elsewhere, such as by TanStack Query, and follows the review.
 *
 * @example
 * import { createQuery } from "@tanstack/svelte-query";
 * import type { Review, Workspace } from "lead-workspace";
 * import { appliedPage } from "lead-workspace/svelte";
 * import { leadQueries } from "lead-workspace/tanstack";
 * import { toStore } from "svelte/store";
 *
 * export function rows(workspace: Workspace, review: Review) {
 *   const query = createQuery(() => leadQueries(workspace).leads({ page_size: 50 }));
 *   return appliedPage(review, toStore(() => query.data));
 * }
 */
export function appliedPage<P extends PageOfLeads<{ readonly lead_id: string | null }> | null | undefined>(
  review: Review | null | undefined,
  page: P | Readable<P>,
): Readable<P>;

/**
 * Reads a page of leads while somebody subscribes, again whenever the query changes, and lays the decisions over it. A
 * new query aborts the read of the previous one. Queries are compared by their content. Without a review the page is
 * returned as it was read.
 *
 * @example
 * import type { LeadQuery, Review, Workspace } from "lead-workspace";
 * import { leads } from "lead-workspace/svelte";
 * import { writable } from "svelte/store";
 *
 * export function search(workspace: Workspace, review: Review) {
 *   const query = writable<LeadQuery>({ page_size: 20 });
 *   return { query, list: leads(workspace, review, query) };
 * }
 */
export function leads(
  workspace: Workspace | null | undefined,
  review: Review | null | undefined,
  query?: LeadQuery | Readable<LeadQuery | undefined>,
): Readable<Leads>;
