import { useEffect, useState } from "react";

// Returns a page of leads, or an error. Pass the same `query` object as long as the query does not change.
export function useLeads(workspace, query) {
  const [state, setState] = useState({ page: null, error: null });
  useEffect(() => {
    const controller = new AbortController();
    workspace.queryLeads(query, { signal: controller.signal }).then(
      (page) => setState({ page, error: null }),
      (error) => {
        if (!controller.signal.aborted) setState({ page: null, error });
      },
    );
    return () => controller.abort();
  }, [workspace, query]);
  return state;
}
