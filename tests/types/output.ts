// What comes out: every field, open sets, shapes that the contract leaves open, errors.

import {
  type ApprovalStatus,
  ArgumentError,
  AuthError,
  type Drift,
  type LeadListItem,
  type Open,
  type ListScore,
  RateLimitError,
  ValidationError,
  type Workspace,
  WorkspaceError,
} from "lead-workspace";

declare const ws: Workspace;

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

// Results

const page = await ws.queryLeads();
same<(typeof page)["data"], LeadListItem[]>(true);
same<LeadListItem["lead_id"], string | null>(true);
same<(typeof page)["total"], number | null>(true);
const lead = await ws.getLead("lead-1");
// @ts-expect-error may be null
lead.name.length;
// @ts-expect-error no such field
lead.lead_id;
const account = await ws.getAccount("account-1");
// @ts-expect-error read into network_id
account.linkedin_id;
same<typeof account.is_promoted, boolean | null>(true);
const pulse = await ws.getAccountPulse("account-1");
same<typeof pulse.classification_counts, { [name: string]: number } | null>(true);
same<Awaited<ReturnType<typeof ws.deleteLead>>, undefined>(true);
same<Awaited<ReturnType<typeof ws.request>>, unknown>(true);
for await (const row of ws.leads({}, { maxItems: 3 })) same<typeof row, LeadListItem>(true);

// Open sets

export const known: ApprovalStatus = "approved";
export const later: ApprovalStatus = "on_hold";
// @ts-expect-error a text all the same
export const number: ApprovalStatus = 7;
// @ts-expect-error what came out may not go in again unread
void ws.updateLead("lead-1", lead.approval_status ?? "approved");

// Shapes that the contract leaves open

export function score(open: Open<ListScore>): number | null | undefined {
  // @ts-expect-error it may be anything
  open.icp_score;
  if (typeof open !== "object" || open === null || Array.isArray(open)) return undefined;
  same<typeof open, ListScore>(true);
  return open.icp_score;
}
same<NonNullable<typeof lead.profile_data>["title"], string | null | undefined>(true);
same<NonNullable<typeof lead.custom_data>[string], unknown>(true);

// Jobs and drift

const job = await ws.waitForJob("job-1", { onProgress: ({ state }) => void state });
switch (job.state) {
  case "running":
  case "succeeded":
  case "failed":
  case "cancelled":
    break;
  default:
    same<typeof job.state, never>(true);
}
export const moved = (drift: Drift) => (drift.kind === "total" ? drift.now - drift.before : 0);

// Errors: classes without members of their own must not be taken for one another

export function handle(error: WorkspaceError): string {
  if (error instanceof AuthError) return error.name;
  if (error instanceof ArgumentError) return error.message;
  if (error instanceof RateLimitError) return String(error.until);
  if (error instanceof ValidationError) {
    return Array.isArray(error.detail) ? error.detail.map(({ msg }) => msg).join() : "";
  }
  same<typeof error.status, number | null>(true);
  // @ts-expect-error only read
  error.status = 4;
  return error.toJSON().name;
}
// @ts-expect-error made by the client only
new WorkspaceError("no");
