// Options of queries for TanStack Query. They are plain objects, so that nothing of the library is imported.

import { optionsOf } from "./internal.js";

export function leadQueries(workspace, { review, scope } = {}) {
  const { baseUrl = "", tenantId } = optionsOf(workspace) ?? {};
  const all = ["lead-workspace", scope ?? (tenantId ? `${baseUrl}#${tenantId}` : baseUrl)];
  // The workspace sends a call again by itself if it may.
  const options = (key, read) => ({
    queryKey: [...all, ...key],
    queryFn: (context) => read({ signal: context.signal }, context.pageParam),
    retry: false,
  });
  const select = (lay) => (review ? { select: lay } : {});
  return {
    all,
    leads: (query = {}) => ({
      ...options(["leads", query], (call) => workspace.queryLeads(query, call)),
      ...select((page) => review.apply(page)),
    }),
    infiniteLeads: (query = {}) => ({
      ...options(["infiniteLeads", query], (call, page) => workspace.queryLeads({ ...query, page }, call)),
      ...select((data) => ({ ...data, pages: data.pages.map((page) => review.apply(page)) })),
      initialPageParam: query.page ?? 1,
      getNextPageParam: nextPage,
    }),
    lead: (id) => options(["lead", id], (call) => workspace.getLead(id, call)),
    accounts: (query = {}) => options(["accounts", query], (call) => workspace.queryAccounts(query, call)),
    account: (id, params = {}) => options(["account", id, params], (call) => workspace.getAccount(id, params, call)),
    facets: (context = {}) => options(["facets", context], (call) => workspace.getLeadFacets(context, call)),
  };
}

// A server that does not say whether a page follows is asked until a page is empty.
const nextPage = (last, _, page) => ((last.has_more ?? last.data.length > 0) ? page + 1 : undefined);
