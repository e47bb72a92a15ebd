import { useEffect, useState } from "react";

// A page of leads, and the error if there was one. `query` is the same object while it means the same.
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
