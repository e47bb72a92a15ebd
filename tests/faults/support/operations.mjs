// The operations of the API as the tests call them, with a correct response for each. The list of operations is the
// table in crates/api: loading this file fails if one is missing here.

import { readFileSync } from "node:fs";
import { join } from "node:path";

const TABLE = join(import.meta.dirname, "../../../crates/api/src/endpoints.rs");

const page = (row) => ({ data: [row], total: 1, page: 1, page_size: 50, has_more: false });

const CALLS = {
  queryLeads: { args: [{ page: 1 }], answer: page({ lead_id: "lead-1", name: "Ada" }) },
  getLeadFacets: { args: [{}], answer: { company_sizes: ["11-50"] } },
  searchLeadFacet: {
    args: [{ field: "company", q: "ac" }],
    answer: { field: "company", items: [{ value: "Acme", label: "Acme" }], has_more: false },
  },
  getLead: { args: ["lead-1"], answer: { id: "lead-1", name: "Ada" } },
  updateLead: {
    args: ["lead-1", "approved"],
    answer: { lead_id: "lead-1", approval_status: "approved" },
  },
  updateLeads: { args: [["lead-1"], "approved"], answer: { updated: 1 } },
  // The contract defines no body; some servers send one anyway.
  deleteLead: { args: ["lead-1"], answer: { deleted: true } },
  scoreLeads: { args: [{ lead_ids: ["lead-1"] }], answer: { job_id: "job-1" } },
  queryAccounts: { args: [{ page: 1 }], answer: page({ id: "account-1", name: "Acme" }) },
  getAccount: { args: ["account-1", {}], answer: { id: "account-1", name: "Acme" } },
  getAccountPulse: { args: ["account-1"], answer: { account_id: "account-1" } },
  scoreAccounts: { args: [{ account_ids: ["account-1"] }], answer: { job_id: "job-1" } },
};

const ROW = /\n\s+[a-z_]+ (\w+) \w+: (\w+) "[^"]+" \[[^\]]*\];\s+\w+ [^;]+?=> (\d+) [^;]+; (\w+);/g;

export const OPERATIONS = rows().map(([, name, method, status, retry]) => {
  const call = CALLS[name];
  if (!call) throw new Error(`${name} is in the table, but no test calls it`);
  return { name, method: method.toUpperCase(), status: Number(status), class: retry.toLowerCase(), ...call };
});

function rows() {
  const table = readFileSync(TABLE, "utf8").split("macro_rules! for_each_extension")[0];
  const found = [...table.matchAll(ROW)];
  if (found.length !== 12) throw new Error(`the table has ${found.length} rows instead of 12`);
  return found;
}
