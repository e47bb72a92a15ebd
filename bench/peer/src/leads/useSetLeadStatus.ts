import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { QueryClient } from "@tanstack/react-query";

import { request } from "../api/client";
import { LEAD_PAGES, leadDetail } from "../api/queries";
import type { ApprovalStatus, Lead, LeadStatusUpdate, Page } from "../api/types";

interface Change {
  lead: Pick<Lead, "lead_id" | "name" | "approval_status">;
  status: ApprovalStatus;
}

/**
 * Sets one lead's status, optimistically. Only this lead is written and rolled back, never a snapshot of a page, so
 * that decisions made in quick succession cannot undo each other. Page fetches in flight are not cancelled: the
 * confirmed status is written once more after the server's response.
 */
export function useSetLeadStatus() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ lead, status }: Change) =>
      request<LeadStatusUpdate>(`/api/leads/${encodeURIComponent(lead.lead_id)}`, {
        method: "PATCH",
        body: { approval_status: status },
      }),
    onMutate: ({ lead, status }) => writeStatus(client, lead.lead_id, status),
    onSuccess: (update) => writeStatus(client, update.lead_id, update.approval_status),
    onError: (_error, { lead }) => writeStatus(client, lead.lead_id, lead.approval_status),
  });
}

function writeStatus(client: QueryClient, id: string, status: ApprovalStatus) {
  client.setQueriesData<Page<Lead>>({ queryKey: LEAD_PAGES }, (page) => {
    const index = page?.data.findIndex((lead) => lead.lead_id === id) ?? -1;
    const lead = page?.data[index];
    if (!page || !lead || lead.approval_status === status) return undefined;
    return { ...page, data: page.data.with(index, { ...lead, approval_status: status }) };
  });
  client.setQueryData(leadDetail(id).queryKey, (detail) => detail && { ...detail, approval_status: status });
}
