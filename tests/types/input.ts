// Types of arguments: closed sets, filters typed by their operator, options.

import {
  type AccountFilter, type CreateOptions, filter, type LeadFilter, type LeadQuery, Workspace,
} from "lead-workspace";

declare module "lead-workspace" {
  interface CustomLeadFields {
    seniority: "junior" | "senior";
    years_in_role: number;
    is_remote: boolean;
    hired_at: Date;
  }
  interface CustomAccountFields {
    revenue: number;
  }
}

declare const ws: Workspace;

// Filters

export const good: LeadFilter[] = [
  { field: "name", operator: "contains", value: "ada" },
  { field: "icp_score", operator: "gte", value: 70 },
  { field: "icp_score", operator: "between", value: [40, 70] },
  { field: "is_premium", operator: "eq", value: true },
  { field: "created_at", operator: "lt", value: "2026-01-31" },
  { field: "created_at", operator: "between", value: [new Date(0), "2026-01-31"] },
  { field: "seniority", operator: "in", value: ["senior"] },
  { field: "years_in_role", operator: "gt", value: 2 },
  { field: "list_id", operator: "not_in", value: ["list-1", "list-2"] },
  { field: "chat_label", operator: "is_set" },
  { field: "chat_label", operator: "is_not_set", value: null },
  { field: "custom_data.Deal size", operator: "gte", value: 50000 },
  { field: "custom_data.Segment", operator: "in", value: ["Retail", 7, true] },
  // The filter format of another upstream.
  { path: "name", match: "ada" },
];

export const bad: LeadFilter[] = [
  // @ts-expect-error unknown field
  { field: "nmae", operator: "eq", value: "ada" },
  // @ts-expect-error unknown operator
  { field: "name", operator: "like", value: "ada" },
  // @ts-expect-error a number field requires a number
  { field: "icp_score", operator: "gte", value: "70" },
  // @ts-expect-error a boolean field requires a boolean
  { field: "is_premium", operator: "eq", value: "yes" },
  // @ts-expect-error this operator requires a list
  { field: "icp_tier", operator: "in", value: "A" },
  // @ts-expect-error this operator requires two bounds
  { field: "icp_score", operator: "between", value: [40] },
  // @ts-expect-error two bounds, not three
  { field: "icp_score", operator: "between", value: [40, 50, 60] },
  // @ts-expect-error this operator requires a string
  { field: "name", operator: "contains", value: 7 },
  // @ts-expect-error this operator takes no value
  { field: "name", operator: "is_set", value: "ada" },
  // @ts-expect-error the value is missing
  { field: "name", operator: "eq" },
  // @ts-expect-error a field of accounts
  { field: "lead_count", operator: "eq", value: 1 },
  // @ts-expect-error a number contains no text
  { field: "icp_score", operator: "contains", value: "7" },
  // @ts-expect-error true is not greater than false
  { field: "is_premium", operator: "gt", value: true },
  // @ts-expect-error an id is compared to the letter
  { field: "list_id", operator: "starts_with", value: "list" },
  // @ts-expect-error a text has no bounds
  { field: "name", operator: "gte", value: "m" },
  // @ts-expect-error no value of the added field
  { field: "seniority", operator: "eq", value: "chief" },
  // @ts-expect-error the name of a custom field begins with custom_data.
  { field: "custom.Deal size", operator: "eq", value: 1 },
  // @ts-expect-error an operator of order requires one bound
  { field: "custom_data.Deal size", operator: "gte", value: [1, 2] },
  // @ts-expect-error an added field of accounts
  { field: "revenue", operator: "eq", value: 1 },
];

export const built: LeadFilter[] = [
  filter("name").contains("ada"),
  filter("icp_score").gte(70),
  filter("icp_score").between(40, 70),
  filter("icp_tier").isIn(["A", "B"] as const),
  filter("list_id").notIn(new Set(["list-1"])),
  filter("is_premium").eq(true),
  filter("created_at").lt(new Date(0)),
  filter("chat_label").isNotSet(),
  filter("seniority").isIn(["junior"]),
  filter("seniority").startsWith("jun"),
  filter("years_in_role").gt(2),
  filter("hired_at").gte(new Date(0)),
  filter("is_remote").eq(false),
  filter.custom("Deal size").between(1000, 50000),
  filter.custom("Renewal").lt(new Date(0)),
  filter.custom("Segment").contains("food"),
  filter.custom("Hot").eq(true),
];
export const sorted: LeadQuery = { sort_by: "custom_data.Deal size", sort_dir: "desc" };
// @ts-expect-error unknown column
export const unsorted: LeadQuery = { sort_by: "Deal size" };
// @ts-expect-error a part is a text
filter.custom("Deal size").contains(5);
// @ts-expect-error accounts have no custom fields
void ws.queryAccounts({ filters: [filter.custom("Deal size").gt(5)] });
export const ofAccounts: AccountFilter[] = [filter("lead_count").gt(5), filter("revenue").lt(1e6)];
// @ts-expect-error unknown field
filter("nmae");
// @ts-expect-error a number contains no text
filter("icp_score").contains("7");
// @ts-expect-error a number field requires a number
filter("icp_score").gte("70");
// @ts-expect-error true is not greater than false
filter("is_premium").gt(false);
// @ts-expect-error an id is compared to the letter
filter("icp_tier").startsWith("A");
// @ts-expect-error a text is no list of texts
filter("icp_tier").isIn("AB");
// @ts-expect-error no value of the added field
filter("seniority").eq("chief");
// @ts-expect-error a field of accounts
void ws.queryLeads({ filters: [filter("lead_count").gt(5)] });
const filters = Object.freeze([filter("icp_tier").eq("A")]);
void ws.leads({ filters });

// Queries

export const query: LeadQuery = { search: null, sort_by: "icp_score", sort_dir: "asc", page: 2 };
// @ts-expect-error unknown column
export const column: LeadQuery = { sort_by: "score" };
// @ts-expect-error unknown direction
export const direction: LeadQuery = { sort_dir: "up" };
// @ts-expect-error unknown parameter
export const parameter: LeadQuery = { pageSize: 10 };
// @ts-expect-error the facet is missing
void ws.searchLeadFacet({ q: "a" });
void ws.queryAccounts({ sort_by: "lead_count", list_id: null, include_unpromoted: true });
// @ts-expect-error a column of leads
void ws.queryAccounts({ sort_by: "headline" });

// Methods

void ws.updateLead("lead-1", "filtered");
// @ts-expect-error arguments accept only known statuses
void ws.updateLead("lead-1", "on_hold");
// @ts-expect-error a status is missing
void ws.updateLead("lead-1");
void ws.updateLeads(["a"] as const, "approved", { chunkSize: 50 });
// @ts-expect-error not defined by the contract
void ws.updateLeads(["a"], null);
// @ts-expect-error ids are strings
void ws.updateLeads([1, 2], "approved");
const ids: readonly string[] = ["a"];
void ws.scoreLeads({ lead_ids: ids, lead_list_ids: ids });
void ws.scoreAccounts({ account_ids: ids });
void ws.getAccount("a", { include_unpromoted: true, timeoutMs: 5 }, { retries: 0 });
void ws.queryLeads({}, { signal: AbortSignal.timeout(5) });
// @ts-expect-error a signal must be a member of the options
void ws.queryLeads({}, AbortSignal.timeout(5));
// @ts-expect-error unknown option
void ws.queryLeads({}, { timeout: 5 });

// Creation

// @ts-expect-error only `Workspace.create` creates one
new Workspace();
export const fixed: CreateOptions = { baseUrl: "", apiKey: "k" };
export const asked: CreateOptions = { baseUrl: "", getApiKey: async () => "k", wasm: "/a.wasm" };
// @ts-expect-error the key is missing
export const keyless: CreateOptions = { baseUrl: "" };
// @ts-expect-error two keys
export const both: CreateOptions = { baseUrl: "", apiKey: "k", getApiKey: () => "k" };
// @ts-expect-error unknown option
export const typo: CreateOptions = { baseURL: "", apiKey: "k" };

// Beyond the contract

void ws.queryLeads({}, { headers: { "x-a": "b", "x-c": undefined }, extraQuery: { a: 1 }, extraBody: { b: [null] } });
void ws.getLead("a", { headers: new Headers() });
void ws.getLead("a", { headers: [["x-a", "b"]] });
// @ts-expect-error values are strings
void ws.getLead("a", { headers: { "x-a": 5 } });
// @ts-expect-error an object
void ws.queryLeads({}, { extraQuery: "a=b" });
// @ts-expect-error unknown parameters need their own option
void ws.queryLeads({ cursor: "a" });
export const observed: CreateOptions = {
  baseUrl: "",
  apiKey: "lwk_1_a",
  allowApiKeyInPage: true,
  fetch,
  logger: console,
  logLevel: "debug",
  hooks: { onResponse: ({ aborted, error }) => aborted || error?.code === "not_found" },
};
export const mocked: CreateOptions = { baseUrl: "", apiKey: "a", fetch: async () => Response.json({}) };
// @ts-expect-error unknown level
export const level: CreateOptions = { baseUrl: "", apiKey: "a", logLevel: "verbose" };
// @ts-expect-error functions are missing
export const logger: CreateOptions = { baseUrl: "", apiKey: "a", logger: { log() {} } };
// @ts-expect-error not a promise of a response
export const text: CreateOptions = { baseUrl: "", apiKey: "a", fetch: async () => "text" };

export function decisions(leads: readonly { lead_id: string }[], maybe: string | undefined) {
  const review = ws.review();
  review.retry();
  review.revert(leads);
  review.apply({ data: [{ lead_id: null }] });
  // @ts-expect-error the lead may be missing
  review.retry(leads[0]);
  // @ts-expect-error the lead may be missing
  review.revert(maybe);
}
