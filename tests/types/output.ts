// Types of results: every field, open sets, shapes not defined by the contract, errors.

import {
  type Account,
  type AnyWorkspaceError,
  type ApprovalStatus,
  ArgumentError,
  AuthError,
  type BulkOutcome,
  type Change,
  type ChangeEvent,
  type CustomField,
  type CustomKind,
  customOf,
  type Drift,
  facetOptions,
  isApprovalStatus,
  isWorkspaceError,
  type LeadDetail,
  type LeadListItem,
  type Open,
  type ListScore,
  listScores,
  NotFoundError,
  RateLimitError,
  type RowIterator,
  type Score,
  scoreOf,
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
same<LeadListItem["lead_id"], string>(true);
same<Account["id"], string>(true);
void ws.updateLeads(page.data.map(({ lead_id }) => lead_id), "approved");
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

// Pages

const rows = ws.leads();
same<typeof rows, RowIterator<LeadListItem>>(true);
same<typeof rows.total, number | null>(true);
// @ts-expect-error read-only
rows.total = 1;
for await (const { data, page, total, rowErrors } of ws.accounts().byPage()) {
  same<typeof data, Account[]>(true);
  same<typeof page, number>(true);
  same<typeof total, number | null>(true);
  void rowErrors;
}
// @ts-expect-error no options
rows.byPage({ page_size: 5 });

// Changes

for await (const event of ws.changes({ since: 5, onConnection: ({ state }) => void state })) {
  same<typeof event, ChangeEvent>(true);
  same<typeof event.version, number>(true);
  // @ts-expect-error only of a change
  event.changes;
  if (event.kind !== "change") continue;
  same<typeof event.changes, Change[]>(true);
  same<typeof event.changed_at, string | null>(true);
  same<Change["ids"], string[] | null>(true);
}
void ws.changes({
  onConnection(connection) {
    if (connection.state === "open") same<typeof connection.error, null>(true);
    else same<typeof connection.error, WorkspaceError>(true);
  },
});
// @ts-expect-error it goes on until it is left
void ws.changes({ retries: 3 });
// @ts-expect-error a version is a number
void ws.changes({ since: "5" });

// Open sets

export const known: ApprovalStatus = "approved";
export const later: ApprovalStatus = "on_hold";
// @ts-expect-error always a string
export const number: ApprovalStatus = 7;
// @ts-expect-error an unknown status is not a valid argument
void ws.updateLead("lead-1", lead.approval_status ?? "approved");
if (isApprovalStatus(lead.approval_status)) void ws.updateLead("lead-1", lead.approval_status);

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

same<ReturnType<typeof listScores>, Score[]>(true);
same<Score["icp_score"], number | null>(true);
same<keyof Score, "list_id" | "list_name" | "icp_score" | "icp_tier" | "icp_reasoning" | "scored_at">(true);
same<ReturnType<typeof scoreOf>, Score | null>(true);
void [scoreOf(lead), scoreOf(account), scoreOf(page.data[0] ?? lead)];
same<ReturnType<typeof customOf>, unknown>(true);
void [customOf(lead, "Deal size"), customOf(page.data[0] ?? lead, "Deal size")];
const { fields } = await ws.getLeadFields();
same<typeof fields, CustomField[] | null>(true);
export const kind: CustomKind = "number";
for (const field of fields ?? []) {
  same<typeof field.values, number | null>(true);
  // @ts-expect-error a later version may have more kinds
  const closed: CustomKind | null = field.kind;
  void closed;
}
const facets = await ws.getLeadFacets();
for (const facet of [facets.signals, facets.icp_tiers, facets.lists, []]) facetOptions(facet)[0]?.value.length;

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
// `code` and `name` narrow

export function narrow(error: AnyWorkspaceError): number | null | undefined {
  // @ts-expect-error not every error has it
  error.until;
  if (error.code === "rate_limited") return error.until;
  if (error.code === "key_refused") same<typeof error, AuthError>(true);
  if (error.name === "NotFoundError") same<typeof error.code, "not_found">(true);
  switch (error.name) {
    case "WorkspaceError":
      same<typeof error.code, "crashed" | "disposed" | "load" | "redirected" | "status" | null>(true);
      return undefined;
    default:
      same<Extract<typeof error, { code: null }>, never>(true);
      return error.status;
  }
}
export function ofUnknown(error: unknown): number | null | undefined {
  return isWorkspaceError(error) ? narrow(error) : undefined;
}
const outcome = await ws.updateLeads([], "approved");
for (const { error } of outcome.errors) narrow(error);
export const soFar: BulkOutcome = await ws.updateLeads([], "approved").outcome();

// Errors of a test, and of another thread

export const made: AnyWorkspaceError[] = [
  new NotFoundError("No."),
  new RateLimitError("Busy.", { status: 429, until: 5, cause: new Error("x") }),
  new AuthError("No.", { code: "forbidden" }),
  WorkspaceError.fromJSON(new NotFoundError("No.").toJSON()),
];
export const base: WorkspaceError = new WorkspaceError("It failed.", { code: "status", status: 500 });
// @ts-expect-error a code of another class
new NotFoundError("No.", { code: "timeout" });
// @ts-expect-error a member of another class
new NotFoundError("No.", { until: 5 });

// The response of a call

export async function response() {
  const { data, response } = await ws.getLead("a").withResponse();
  const name: string | null = data.name;
  const status: number = response.status;
  const quota: string | null = response.headers.get("x-quota");
  const lead: Promise<LeadDetail> = ws.getLead("a");
  // @ts-expect-error any number of requests
  void ws.updateLeads([], "approved").withResponse;
  return [name, status, quota, response.requestId, response.attempts, lead];
}
