/**
 * Options of queries for TanStack Query 5, in React, Vue, Svelte, Solid or Angular. They are plain objects: nothing of
 * the library is imported.
 *
 * @module
 */

import type {
  Account,
  AccountDetail,
  AccountDetailQuery,
  AccountQuery,
  FacetContext,
  Facets,
  LeadDetail,
  LeadListItem,
  LeadQuery,
  Page,
  Workspace,
} from "./index.js";
import type { Review } from "./review.js";

/** Options of {@link leadQueries}. */
export interface LeadQueriesOptions {
  /** The review whose decisions are laid over pages of leads, by `select`. */
  review?: Review | null | undefined;
  /**
   * Part of every query key. Set it if the cache is kept over reloads and different people use the browser.
   * @defaultValue the base URL and the tenant of the workspace
   */
  scope?: string | undefined;
}

/** Options of `useQuery`, `createQuery`, `fetchQuery` and the like. */
export interface ReadOptions<Data> {
  /** `"lead-workspace"`, the scope, the name of the query, and what it is for. */
  queryKey: readonly unknown[];
  /** Reads the data. The read is aborted with the query. */
  queryFn: (context: { signal: AbortSignal }) => Promise<Data>;
  /** The workspace sends a read again by itself. */
  retry: false;
}

/** Options of a query for a page of leads. */
export interface LeadsOptions extends ReadOptions<Page<LeadListItem>> {
  /** Lays the decisions over the page. Another function for each call, so that a component that renders again applies it. */
  select?: (page: Page<LeadListItem>) => Page<LeadListItem>;
}

/**
 * The pages of an infinite query. The first has the rows of its page. Each later one has the next rows that are on none of the
 * pages before, so it may have fewer than `page_size`, and its `page` is the number of the page that they are on now.
 */
export interface LeadPages {
  pages: Page<LeadListItem>[];
  pageParams: number[];
}

/** Options of `useInfiniteQuery` and the like. */
export interface InfiniteLeadsOptions {
  /** `"lead-workspace"`, the scope, `"infiniteLeads"` and the query. */
  queryKey: readonly unknown[];
  /** Reads a page; pages before it again from which rows have left. The reads are aborted with the query. */
  queryFn: (context: { signal: AbortSignal; pageParam: number }) => Promise<Page<LeadListItem>>;
  /** The page of the query, 1 by default. */
  initialPageParam: number;
  /** The number of the next page; `undefined` if none follows. */
  getNextPageParam: (last: Page<LeadListItem>, pages: Page<LeadListItem>[], page: number) => number | undefined;
  /** Lays the decisions over the pages, as in {@link LeadsOptions}. */
  select?: (data: LeadPages) => LeadPages;
  /** The workspace sends a read again by itself. */
  retry: false;
}

/** The queries of a workspace. */
export interface LeadQueries {
  /** The start of every query key, for `invalidateQueries` and `removeQueries`. */
  readonly all: readonly unknown[];
  /** A page of leads. */
  leads(query?: LeadQuery): LeadsOptions;
  /**
   * Pages of leads, one after the other. No lead is shown twice, and none is skipped when decisions take rows out of the query,
   * as its `total` tells. If as many rows come to the query as leave it between two reads, leads may be missed until the next
   * `refetch`.
   */
  infiniteLeads(query?: LeadQuery): InfiniteLeadsOptions;
  /** One lead in full. */
  lead(id: string): ReadOptions<LeadDetail>;
  /** A page of accounts. */
  accounts(query?: AccountQuery): ReadOptions<Page<Account>>;
  /** One account in full. */
  account(id: string, params?: AccountDetailQuery): ReadOptions<AccountDetail>;
  /** The facets of the leads. */
  facets(context?: FacetContext): ReadOptions<Facets>;
}

/**
 * Returns the queries of a workspace. With a `review` pages of leads have its decisions laid over when the component
 * renders; `useAppliedPage` of `lead-workspace/react` and its like also render it again after each decision.
 *
 * @example
 * import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
 * import type { Workspace } from "lead-workspace";
 * import { leadQueries } from "lead-workspace/tanstack";
 *
 * export function Totals({ workspace }: { workspace: Workspace }) {
 *   const queries = leadQueries(workspace);
 *   const client = useQueryClient();
 *   const { data: page } = useQuery(queries.leads({ page_size: 10 }));
 *   const { data: lead } = useQuery({ ...queries.lead("lead-1"), enabled: page !== undefined });
 *   const { data: all, fetchNextPage } = useInfiniteQuery(queries.infiniteLeads({ page_size: 100 }));
 *   return (
 *     <>
 *       <p>{page?.total} leads, {all?.pages.length} pages loaded, the first is {lead?.name}</p>
 *       <button onClick={() => fetchNextPage()}>More</button>
 *       <button onClick={() => client.invalidateQueries({ queryKey: queries.all })}>Reload</button>
 *     </>
 *   );
 * }
 */
export function leadQueries(workspace: Workspace, options?: LeadQueriesOptions): LeadQueries;
