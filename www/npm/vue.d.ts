/**
 * Composables for Vue 3.3 and later. They load neither the client nor the review screen. Call them in `setup`, or in
 * an `effectScope`; they end with it. On a server nothing is read.
 *
 * @module
 */

import type { ComputedRef, MaybeRefOrGetter } from "vue";

import type { LeadListItem, LeadQuery, Page, Workspace } from "./index.js";
import type { LeadStatus, PageOfLeads, Review, ReviewOptions, ReviewSnapshot } from "./review.js";

/** A page of leads, and how far its read is. */
export interface Leads {
  /**
   * The page with the decisions laid over, or `null`. While another query is read it is the page of the previous
   * query. After an error it is the last page of this query, if there is one.
   */
  readonly page: ComputedRef<Page<LeadListItem> | null>;
  /** Why the last read failed: a `WorkspaceError`, or an `AbortError` if the workspace was disposed of. */
  readonly error: ComputedRef<Error | null>;
  /** Whether a read is under way. */
  readonly isLoading: ComputedRef<boolean>;
  /** Reads the page again. */
  readonly reload: () => void;
}

/**
 * Returns the review of a workspace. Every component that passes the same workspace and equal options gets the same
 * one. It is disposed of one second after the last of them was unmounted, so that a move to another route keeps its
 * history, and not before everything that is on its way was saved. Do not dispose of it yourself.
 *
 * The workspace must exist: mount the component when it does, with `v-if` or in a `<Suspense>`. The review stays that of
 * this workspace: for another one, mount the component again, with the workspace as its `:key`.
 *
 * @throws {@link ArgumentError} if an option is invalid. An error of the same name if there is no workspace.
 *
 * @example
 * import { defineComponent, h } from "vue";
 * import type { Workspace } from "lead-workspace";
 * import { useLeads, useReview } from "lead-workspace/vue";
 *
 * export const Leads = (workspace: Workspace) =>
 *   defineComponent(() => {
 *     const review = useReview(workspace);
 *     const { page } = useLeads(workspace, review, { page_size: 50 });
 *     return () =>
 *       page.value?.data.map((lead) =>
 *         h("button", { onClick: () => review.decide(lead, "approved") }, `${lead.name}: ${lead.approval_status}`),
 *       );
 *   });
 */
export function useReview(workspace: Workspace, options?: ReviewOptions): Review;

/**
 * Returns the status of a lead.
 *
 * @example
 * import type { Review } from "lead-workspace";
 * import { useLeadStatus } from "lead-workspace/vue";
 *
 * export function useColor(review: Review, leadId: () => string) {
 *   const status = useLeadStatus(review, leadId);
 *   return () => (status.value.shown === "approved" ? "green" : "gray");
 * }
 */
export function useLeadStatus(
  review: Review | null | undefined,
  leadId: MaybeRefOrGetter<string | null | undefined>,
): ComputedRef<LeadStatus>;

/**
 * Returns the review as a whole: how many decisions are on their way or failed, and whether there is something to undo.
 *
 * @example
 * import { computed } from "vue";
 * import type { Review } from "lead-workspace";
 * import { useReviewSnapshot } from "lead-workspace/vue";
 *
 * export function useFooter(review: Review) {
 *   const snapshot = useReviewSnapshot(review);
 *   return computed(() => (snapshot.value.pending > 0 ? `${snapshot.value.pending} on their way` : "All saved"));
 * }
 */
export function useReviewSnapshot(review: Review | null | undefined): ComputedRef<ReviewSnapshot>;

/**
 * Lays the decisions over a page that was read elsewhere, such as by TanStack Query, and follows the review. Hold the
 * page in a `shallowRef`: a page inside `reactive` or `ref` is another object each time.
 *
 * @example
 * import { useQuery } from "@tanstack/vue-query";
 * import type { Workspace } from "lead-workspace";
 * import { leadQueries } from "lead-workspace/tanstack";
 * import { useAppliedPage, useReview } from "lead-workspace/vue";
 *
 * export function useRows(workspace: Workspace) {
 *   const { data } = useQuery({ ...leadQueries(workspace).leads({ page_size: 50 }), shallow: true });
 *   return useAppliedPage(useReview(workspace), data);
 * }
 */
export function useAppliedPage<P extends PageOfLeads<{ readonly lead_id: string | null }> | null | undefined>(
  review: Review | null | undefined,
  page: MaybeRefOrGetter<P>,
): ComputedRef<P>;

/**
 * Reads a page of leads, again whenever the query changes, and lays the decisions over it. A new query aborts the read
 * of the previous one. Queries are compared by their content. Without a review the page is returned as it was read.
 *
 * @example
 * import { ref } from "vue";
 * import type { Review, Workspace } from "lead-workspace";
 * import { useLeads } from "lead-workspace/vue";
 *
 * export function useSearch(workspace: Workspace, review: Review) {
 *   const search = ref("");
 *   return { search, ...useLeads(workspace, review, () => ({ search: search.value, page_size: 20 })) };
 * }
 */
export function useLeads(
  workspace: Workspace | null | undefined,
  review: Review | null | undefined,
  query?: MaybeRefOrGetter<LeadQuery | undefined>,
): Leads;
