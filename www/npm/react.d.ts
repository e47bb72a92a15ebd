/**
 * Hooks for React 18 and later. They load neither the client nor the review screen: both come from where the page
 * imports them. The elements of the screen in JSX are in `lead-workspace/react-ui`.
 *
 * Every hook accepts `null` in place of a workspace or review that is not there yet. On a server, and while the page
 * hydrates, nothing is read and no decision is shown.
 *
 * @module
 */

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
  /** Whether a read is under way, or the workspace is not there yet. */
  readonly isLoading: boolean;
  /** Reads the page again. The same function for the same workspace. */
  readonly reload: () => void;
}

/**
 * Returns the review of a workspace. Every component that passes the same workspace and equal options gets the same
 * one. It is disposed of one second after the last of them was unmounted, so that a move to another route keeps its
 * history, and not before everything that is on its way was saved. Do not dispose of it yourself.
 *
 * @throws {@link ArgumentError} if an option is invalid.
 *
 * @example
 * import type { Workspace } from "lead-workspace";
 * import { useLeads, useReview } from "lead-workspace/react";
 *
 * export function Leads({ workspace }: { workspace: Workspace | null }) {
 *   const review = useReview(workspace);
 *   const { page, error, isLoading, reload } = useLeads(workspace, review, { page_size: 50 });
 *   if (error) return <button onClick={reload}>{error.message} Try again</button>;
 *   if (!page || isLoading) return <p>Loading…</p>;
 *   return page.data.map((lead) => (
 *     <button key={lead.lead_id} onClick={() => review?.decide(lead, "approved")}>
 *       {lead.name}: {lead.approval_status}
 *     </button>
 *   ));
 * }
 */
export function useReview(workspace: Workspace, options?: ReviewOptions): Review;
export function useReview(workspace: Workspace | null | undefined, options?: ReviewOptions): Review | null;

/**
 * Returns the status of a lead. The component renders again only when that status changes.
 *
 * @example
 * import type { Review } from "lead-workspace";
 * import { useLeadStatus } from "lead-workspace/react";
 *
 * export function Status({ review, leadId }: { review: Review; leadId: string }) {
 *   const { shown, phase, reason } = useLeadStatus(review, leadId);
 *   return <span title={reason ?? phase}>{shown}</span>;
 * }
 */
export function useLeadStatus(review: Review | null | undefined, leadId: string | null | undefined): LeadStatus;

/**
 * Returns the review as a whole: how many decisions are on their way or failed, and whether there is something to undo.
 *
 * @example
 * import type { Review } from "lead-workspace";
 * import { useReviewSnapshot } from "lead-workspace/react";
 *
 * export function Undo({ review }: { review: Review }) {
 *   const { pending, canUndo } = useReviewSnapshot(review);
 *   return <button disabled={!canUndo} onClick={() => review.undo()}>Undo ({pending} on their way)</button>;
 * }
 */
export function useReviewSnapshot(review: Review | null | undefined): ReviewSnapshot;

/**
 * Lays the decisions over a page that was read elsewhere, such as by TanStack Query, and follows the review. Pass the
 * same page object until another page was read.
 *
 * @example
 * import { useQuery } from "@tanstack/react-query";
 * import type { Workspace } from "lead-workspace";
 * import { useAppliedPage, useReview } from "lead-workspace/react";
 * import { leadQueries } from "lead-workspace/tanstack";
 *
 * export function Names({ workspace }: { workspace: Workspace }) {
 *   const review = useReview(workspace);
 *   const { data } = useQuery(leadQueries(workspace).leads({ page_size: 50 }));
 *   const page = useAppliedPage(review, data);
 *   return page?.data.map((lead) => <p key={lead.lead_id}>{lead.approval_status}</p>);
 * }
 */
export function useAppliedPage<P extends PageOfLeads<{ readonly lead_id: string | null }> | null | undefined>(
  review: Review | null | undefined,
  page: P,
): P;

/**
 * Reads a page of leads, again whenever the query changes, and lays the decisions over it. A new query aborts the read
 * of the previous one. Queries are compared by their content, so a query may be written in the call. Without a review
 * the page is returned as it was read.
 *
 * @example
 * import { useState } from "react";
 * import type { Review, Workspace } from "lead-workspace";
 * import { useLeads } from "lead-workspace/react";
 *
 * export function Search({ workspace, review }: { workspace: Workspace; review: Review }) {
 *   const [search, setSearch] = useState("");
 *   const { page, isLoading } = useLeads(workspace, review, { search, page_size: 20 });
 *   return (
 *     <>
 *       <input value={search} onChange={(event) => setSearch(event.target.value)} />
 *       <p>{isLoading ? "Loading…" : `${page?.total} found`}</p>
 *     </>
 *   );
 * }
 */
export function useLeads(
  workspace: Workspace | null | undefined,
  review: Review | null | undefined,
  query?: LeadQuery,
): Leads;
