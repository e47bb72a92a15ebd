import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { request } from "./client";
import type { FacetSearch, Facets, Lead, LeadDetail, Page, QuerySpec } from "./types";

export const PAGE_SIZE = 100;

/** Options for one page of a paged query endpoint. */
function pageOptions<T>(resource: "leads", spec: QuerySpec, page: number) {
  return queryOptions({
    queryKey: [resource, "page", page, spec] as const,
    queryFn: ({ signal }) =>
      request<Page<T>>(`/api/${resource}/query`, {
        method: "POST",
        body: { ...spec, page, page_size: PAGE_SIZE },
        signal,
      }),
    // Scrolling through a long list visits many pages; let unused ones go early.
    gcTime: 60_000,
  });
}

export type PageOptions<T> = (spec: QuerySpec, page: number) => ReturnType<typeof pageOptions<T>>;

export const leadsPage: PageOptions<Lead> = (spec, page) => pageOptions<Lead>("leads", spec, page);

/** Matches the cached pages of every leads query. */
export const LEAD_PAGES = ["leads", "page"] as const;

export const leadDetail = (id: string) =>
  queryOptions({
    queryKey: ["leads", "detail", id] as const,
    queryFn: ({ signal }) => request<LeadDetail>(`/api/leads/${encodeURIComponent(id)}`, { signal }),
  });

export const leadFacets = queryOptions({
  queryKey: ["leads", "facets"] as const,
  queryFn: ({ signal }) => request<Facets>("/api/leads/facets", { signal }),
  staleTime: 5 * 60_000,
});

export const facetSearch = (field: string, q: string) =>
  queryOptions({
    queryKey: ["leads", "facets", field, q] as const,
    queryFn: ({ signal }) =>
      request<FacetSearch>(`/api/leads/facets/search?${new URLSearchParams({ field, q, limit: "20" })}`, {
        signal,
      }),
    placeholderData: keepPreviousData,
  });
