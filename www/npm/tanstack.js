// Options of queries for TanStack Query. They are plain objects, so that nothing of the library is imported.

import { storageScope } from "./internal.js";

export function leadQueries(workspace, { review, scope } = {}) {
  const all = ["lead-workspace", scope ?? storageScope(workspace)];
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
    infiniteLeads: (query = {}) => {
      const first = query.page ?? 1;
      // The pages before the next one. TanStack Query asks for its number right before it reads it.
      let before = { pages: [] };
      return {
        ...options(["infiniteLeads", query], (call, number) => {
          const read = (page) => workspace.queryLeads({ ...query, page }, call);
          return nextRows(read, number, first, before.next === number ? before.pages : []);
        }),
        ...select((data) => ({ ...data, pages: data.pages.map((page) => review.apply(page)) })),
        initialPageParam: first,
        getNextPageParam(last, pages, number) {
          if (!hasMore(last)) return undefined;
          before = { pages, next: (last.page ?? number) + 1 };
          return before.next;
        },
      };
    },
    lead: (id) => options(["lead", id], (call) => workspace.getLead(id, call)),
    accounts: (query = {}) => options(["accounts", query], (call) => workspace.queryAccounts(query, call)),
    account: (id, params = {}) => options(["account", id, params], (call) => workspace.getAccount(id, params, call)),
    facets: (context = {}) => options(["facets", context], (call) => workspace.getLeadFacets(context, call)),
  };
}

// A server that does not say whether a page follows is asked until a page is empty.
const hasMore = (page) => page.has_more ?? page.data.length > 0;

/**
 * Reads the next page that has rows which none of the pages before has, and returns it with these. When rows have left the
 * list, such as by decisions, later ones have moved onto pages that were read already: those are read again.
 */
async function nextRows(read, asked, first, before) {
  const seen = new Set(before.flatMap(({ data }) => data.map((row) => row.lead_id)));
  const known = before.at(-1)?.total;
  let number = asked;
  // All rows before this position were read.
  let open;
  // Of totals that go up and down, as of several servers, each lower one counts once.
  let lowest = known;
  for (;;) {
    const page = await read(number);
    const size = page.page_size ?? page.data.length;
    const start = (number - 1) * size;
    const left = page.total !== null && lowest > page.total ? lowest - page.total : 0;
    open = (open ?? start) - left;
    lowest -= left;
    const missed = Math.max(Math.floor(open / size) + 1, first);
    if (missed < number) {
      number = missed;
      continue;
    }
    const data = page.data.filter((row) => !seen.has(row.lead_id));
    const next = { ...page, page: number, data };
    // A page that is empty may have rows that could not be read.
    if (data.length > 0 || page.data.length === 0 || !hasMore(page)) return next;
    // Rows that have come to the list explain so many pages without a new one. A server that ignores `page` has no others.
    if (number >= asked && (number - asked + 1) * size > (page.total - known || 0)) return { ...next, has_more: false };
    number += 1;
    open = start + size;
  }
}
