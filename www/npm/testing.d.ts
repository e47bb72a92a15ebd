// A workspace in memory, for the tests and stories of those who use the client.

import type { LeadDetail } from "./types.js";

/** Which requests a fault applies to, and how many of them. */
export interface FaultScope {
  /** Only requests with this HTTP method, such as `"PATCH"`. Default: all. */
  method?: string | undefined;
  /** Only requests whose path contains this text, such as `"/api/leads/query"`. Default: all. */
  path?: string | undefined;
  /** Number of requests that the fault applies to; then it has no more effect. */
  times?: number | undefined;
}

/** Every fault by name, with its options. Several may be active at the same time. */
export interface FaultOptions {
  /** The request is refused with status 429 and a time to wait, and is not carried out. Default: 5 times. */
  "rate-limit-storm": FaultScope & {
    /**
     * Time to wait, in milliseconds.
     * @defaultValue `100`
     */
    retryAfterMs?: number | undefined;
  };
  /** The request is answered with an error of the server, and is not carried out. Default: once. */
  "server-error": FaultScope & {
    /**
     * Status of the response.
     * @defaultValue `500`
     */
    status?: number | undefined;
  };
  /** The request is carried out, but its answer does not arrive: `fetch` rejects. Default: once. */
  "lost-answer": FaultScope;
  /** The request does not arrive: `fetch` rejects. Default: until the fault is removed. */
  offline: FaultScope;
  /** The request is carried out, and its answer arrives later. Default: until the fault is removed. */
  slow: FaultScope & {
    /**
     * Time until the answer arrives, in milliseconds: of real time, or of {@link TestWorkspace.advance}.
     * @defaultValue `2000`
     */
    ms?: number | undefined;
  };
  /**
   * Leads are deleted at the beginning of a list before a page after the first is read, so that later rows move
   * forward. Default: until the fault is removed.
   */
  "drifting-list": FaultScope & {
    /**
     * Number of leads that are deleted each time.
     * @defaultValue `1`
     */
    leads?: number | undefined;
  };
  /**
   * The connection of an open stream of changes breaks in the middle of its next event. The client resumes, and loses
   * nothing. So does `offline`, which also keeps it from resuming. Default: once.
   */
  "broken-stream": FaultScope;
}

/** The faults of a test workspace. */
export interface Faults {
  /**
   * Adds a fault and returns a function that removes it.
   * @throws `TypeError` if there is no such fault or option.
   */
  add<Name extends keyof FaultOptions>(name: Name, options?: FaultOptions[Name]): () => void;
  /** Removes all faults. */
  clear(): void;
}

/** A request that a test workspace received. */
export interface ReceivedRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path from `/api` on, still percent-encoded. */
  readonly path: string;
  /** The query string without the question mark. */
  readonly search: string;
  /** The parameters in the query string. */
  readonly query: Readonly<Record<string, string>>;
  /** The JSON body; `undefined` without a body, a text if it is not JSON. */
  readonly body: unknown;
  /** The headers, with names in lower case; among them the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Status of the response, also if it was lost; `undefined` if the request did not arrive. */
  readonly status: number | undefined;
  /** The faults that were applied. */
  readonly faults: readonly (keyof FaultOptions)[];
}

/** Numbers of lines of an imported file, by what was done. */
export interface ImportedLeads {
  /** Leads that were added. */
  readonly inserted: number;
  /** Leads that were changed. */
  readonly updated: number;
  /** Leads that were the same already. */
  readonly unchanged: number;
  /** Lines that are not leads, or more than the workspace may have: 10,000 leads. */
  readonly failed: number;
  /** The first 10 lines that failed. */
  readonly errors: readonly { readonly line: number; readonly reason: string }[];
}

/** Options of {@link createTestWorkspace}. */
export interface TestWorkspaceOptions {
  /**
   * Number of demo leads, 0 to 10,000.
   * @defaultValue `200`
   */
  leads?: number | undefined;
  /**
   * Seed of the demo leads, an integer from 0. The same seed gives the same leads and ids.
   * @defaultValue `1`
   */
  seed?: number | undefined;
  /**
   * The time in the workspace, and the end of the demo data; a number is in milliseconds since 1970. It passes only
   * with {@link TestWorkspace.advance}.
   * @defaultValue `"2026-05-30T00:00:00.000Z"`
   */
  now?: Date | string | number | undefined;
  /** The only valid key. Default: any. */
  apiKey?: string | undefined;
  /**
   * The workspace that a `tenantId` may name.
   * @defaultValue `"default"`
   */
  tenantId?: string | undefined;
  /** Faults from the start, by name. */
  faults?: { [Name in keyof FaultOptions]?: FaultOptions[Name] | undefined } | undefined;
}

/**
 * A workspace in memory, with the behavior of the service. Its stream of changes tells of requests, imports, and the steps of
 * jobs.
 */
export interface TestWorkspace {
  /**
   * Answers requests instead of the platform's `fetch`. Only the path of the address matters. It works without
   * `this`.
   */
  readonly fetch: typeof globalThis.fetch;
  /** The requests received so far, oldest first. */
  readonly requests: readonly ReceivedRequest[];
  /** Faults of the following requests. */
  readonly faults: Faults;
  /** The time in the workspace. */
  readonly now: Date;
  /**
   * Moves the time in the workspace: a step of a job runs for every 500 ms, and answers arrive that wait for so
   * long. A step of a job also runs after each poll of a job, so waiting for a job ends without this.
   * @throws `RangeError` if the milliseconds are not 0 or more.
   */
  advance(ms: number): void;
  /**
   * Adds the leads of a file, as an import of the service does: columns are recognized by their headers, leads that
   * exist are updated, and decisions stay. All leads of the file are scored. {@link TestWorkspace.reset} removes them.
   *
   * @param text A CSV, JSON or JSONL file.
   * @param fileName Its name, which the facet of imports shows. Default: `leads.csv`.
   * @throws `Error` with the reason, if nothing in it can be imported.
   *
   * @example
   * const test = await createTestWorkspace({ leads: 0 });
   * const { inserted } = test.importLeads("name,title\nAna Diaz,VP Sales\n");
   */
  importLeads(text: string, fileName?: string): ImportedLeads;
  /** Returns a lead as it is stored, without a request; `undefined` if there is none with this id. */
  lead(id: string): LeadDetail | undefined;
  /**
   * Restores the leads, the time and the faults of the beginning, and forgets the requests. Open streams of changes end; those
   * that resume are told to read everything anew.
   */
  reset(): void;
}

/**
 * Creates a workspace in memory, filled with demo leads. It has the behavior of the service, and no network.
 *
 * @throws `RangeError` or `TypeError`, as a rejection, if an option is invalid.
 *
 * @example
 * const test = await createTestWorkspace({ leads: 50 });
 * const response = await test.fetch("/api/leads/query", {
 *   method: "POST",
 *   headers: { authorization: "Bearer any-key" },
 *   body: JSON.stringify({ page_size: 10 }),
 * });
 */
export function createTestWorkspace(options?: TestWorkspaceOptions): Promise<TestWorkspace>;
