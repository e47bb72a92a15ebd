// The list of leads, the same on both sides: a query of TanStack with its usual settings.

import { QueryClient, QueryObserver } from "@tanstack/query-core";

export const LEADS_KEY = ["leads"];

const isLimited = (error) => error?.status === 429;

/** The wait of a retry: what the server asks for, or the default of TanStack. */
export const retryDelay = (failures, error) => error?.retryAfterMs ?? Math.min(1_000 * 2 ** failures, 30_000);

/** Loads the list and keeps it current, as a mounted `useQuery` does. `page` returns what was loaded. */
export function openList(read) {
  const client = new QueryClient({
    defaultOptions: {
      queries: { retryDelay },
      // A change that failed is shown as failed at once; only the rate limit is waited out.
      mutations: { retry: (failures, error) => failures < 4 && isLimited(error), retryDelay },
    },
  });
  client.mount();
  const observer = new QueryObserver(client, { queryKey: LEADS_KEY, queryFn: read });
  observer.subscribe(() => {});
  return { client, page: () => observer.getCurrentResult().data };
}
