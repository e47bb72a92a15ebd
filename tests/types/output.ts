// Types of results: every field, open sets, shapes not defined by the contract, errors.

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
// @ts-expect-error unknown field
lead.lead_id;
const account = await ws.getAccount("account-1");
// @ts-expect-error renamed to network_id
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
// @ts-expect-error always a string
export const number: ApprovalStatus = 7;
// @ts-expect-error an unknown status is not a valid argument
void ws.updateLead("lead-1", lead.approval_status ?? "approved");

// Shapes not defined by the contract

export function score(open: Open<ListScore>): number | null | undefined {
  // @ts-expect-error not necessarily an object
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

// Errors: classes without own members must stay distinct

export function handle(error: WorkspaceError): string {
  if (error instanceof AuthError) return error.name;
  if (error instanceof ArgumentError) return error.message;
  if (error instanceof RateLimitError) return String(error.until);
  if (error instanceof ValidationError) {
    return Array.isArray(error.detail) ? error.detail.map(({ msg }) => msg).join() : "";
  }
  same<typeof error.status, number | null>(true);
  // @ts-expect-error read-only
  error.status = 4;
  return error.toJSON().name;
}
// @ts-expect-error only the client creates one
new WorkspaceError("no");
