/// <reference lib="esnext.disposable" />
// The package's entry: the client of one lead and account workspace.

import type {
  Account,
  AccountDetail,
  AccountDetailQuery,
  AccountPulse,
  AccountQuery,
  AccountScoring,
  FacetContext,
  FacetSearch,
  FacetSearchResult,
  Facets,
  Job,
  LeadDetail,
  LeadFields,
  LeadListItem,
  LeadQuery,
  LeadScoring,
  LeadUpdated,
  NewApprovalStatus,
  Page,
  ScoringStarted,
} from "./types.js";
import type { BulkOptions, BulkUpdate } from "./bulk.js";
import type { ChangeEvent, ChangesOptions } from "./changes.js";
import type { RowIterator } from "./iterate.js";
import type { Review, ReviewOptions } from "./review.js";
import type {
  Call,
  CallOptions,
  GateEvent,
  JobOptions,
  PaginationOptions,
  WasmSource,
  WorkspaceOptions,
} from "./options.js";

export type * from "./bulk.js";
export type * from "./changes.js";
export type * from "./types.js";
export type * from "./options.js";
export type * from "./iterate.js";
export type * from "./review.js";
export * from "./errors.js";
export * from "./filter.js";
export * from "./readers.js";

/**
 * Loads the WebAssembly module. {@link Workspace.create} calls it itself; an earlier call makes the creation
 * of the first workspace faster. The module is loaded once, from the source of the first call; a failed load
 * may be retried. Default: `client.wasm` next to the package's files; on servers, the module inside the script.
 *
 * @throws {@link NetworkError} if the module cannot be reached, {@link WorkspaceError} with the code `load`
 * if what was loaded is not a module.
 *
 * @example
 * import { init } from "lead-workspace";
 *
 * await init(new URL("/static/client.wasm", location.href));
 */
export function init(source?: WasmSource): Promise<void>;

/** The options of {@link Workspace.create}. */
export type CreateOptions = WorkspaceOptions & {
  /** The source of the module, if it is not loaded yet; see {@link init}. */
  wasm?: WasmSource | undefined;
};

/**
 * A client of one workspace. Every call rejects with a {@link WorkspaceError}, or with the reason of its signal
 * if that is aborted. Calls may run concurrently. The promise of a call also gives the response;
 * see {@link Call}.
 *
 * @example
 * import { Workspace } from "lead-workspace";
 *
 * const ws = await Workspace.create({ baseUrl: "https://workspace.example", apiKey: "lwk_1_example" });
 * const page = await ws.queryLeads({ search: "chief revenue officer", page_size: 20 });
 * for (const lead of page.data) console.log(lead.name, lead.approval_status);
 * ws.dispose();
 */
export class Workspace {
  private constructor();

  /**
   * Connects to a workspace, without sending a request. Loads the WebAssembly module if it is not loaded yet.
   *
   * @throws {@link ArgumentError} if an option is invalid.
   *
   * @example
   * const ws = await Workspace.create({
   *   baseUrl: "https://workspace.example",
   *   getApiKey: async () => (await fetch("/session/key")).text(),
   *   hooks: { onRetry: ({ operation, delayMs }) => console.warn(operation, delayMs) },
   * });
   */
  static create(options: CreateOptions): Promise<Workspace>;

  /**
   * Searches and filters leads.
   *
   * @example
   * const page = await ws.queryLeads({
   *   filters: [
   *     { field: "icp_score", operator: "gte", value: 70 },
   *     { field: "icp_tier", operator: "in", value: ["A", "B"] },
   *   ],
   *   sort_by: "created_at",
   * });
   * console.log(page.total, page.data.length, page.rowErrors);
   */
  queryLeads(query?: LeadQuery, options?: CallOptions): Call<Page<LeadListItem>>;

  /**
   * Reads every facet of the leads: the values by which they can be filtered.
   *
   * @example
   * const facets = await ws.getLeadFacets({ campaign_id: "campaign-1" });
   * console.log(facets.icp_tiers);
   */
  getLeadFacets(context?: FacetContext, options?: CallOptions): Call<Facets>;

  /**
   * Searches the values of one facet, or previews the most frequent ones.
   *
   * @example
   * const found = await ws.searchLeadFacet({ field: "company", q: "acme", limit: 5 });
   * for (const item of found.items ?? []) console.log(item.label, item.count);
   */
  searchLeadFacet(search: FacetSearch, options?: CallOptions): Call<FacetSearchResult>;

  /**
   * Lists the custom fields of the leads: each key of `custom_data`, what its values are, how many leads have one, and how
   * many values differ. Only the workspace service has it.
   *
   * @throws {@link WorkspaceError} that says so, from other servers: usually a {@link NotFoundError}, because they have no lead
   * with the id `fields`.
   *
   * @example
   * const { fields } = await ws.getLeadFields();
   * for (const { key, kind, leads } of fields ?? []) console.log(key, kind, leads);
   */
  getLeadFields(options?: CallOptions): Call<LeadFields>;

  /**
   * Reads one lead in full.
   *
   * @throws {@link NotFoundError} if the lead does not exist.
   *
   * @example
   * const lead = await ws.getLead("lead-1");
   * console.log(lead.name, lead.current_account?.name);
   */
  getLead(id: string, options?: CallOptions): Call<LeadDetail>;

  /**
   * Sets the approval status of one lead. Setting it twice is safe, so a failed attempt is retried
   * automatically. If the server responds without a body (204), the result is what was sent.
   *
   * @example
   * const { approval_status } = await ws.updateLead("lead-1", "approved");
   * console.log(approval_status);
   */
  updateLead(id: string, status: NewApprovalStatus, options?: CallOptions): Call<LeadUpdated>;

  /**
   * Sets the approval status of any number of leads, in chunks. Resolves even if requests fail: check
   * `failed`, `uncertain` and `errors`. If the server refuses a chunk because of its ids (404 or 422), or counts
   * fewer leads than were sent, the chunk is sent again in halves until those leads are found. The others are
   * updated. A single lead is sent as by `updateLead`. While the workspace is over its rate limit, the chunks
   * wait: `deadlineMs` applies to the whole update, and without it the update gives up after 30 minutes in
   * which the limit let no request through. After a 401 or 403 nothing more is sent. After an abort,
   * `outcome()` has what was done until then. As it sends any number of requests, there is no `withResponse()`; `hooks.onResponse`
   * reports each response.
   *
   * @example
   * const outcome = await ws.updateLeads(["lead-1", "lead-2"], "rejected", {
   *   onProgress: ({ done, total }) => console.log(`${done} of ${total}`),
   * });
   * for (const { ids, error } of outcome.errors) console.error(ids.length, error.message);
   * if (outcome.uncertain.length > 0) await ws.updateLeads(outcome.uncertain, "rejected");
   */
  updateLeads(
    ids: readonly string[] | ReadonlySet<string>,
    status: NewApprovalStatus,
    options?: BulkOptions,
  ): BulkUpdate;

  /**
   * Permanently deletes one lead and all data associated with it. Also resolves if an attempt of unknown
   * outcome turns out to have deleted it.
   *
   * @example
   * await ws.deleteLead("lead-1");
   */
  deleteLead(id: string, options?: CallOptions): Call<undefined>;

  /**
   * Starts a durable workflow that scores leads. Sent again only if it is certain that nothing was started.
   *
   * @throws {@link OutcomeUnknownError} if it is unknown whether the workflow was started;
   * {@link ArgumentError} without any id, unless `allowScoringOfEverything` is set.
   *
   * @example
   * const { job_id } = await ws.scoreLeads({ lead_list_ids: ["list-1"] });
   * if (job_id !== null) await ws.waitForJob(job_id);
   */
  scoreLeads(which: LeadScoring, options?: CallOptions): Call<ScoringStarted>;

  /**
   * Searches and filters accounts.
   *
   * @example
   * const page = await ws.queryAccounts({
   *   filters: [{ field: "lead_count", operator: "between", value: [5, 50] }],
   *   sort_by: "icp_score",
   * });
   * console.log(page.data.map((account) => account.name));
   */
  queryAccounts(query?: AccountQuery, options?: CallOptions): Call<Page<Account>>;

  /**
   * Reads one account in full. `params` may also contain the options of the call.
   *
   * @example
   * const account = await ws.getAccount("account-1", { include_unpromoted: true });
   * console.log(account.name, account.network_id);
   */
  getAccount(
    id: string,
    params?: AccountDetailQuery & CallOptions,
    options?: CallOptions,
  ): Call<AccountDetail>;

  /**
   * Reads the outreach summary of an account.
   *
   * @example
   * const pulse = await ws.getAccountPulse("account-1");
   * console.log(pulse.leads_replied, pulse.best_signal?.lead_name);
   */
  getAccountPulse(id: string, options?: CallOptions): Call<AccountPulse>;

  /**
   * Starts a durable workflow that scores accounts; see {@link Workspace.scoreLeads}.
   *
   * @example
   * const started = await ws.scoreAccounts({ account_ids: ["account-1"] });
   * console.log(started.workflow_id);
   */
  scoreAccounts(which: AccountScoring, options?: CallOptions): Call<ScoringStarted>;

  /**
   * Reads the status of a job.
   *
   * @example
   * const job = await ws.getJob("job-1");
   * console.log(job.state, job.progress);
   */
  getJob(id: string, options?: CallOptions): Call<Job>;

  /**
   * Waits until a job has ended, successfully or not, and resolves with it. Polls every second at first,
   * later every 10 s, and about once a minute while the page is hidden. Calls that wait for the same job with
   * the same `timeoutMs` and `retries`, which apply to a single poll, share the polls. Without a `deadlineMs`
   * it waits for at most 30 minutes; the job continues after that. A poll that fails because of the
   * connection or the rate limit does not end the wait; if the server only returns errors, the wait ends
   * after five minutes. Before it ends without a result it polls once more, which may take ten more seconds.
   *
   * @example
   * const job = await ws.waitForJob("job-1", {
   *   onProgress: ({ progress }) => console.log(progress),
   *   deadlineMs: 10 * 60_000,
   * });
   * if (job.state !== "succeeded") console.error(job.error);
   */
  waitForJob(id: string, options?: JobOptions): Call<Job>;

  /**
   * Sends a request to a path that the contract names but does not show, with the same errors and credentials
   * as every other call. Only `GET` is retried automatically.
   *
   * @param method `GET`, `POST`, `PATCH` or `DELETE`.
   * @param path Starts with `/`.
   * @param body Any value that can be written as JSON.
   *
   * @example
   * const found = await ws.request("POST", "/api/enrichment/reverse-email-lookups", {
   *   email: "ada@example.com",
   * });
   * console.log(found);
   */
  request(method: string, path: string, body?: unknown, options?: CallOptions): Call<unknown>;

  /**
   * Returns the leads of a query one by one and prefetches one page. Each lead is returned once, even if
   * pages shift. The query and the options are read immediately. Leaving the loop aborts the request in
   * flight; an abort or disposal ends the loop before its next row, with the signal's reason. After another
   * error, a loop over the same object goes on where the first one stopped. `byPage()` returns pages, and
   * `total` is the number of leads; see {@link RowIterator}.
   *
   * A loop that changes the fields that the query filters by removes rows from the query while it runs. Pages
   * are then read again, which takes more requests: collect the ids first instead.
   *
   * @example
   * const ids: string[] = [];
   * const pending = [filter("approval_status").eq("pending_approval")];
   * for await (const { lead_id } of ws.leads({ filters: pending, page_size: 100 }, { maxItems: 1000 })) {
   *   ids.push(lead_id);
   * }
   * await ws.updateLeads(ids, "approved");
   *
   * @example
   * for await (const { page, data, total } of ws.leads({ page_size: 100 }).byPage()) {
   *   console.log(`page ${page}: ${data.length} of ${total}`);
   * }
   */
  leads(query?: LeadQuery, options?: PaginationOptions): RowIterator<LeadListItem>;

  /**
   * Returns the accounts of a query one by one; see {@link Workspace.leads}.
   *
   * @example
   * for await (const account of ws.accounts({ list_id: "list-1" })) {
   *   console.log(account.name, account.lead_count);
   * }
   */
  accounts(query?: AccountQuery, options?: PaginationOptions): RowIterator<Account>;

  /**
   * Returns what changes in the workspace as it happens: decisions of colleagues, imports, scores, deletions. Only the
   * workspace service has such a stream.
   *
   * The first step connects. If the connection breaks, is silent for 45 s, or cannot be made, the stream connects again by
   * itself, with growing pauses of up to 20 s, and goes on after its last event: none is lost, and none is returned twice.
   * It ends only by `break`, `return()`, its signal, the disposal of the workspace, or an error that would stay the same.
   * A loop whose body takes long is no problem: what happened meanwhile follows.
   *
   * @throws {@link AuthError} if the key is refused; {@link WorkspaceError} from a server without a stream (404, 405, 501),
   * usually a {@link NotFoundError}: the workspace then does not ask this server again.
   *
   * @example
   * for await (const event of ws.changes()) {
   *   if (event.kind === "reset") console.log("anything may have changed: read everything anew");
   *   if (event.kind !== "change") continue;
   *   for (const { kind, count, ids } of event.changes) console.log(kind, count, ids);
   * }
   *
   * @example
   * let since: number | undefined; // the last version that was handled, to go on there later
   * const changes = ws.changes({
   *   since,
   *   signal: AbortSignal.timeout(60_000),
   *   onConnection: ({ state, error }) => console.log(state, error?.message),
   * });
   * for await (const { version } of changes) since = version;
   */
  changes(options?: ChangesOptions): AsyncGenerator<ChangeEvent, void, undefined>;

  /**
   * Starts a review: decisions that are shown at once, sent in the background, undone and redone. It lives, and keeps
   * the workspace alive, until it or the workspace is disposed of.
   *
   * @throws {@link ArgumentError} if an option is invalid.
   *
   * @example
   * const review = ws.review();
   * const page = await ws.queryLeads({ page_size: 10 });
   * review.subscribe(() => console.log(review.apply(page).data.map((lead) => lead.approval_status)));
   * review.decide(page.data.slice(0, 3), "approved");
   * review.undo();
   * await review.flush();
   */
  review(options?: ReviewOptions): Review;

  /**
   * The state of the workspace's rate-limit gate. After a 429 calls wait at the gate, including those of
   * other tabs of this origin; `hooks.onGate` reports every change.
   *
   * @example
   * const { state, retryAfterMs } = ws.gate;
   * if (state === "closed") console.log(`busy for ${retryAfterMs} ms`);
   */
  get gate(): GateEvent;

  /**
   * Frees the resources that the workspace holds in the WebAssembly module. Calls in flight are aborted and
   * reject with an `AbortError`, as if by their signal; later calls reject with a {@link WorkspaceError}
   * whose code is `disposed`. Its reviews are disposed of, too; see {@link Review.dispose}. A workspace that is no longer
   * reachable is disposed of automatically, some time later.
   *
   * @example
   * ws.dispose();
   */
  dispose(): void;

  /**
   * {@link Workspace.dispose}, for `using`. If the platform has no `Symbol.dispose`, the method is available
   * as `Symbol.for("Symbol.dispose")`.
   *
   * @example
   * {
   *   using session = await Workspace.create({ baseUrl: "", apiKey: "lwk_1_example" });
   *   await session.getLead("lead-1");
   * }
   */
  [Symbol.dispose](): void;
}
