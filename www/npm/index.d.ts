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
  LeadListItem,
  LeadQuery,
  LeadScoring,
  LeadUpdated,
  NewApprovalStatus,
  Page,
  RowError,
  ScoringStarted,
} from "./types.js";
import type { WorkspaceError } from "./errors.js";
import type { CallOptions, GateEvent, WasmSource, WorkspaceOptions } from "./options.js";

export type * from "./types.js";
export type * from "./options.js";
export * from "./errors.js";

/**
 * Loads the WebAssembly module. {@link Workspace.create} does it by itself; calling it early makes
 * the first workspace quicker. The module is loaded once, from where the first call says; a load
 * that failed may be tried again. Default: `client.wasm` beside the package's files.
 *
 * @throws {@link NetworkError} when the module cannot be reached, {@link WorkspaceError} with the
 * code `load` when what was loaded is none.
 *
 * @example
 * import { init } from "lead-workspace";
 *
 * await init(new URL("/static/client.wasm", location.href));
 */
export function init(source?: WasmSource): Promise<void>;

/** The options of {@link Workspace.create}. */
export type CreateOptions = WorkspaceOptions & {
  /** Where the module comes from, where it is not loaded yet; see {@link init}. */
  wasm?: WasmSource | undefined;
};

/** The parts of a bulk update, by the ids of the leads. */
export interface BulkOutcome {
  /** Leads that were updated. */
  updated: string[];
  /** Leads that were certainly not updated. */
  failed: string[];
  /**
   * Leads that may have been updated: the answer to the request they were in never came. Updating them
   * again does no harm. Ids that the server does not know are in `failed`.
   */
  uncertain: string[];
  /** Why leads are not in `updated`: one element for each request that failed. */
  errors: BulkError[];
}

/** Leads of a bulk update whose request failed. */
export interface BulkError {
  /** Those in the request, and those that were called off because of it. */
  ids: string[];
  /** Why. */
  error: WorkspaceError;
}

/** How far a bulk update is. */
export interface BulkProgress {
  /** Leads that are dealt with, one way or the other. */
  done: number;
  /** Leads in all. */
  total: number;
  /** How many of them were updated. */
  updated: number;
  /** How many were certainly not updated. */
  failed: number;
  /** How many may have been updated. */
  uncertain: number;
  /** Why the last chunk failed, where it did. */
  error?: WorkspaceError;
}

/** What is told besides the ids of a bulk update. */
export interface BulkOptions extends CallOptions {
  /** Called after each chunk. */
  onProgress?: ((progress: BulkProgress) => void) | undefined;
  /**
   * Leads in one request.
   * @defaultValue `100`
   */
  chunkSize?: number | undefined;
}

/** What is told besides the id of a job that is waited for. */
export interface JobOptions extends CallOptions {
  /** Called whenever the job was looked at. */
  onProgress?: ((job: Job) => void) | undefined;
}

/**
 * A sign that the rows changed while they were walked.
 *
 * - `total`: the query has another number of rows than it had.
 * - `repeated`: rows of an earlier page came again; they are given once.
 * - `stuck`: a page brought nothing but rows of earlier pages, and the walk ends there.
 * - `incomplete`: the list went on changing, and the walk ends without having met every row for certain.
 *
 * Where rows left the query, the walk reads a page once more, so that none is missed. It does so at most
 * twice for each page of the list.
 */
export type Drift =
  | { kind: "total"; before: number; now: number }
  | { kind: "repeated"; ids: string[] }
  | { kind: "stuck"; page: number }
  | { kind: "incomplete" };

/** What is told besides the query of a walk. Times are those of each page's request. */
export interface WalkOptions extends CallOptions {
  /** How many rows at the most. Default: all. */
  maxItems?: number | undefined;
  /** Called when the rows changed while they were walked; see {@link Drift}. */
  onDrift?: ((drift: Drift) => void) | undefined;
  /** Called for each row that could not be read. */
  onRowError?: ((problem: RowError) => void) | undefined;
}

/**
 * A client of one workspace. Every call rejects with a {@link WorkspaceError}, or with the platform's
 * `AbortError` when its signal is aborted. Every call may be made many times at once.
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
   * Connects to a workspace; nothing is sent yet. Loads the WebAssembly module where that has not
   * been done.
   *
   * @throws {@link ArgumentError} when an option makes no sense.
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
  queryLeads(query?: LeadQuery, options?: CallOptions): Promise<Page<LeadListItem>>;

  /**
   * Reads every facet of the leads: what they can be narrowed by.
   *
   * @example
   * const facets = await ws.getLeadFacets({ campaign_id: "campaign-1" });
   * console.log(facets.icp_tiers);
   */
  getLeadFacets(context?: FacetContext, options?: CallOptions): Promise<Facets>;

  /**
   * Searches the values of one facet, or previews the most frequent ones.
   *
   * @example
   * const found = await ws.searchLeadFacet({ field: "company", q: "acme", limit: 5 });
   * for (const item of found.items ?? []) console.log(item.label, item.count);
   */
  searchLeadFacet(search: FacetSearch, options?: CallOptions): Promise<FacetSearchResult>;

  /**
   * Reads one lead in full.
   *
   * @throws {@link NotFoundError} when there is no such lead.
   *
   * @example
   * const lead = await ws.getLead("lead-1");
   * console.log(lead.name, lead.current_account?.name);
   */
  getLead(id: string, options?: CallOptions): Promise<LeadDetail>;

  /**
   * Sets the approval status of one lead. Setting it twice does no harm, so this is sent again by
   * itself where an attempt fails. Where the server answers without a body (204), the result is what was sent.
   *
   * @example
   * const { approval_status } = await ws.updateLead("lead-1", "approved");
   * console.log(approval_status);
   */
  updateLead(id: string, status: NewApprovalStatus, options?: CallOptions): Promise<LeadUpdated>;

  /**
   * Sets the approval status of any number of leads, chunk by chunk. Resolves even when requests
   * fail: look at `failed`, `uncertain` and `errors`. Where the server counts fewer leads than were sent, that
   * chunk is sent once more in halves, until the missing leads are found. While the workspace is over its rate limit,
   * the chunks wait: `deadlineMs` is that of the change in all, and without one it gives up after half an hour in
   * which nothing went through. After a 401 or 403 nothing more is sent. An `AbortError`
   * carries the `outcome` so far.
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
  ): Promise<BulkOutcome>;

  /**
   * Permanently deletes one lead and all data associated with it. Resolves as well when an attempt
   * of unknown outcome turns out to have deleted it.
   *
   * @example
   * await ws.deleteLead("lead-1");
   */
  deleteLead(id: string, options?: CallOptions): Promise<undefined>;

  /**
   * Starts a durable workflow that scores leads. Never sent again unless it is certain that nothing
   * was started.
   *
   * @throws {@link OutcomeUnknownError} when nobody knows whether it was started;
   * {@link ArgumentError} without any id, unless `allowScoringOfEverything` is set.
   *
   * @example
   * const { job_id } = await ws.scoreLeads({ lead_list_ids: ["list-1"] });
   * if (job_id !== null) await ws.waitForJob(job_id);
   */
  scoreLeads(which: LeadScoring, options?: CallOptions): Promise<ScoringStarted>;

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
  queryAccounts(query?: AccountQuery, options?: CallOptions): Promise<Page<Account>>;

  /**
   * Reads one account in full. The options of a call may also stand in `params`.
   *
   * @example
   * const account = await ws.getAccount("account-1", { include_unpromoted: true });
   * console.log(account.name, account.network_id);
   */
  getAccount(
    id: string,
    params?: AccountDetailQuery & CallOptions,
    options?: CallOptions,
  ): Promise<AccountDetail>;

  /**
   * Reads how outreach to an account is going.
   *
   * @example
   * const pulse = await ws.getAccountPulse("account-1");
   * console.log(pulse.leads_replied, pulse.best_signal?.lead_name);
   */
  getAccountPulse(id: string, options?: CallOptions): Promise<AccountPulse>;

  /**
   * Starts a durable workflow that scores accounts; see {@link Workspace.scoreLeads}.
   *
   * @example
   * const started = await ws.scoreAccounts({ account_ids: ["account-1"] });
   * console.log(started.workflow_id);
   */
  scoreAccounts(which: AccountScoring, options?: CallOptions): Promise<ScoringStarted>;

  /**
   * Reads how a job stands.
   *
   * @example
   * const job = await ws.getJob("job-1");
   * console.log(job.state, job.progress);
   */
  getJob(id: string, options?: CallOptions): Promise<Job>;

  /**
   * Waits until a job has ended, however it ended, and resolves with it. Looks more and more rarely,
   * about once a minute while the page is hidden, and once for all who wait for the same job with the same
   * `timeoutMs` and `retries`, which are those of a look. Without a `deadlineMs` it waits half an hour at the most;
   * the job goes on all the same. A look that fails for want of a connection, or over the rate limit, does not end
   * the wait; where the server answers with errors alone, it ends after five minutes. Before it ends without a
   * result it looks once more, which may take ten seconds on top.
   *
   * @example
   * const job = await ws.waitForJob("job-1", {
   *   onProgress: ({ progress }) => console.log(progress),
   *   deadlineMs: 10 * 60_000,
   * });
   * if (job.state !== "succeeded") console.error(job.error);
   */
  waitForJob(id: string, options?: JobOptions): Promise<Job>;

  /**
   * Sends a request to a path that the contract names without showing it, with the same errors and
   * credentials as every other. Only `GET` is sent again by itself.
   *
   * @param method `GET`, `POST`, `PATCH` or `DELETE`.
   * @param path Begins with `/`.
   * @param body Anything that JSON can hold.
   *
   * @example
   * const found = await ws.request("POST", "/api/enrichment/reverse-email-lookups", {
   *   email: "ada@example.com",
   * });
   * console.log(found);
   */
  request(method: string, path: string, body?: unknown, options?: CallOptions): Promise<unknown>;

  /**
   * Gives the leads of a query one by one and fetches one page ahead. Each lead is given once, also
   * when pages shift. The query is read now. Leaving the loop ends the request that is under way; an abort or
   * disposal ends the loop before its next row, with an `AbortError`.
   *
   * A loop that changes what the query asks for pulls rows from under its own feet. The walk then
   * reads pages once more, which takes more requests: better collect the ids first.
   *
   * @example
   * const ids: string[] = [];
   * const pending = { field: "approval_status", operator: "eq", value: "pending_approval" } as const;
   * for await (const { lead_id } of ws.leads({ filters: [pending], page_size: 100 }, { maxItems: 1000 })) {
   *   if (lead_id !== null) ids.push(lead_id);
   * }
   * await ws.updateLeads(ids, "approved");
   */
  leads(query?: LeadQuery, options?: WalkOptions): AsyncGenerator<LeadListItem, void, undefined>;

  /**
   * Gives the accounts of a query one by one; see {@link Workspace.leads}.
   *
   * @example
   * for await (const account of ws.accounts({ list_id: "list-1" })) {
   *   console.log(account.name, account.lead_count);
   * }
   */
  accounts(query?: AccountQuery, options?: WalkOptions): AsyncGenerator<Account, void, undefined>;

  /**
   * How the workspace's limit on requests stands. After a 429 calls wait here, those of other tabs
   * of this origin as well; `hooks.onGate` tells of every change.
   *
   * @example
   * const { state, retryAfterMs } = ws.gate;
   * if (state === "closed") console.log(`busy for ${retryAfterMs} ms`);
   */
  get gate(): GateEvent;

  /**
   * Gives back what the workspace holds in the WebAssembly module. Calls that are under way are
   * aborted and reject with an `AbortError`, as if by their signal; later ones reject with a
   * {@link WorkspaceError} whose code is `disposed`. A workspace that nobody can reach any more is
   * disposed of by itself, some time later.
   *
   * @example
   * ws.dispose();
   */
  dispose(): void;

  /**
   * {@link Workspace.dispose}, for `using`. Where the platform has no `Symbol.dispose`, the method
   * stands under `Symbol.for("Symbol.dispose")`.
   *
   * @example
   * {
   *   using session = await Workspace.create({ baseUrl: "", apiKey: "lwk_1_example" });
   *   await session.getLead("lead-1");
   * }
   */
  [Symbol.dispose](): void;
}
