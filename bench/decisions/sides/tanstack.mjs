// The usual optimistic update: https://tanstack.com/query/latest/docs/framework/react/guides/optimistic-updates

import { MutationObserver } from "@tanstack/query-core";

import { LEADS_KEY, openList } from "./list.mjs";

class ApiError extends Error {
  constructor(status, retryAfter) {
    super(`status ${status}`);
    this.status = status;
    this.retryAfterMs = retryAfter > 0 ? retryAfter * 1_000 : undefined;
  }
}

async function request(path, method, body, signal) {
  const response = await fetch(`http://127.0.0.1${path}`, { method, body: JSON.stringify(body), signal });
  if (!response.ok) throw new ApiError(response.status, Number(response.headers.get("retry-after")));
  return response.json();
}

function send({ ids, status }) {
  if (ids.length > 1) return request("/api/leads", "PATCH", { lead_ids: ids, approval_status: status });
  return request(`/api/leads/${encodeURIComponent(ids[0])}`, "PATCH", { approval_status: status });
}

function withStatus(page, ids, status) {
  const change = (row) => (ids.includes(row.lead_id) ? { ...row, approval_status: status } : row);
  return page && { ...page, data: page.data.map(change) };
}

/** As the documentation has it. */
function documented(client) {
  return {
    mutationFn: send,
    onMutate: async ({ ids, status }) => {
      await client.cancelQueries({ queryKey: LEADS_KEY });
      const before = client.getQueryData(LEADS_KEY);
      client.setQueryData(LEADS_KEY, (page) => withStatus(page, ids, status));
      return { before };
    },
    onError: (_error, { failed }, context) => {
      client.setQueryData(LEADS_KEY, context?.before);
      failed();
    },
    onSettled: () => client.invalidateQueries({ queryKey: LEADS_KEY }),
  };
}

/**
 * With what careful teams add: one change at a time, everything is retried, only the leads of the change are rolled
 * back, and the list is read again only after the last change.
 */
function careful(client) {
  return {
    ...documented(client),
    scope: { id: "decisions" },
    retry: 4,
    onError: (_error, { ids, failed }, context) => {
      const before = new Map(context?.before?.data.map((row) => [row.lead_id, row.approval_status]));
      for (const id of ids) client.setQueryData(LEADS_KEY, (page) => withStatus(page, [id], before.get(id)));
      failed();
    },
    onSettled: () => {
      if (client.isMutating() === 1) return client.invalidateQueries({ queryKey: LEADS_KEY });
    },
  };
}

const PATTERNS = { documented, careful };

export async function open(pattern) {
  const { client, page } = openList(({ signal }) => request("/api/leads/query", "POST", { page_size: 100 }, signal));
  const observer = new MutationObserver(client, PATTERNS[pattern](client));
  /** The latest change of each lead, and whether the user was told that it failed. */
  const latest = new Map();
  const rows = () => page()?.data;
  let steps = [];

  function change(ids, status) {
    const one = { isFailed: false };
    for (const id of ids) latest.set(id, one);
    const failed = () => {
      one.isFailed = true;
      steps = steps.filter((step) => step.change !== one);
    };
    observer.mutate({ ids, status, failed }).catch(() => {});
    return one;
  }

  return {
    rows,
    decide(ids, status) {
      const before = rows().filter((row) => ids.includes(row.lead_id));
      steps.push({ before, change: change(ids, status) });
    },
    /** A button of the kind that such pages have: it sends the statuses from before the latest decision. */
    undo() {
      const step = steps.pop();
      if (!step) return [];
      for (const status of new Set(step.before.map((row) => row.approval_status))) {
        const ids = step.before.filter((row) => row.approval_status === status).map((row) => row.lead_id);
        change(ids, status);
      }
      return step.before.map((row) => [row.lead_id, row.approval_status]);
    },
    refetch: () => client.refetchQueries({ queryKey: LEADS_KEY }),
    isToldUnsaved: (id) => latest.get(id)?.isFailed === true,
  };
}
