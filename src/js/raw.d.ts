/**
 * The client as the bare module has it, for builds with wasm-pack. Arguments, results and errors are
 * those of the npm package, which also brings exact types, error classes, async iterators, disposal
 * and recovery after a crash.
 */
export class Workspace {
  /** @param options `{ baseUrl, apiKey | getApiKey, tenantId?, ... }` */
  constructor(options: object);
  /** How the rate limit stands. */
  readonly gate: { state: "open" | "closed" | "probing"; retryAfterMs: number; waiting: number };
  queryLeads(query?: object, options?: object): Promise<any>;
  getLeadFacets(context?: object, options?: object): Promise<any>;
  searchLeadFacet(search: object, options?: object): Promise<any>;
  getLeadFields(options?: object): Promise<any>;
  getLead(id: string, options?: object): Promise<any>;
  updateLead(id: string, status: string, options?: object): Promise<any>;
  /** Also resolves after an abort, with the outcome so far. */
  updateLeads(
    ids: readonly string[],
    status: string,
    options?: object,
  ): Promise<{ updated: string[]; failed: string[]; uncertain: string[] }>;
  deleteLead(id: string, options?: object): Promise<undefined>;
  scoreLeads(which: object, options?: object): Promise<any>;
  queryAccounts(query?: object, options?: object): Promise<any>;
  getAccount(id: string, params?: object, options?: object): Promise<any>;
  getAccountPulse(id: string, options?: object): Promise<any>;
  scoreAccounts(which: object, options?: object): Promise<any>;
  getJob(id: string, options?: object): Promise<any>;
  waitForJob(id: string, options?: object): Promise<any>;
  request(method: string, path: string, body?: unknown, options?: object): Promise<any>;
  leadPages(query?: object, options?: object): LeadPages;
  accountPages(query?: object, options?: object): LeadPages;
  /** @param options `{ since?, signal?, onConnection?, ... }` */
  changes(options?: object): ChangeStream;
  /** Gives the memory back. Nothing may be called afterwards. */
  free(): void;
}

/** Pages of a query, one fetched ahead. */
export class LeadPages {
  /** The next page, with its new rows; undefined after the last. After an error, the next call requests the same page. */
  next(): Promise<any>;
  free(): void;
}

/** The changes of a workspace as they happen, over any number of connections. */
export class ChangeStream {
  /** The next event: `{ kind: "open" | "change" | "reset", version, … }`. After an error, undefined. */
  next(): Promise<any>;
  free(): void;
}
