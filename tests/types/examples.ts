import { init, Workspace, WorkspaceError, ValidationError, AuthError, NotFoundError, RateLimitError, TimeoutError, NetworkError, DecodeError, OutcomeUnknownError, ArgumentError } from "lead-workspace";
import { mountAccountPulse, mountLeadReview, type View } from "lead-workspace/ui";

declare const ws: Workspace;

export async function example0() {
  await init(new URL("/static/client.wasm", location.href));
}

export async function example1() {
  const ws = await Workspace.create({ baseUrl: "https://workspace.example", apiKey: "lwk_1_example" });
  const page = await ws.queryLeads({ search: "chief revenue officer", page_size: 20 });
  for (const lead of page.data) console.log(lead.name, lead.approval_status);
  ws.dispose();
}

export async function example2() {
  const ws = await Workspace.create({
    baseUrl: "https://workspace.example",
    getApiKey: async () => (await fetch("/session/key")).text(),
    hooks: { onRetry: ({ operation, delayMs }) => console.warn(operation, delayMs) },
  });
}

export async function example3() {
  const page = await ws.queryLeads({
    filters: [
      { field: "icp_score", operator: "gte", value: 70 },
      { field: "icp_tier", operator: "in", value: ["A", "B"] },
    ],
    sort_by: "created_at",
  });
  console.log(page.total, page.data.length, page.rowErrors);
}

export async function example4() {
  const facets = await ws.getLeadFacets({ campaign_id: "campaign-1" });
  console.log(facets.icp_tiers);
}

export async function example5() {
  const found = await ws.searchLeadFacet({ field: "company", q: "acme", limit: 5 });
  for (const item of found.items ?? []) console.log(item.label, item.count);
}

export async function example6() {
  const lead = await ws.getLead("lead-1");
  console.log(lead.name, lead.current_account?.name);
}

export async function example7() {
  const { approval_status } = await ws.updateLead("lead-1", "approved");
  console.log(approval_status);
}

export async function example8() {
  const outcome = await ws.updateLeads(["lead-1", "lead-2"], "rejected", {
    onProgress: ({ done, total }) => console.log(`${done} of ${total}`),
  });
  for (const { ids, error } of outcome.errors) console.error(ids.length, error.message);
  if (outcome.uncertain.length > 0) await ws.updateLeads(outcome.uncertain, "rejected");
}

export async function example9() {
  await ws.deleteLead("lead-1");
}

export async function example10() {
  const { job_id } = await ws.scoreLeads({ lead_list_ids: ["list-1"] });
  if (job_id !== null) await ws.waitForJob(job_id);
}

export async function example11() {
  const page = await ws.queryAccounts({
    filters: [{ field: "lead_count", operator: "between", value: [5, 50] }],
    sort_by: "icp_score",
  });
  console.log(page.data.map((account) => account.name));
}

export async function example12() {
  const account = await ws.getAccount("account-1", { include_unpromoted: true });
  console.log(account.name, account.network_id);
}

export async function example13() {
  const pulse = await ws.getAccountPulse("account-1");
  console.log(pulse.leads_replied, pulse.best_signal?.lead_name);
}

export async function example14() {
  const started = await ws.scoreAccounts({ account_ids: ["account-1"] });
  console.log(started.workflow_id);
}

export async function example15() {
  const job = await ws.getJob("job-1");
  console.log(job.state, job.progress);
}

export async function example16() {
  const job = await ws.waitForJob("job-1", {
    onProgress: ({ progress }) => console.log(progress),
    deadlineMs: 10 * 60_000,
  });
  if (job.state !== "succeeded") console.error(job.error);
}

export async function example17() {
  const found = await ws.request("POST", "/api/enrichment/reverse-email-lookups", {
    email: "ada@example.com",
  });
  console.log(found);
}

export async function example18() {
  const ids: string[] = [];
  const pending = { field: "approval_status", operator: "eq", value: "pending_approval" } as const;
  for await (const { lead_id } of ws.leads({ filters: [pending], page_size: 100 }, { maxItems: 1000 })) {
    if (lead_id !== null) ids.push(lead_id);
  }
  await ws.updateLeads(ids, "approved");
}

export async function example19() {
  for await (const account of ws.accounts({ list_id: "list-1" })) {
    console.log(account.name, account.lead_count);
  }
}

export async function example20() {
  const { state, retryAfterMs } = ws.gate;
  if (state === "closed") console.log(`busy for ${retryAfterMs} ms`);
}

export async function example21() {
  ws.dispose();
}

export async function example22() {
  {
    using session = await Workspace.create({ baseUrl: "", apiKey: "lwk_1_example" });
    await session.getLead("lead-1");
  }
}

export async function example23() {
  const { data, response } = await ws.getLead("lead-1").withResponse();
  console.log(data.name, response.status, response.requestId);
}

export async function example24() {
  try {
    await ws.updateLead("lead-1", "approved");
  } catch (error) {
    if (!(error instanceof WorkspaceError)) throw error;
    console.error(error.message, error.requestId);
    if (error.retryable) console.log("worth another try");
  }
}

export async function example25() {
  const report = (error: WorkspaceError) => navigator.sendBeacon("/log", JSON.stringify(error));
}

export async function example26() {
  const explain = (error: ValidationError) =>
    Array.isArray(error.detail)
      ? error.detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)
      : [JSON.stringify(error.detail)];
}

export async function example27() {
  const mustSignIn = (error: unknown) => error instanceof AuthError && error.status !== 403;
}

export async function example28() {
  const lead = await ws.getLead("lead-1").catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
}

export async function example29() {
  const again = (error: RateLimitError) => (error.until === null ? null : new Date(error.until));
}

export async function example30() {
  const slow = (error: unknown) => error instanceof TimeoutError;
}

export async function example31() {
  const offline = (error: unknown) => error instanceof NetworkError && !navigator.onLine;
}

export async function example32() {
  const wrongServer = (error: unknown) => error instanceof DecodeError;
}

export async function example33() {
  const askFirst = (error: unknown) => error instanceof OutcomeUnknownError;
}

export async function example34() {
  const mistake = await ws.queryLeads({ page_size: 1000 }).catch((error: unknown) => error);
  console.log(mistake instanceof ArgumentError);
}

export async function example35() {
  const view: View = "leads?tab=approved&sort=name";
}

export async function example36() {
  const workspace = await Workspace.create({ baseUrl: "https://workspace.example", apiKey: "lwk_…" });
  const place = document.querySelector("#review")!;
  const review = mountLeadReview(place, {
    workspace,
    view: "leads?tab=pending",
    theme: "light",
    onDecision: ({ leadId, status }) => console.log(leadId, status),
  });
  await review.ready;
  review.navigate("accounts");
  review.unmount();
}

export async function example37() {
  const review = document.createElement("lead-review");
  review.baseUrl = "https://workspace.example";
  review.apiKey = "lwk_…";
  review.addEventListener("decision", (event) => console.log(event.detail.leadId));
  document.body.append(review);
}

export async function example38() {
  const pulse = mountAccountPulse(document.querySelector("#account")!, {
    baseUrl: "https://workspace.example",
    apiKey: "lwk_…",
    accountId: "account_7",
    onNavigate: ({ view }) => console.log(view),
  });
  await pulse.ready;
  pulse.show("account_8");
  pulse.unmount();
}

export async function example39() {
  const pulse = document.createElement("account-pulse");
  pulse.accountId = "account_7";
  pulse.apiKey = "lwk_…";
  pulse.addEventListener("navigate", (event) => console.log(event.detail.view));
  document.body.append(pulse);
}
