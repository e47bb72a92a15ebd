// Options of a workspace and its calls.

import type { TimeoutError, WorkspaceError } from "./errors.js";
import type { Job, RowError } from "./types.js";

/**
 * Retry policy. In addition to `attempts`, all calls of a workspace share a retry budget: at most seven
 * retries at first, and then one more for every fourteen calls that succeed. A failing server receives at
 * most about a tenth more requests. The message of an error states if the budget ended the call.
 */
export interface RetryOptions {
  /**
   * Maximum number of requests for one call, including the first. A 429 with a retry time does not count and
   * uses no budget, unless this is 1; a 401 after which `getApiKey` is called again does not count either.
   * @defaultValue `3`
   */
  attempts?: number | undefined;
  /**
   * Maximum pause before the first retry, in milliseconds. It doubles with each attempt, and the actual pause
   * is a random part of it.
   * @defaultValue `200`
   */
  baseMs?: number | undefined;
  /**
   * Maximum pause before the first retry after a 429, in milliseconds.
   * @defaultValue `1000`
   */
  limitedBaseMs?: number | undefined;
  /**
   * Maximum backoff pause, in milliseconds. A pause that a server requests may be longer.
   * @defaultValue `20000`
   */
  capMs?: number | undefined;
  /**
   * Maximum pause that a server may request, in milliseconds. If it requests more, the call rejects
   * immediately with a `RateLimitError`.
   * @defaultValue `30000`
   */
  longestWaitMs?: number | undefined;
}

/** Options of a call, its last argument. */
export interface CallOptions {
  /**
   * Aborts the call: its request, the pause before a retry, or the wait at the rate-limit gate. The call
   * rejects with the signal's `reason`, as `fetch` does: by default the platform's `AbortError`, and its own
   * `TimeoutError` for `AbortSignal.timeout()`. `deadlineMs` results in a {@link TimeoutError} of this package.
   */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt, in milliseconds. Default: 10 s, writes 15 s, scoring 30 s. */
  timeoutMs?: number | undefined;
  /**
   * Timeout of the whole call, in milliseconds. Default: 30 s, updates 20 s, scoring 60 s. `updateLeads` has
   * no such default; it gives up after 30 minutes in which the rate limit let no request through.
   */
  deadlineMs?: number | undefined;
  /**
   * Maximum number of retries: `n` means at most `n + 1` requests. A request rejected with 401 had no effect;
   * it is sent once more with the key that `getApiKey` returns then.
   */
  retries?: number | undefined;
  /** Headers of this call; they replace those of the workspace with the same name. See {@link RequestHeaders}. */
  headers?: RequestHeaders | undefined;
  /**
   * Query parameters beyond the contract, such as those of a newer server. A value that is not a string is sent
   * as JSON, and null is left out. A parameter of the contract is refused.
   */
  extraQuery?: Readonly<Record<string, unknown>> | undefined;
  /**
   * Members of the body beyond the contract. A member of the contract is refused, and so is every member if the
   * request has no body.
   */
  extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Headers of a request, by name: an object, a `Headers` or pairs. A value consists of visible ASCII characters
 * with spaces between them. The client sets `accept`, `authorization`, `content-type` and `x-tenant-id` itself
 * and refuses them here; a page cannot set some others, such as `cookie`, and the platform leaves them out. A
 * server on another origin must allow each name (`access-control-allow-headers`).
 */
export type RequestHeaders =
  | Readonly<Record<string, string | undefined>>
  | Iterable<readonly [string, string]>;

/**
 * The promise of a call.
 *
 * @example
 * const { data, response } = await ws.getLead("lead-1").withResponse();
 * console.log(data.name, response.status, response.requestId);
 */
export interface Call<T> extends Promise<T> {
  /** Resolves with the result and the response, or rejects as the call does. */
  withResponse(): Promise<WithResponse<T>>;
}

/** The result of a call and the response. */
export interface WithResponse<T> {
  /** The result. */
  data: T;
  /** The response. */
  response: CallResponse;
}

/** The response to the last request of a call. */
export interface CallResponse {
  /** The HTTP status. */
  status: number;
  /**
   * The headers, as the platform shows them: of a server on another origin, only those that it exposes
   * (`access-control-expose-headers`).
   */
  headers: Headers;
  /** The header `x-request-id`. */
  requestId: string | null;
  /** The number of requests of the call, or of the last poll of `waitForJob`. */
  attempts: number;
}

/**
 * Where a workspace writes its log, such as `console`. Each function gets one line of text. No line contains a
 * key, a header, a query string or a body; the message of an error may quote the server.
 */
export interface Logger {
  error(line: string): void;
  warn(line: string): void;
  info(line: string): void;
  debug(line: string): void;
}

/**
 * How much is logged; each level includes those before it.
 *
 * - `off`: nothing.
 * - `error`: the WebAssembly module crashed.
 * - `warn`: an API key is in a page from another machine; see `allowApiKeyInPage`.
 * - `info`: a call failed, or its request is repeated.
 * - `debug`: requests, responses, aborts, and changes of the rate-limit gate.
 */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug";

/** A request that is about to be sent. */
export interface RequestEvent {
  /** The method of the workspace, e.g. `queryLeads`. */
  operation: string;
  /** The HTTP method. */
  method: string;
  /** The URL, without the query string. */
  url: string;
  /** The number of the attempt, from 1. */
  attempt: number;
}

/** A request that ended, with or without a response, or because its call was aborted. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status; null if there was no response. */
  status: number | null;
  /** Whether the request was aborted: by the call's signal, by leaving a loop, or by disposal. */
  aborted: boolean;
  /**
   * Why the request failed; null if it succeeded or was aborted. Absent in events of a review that is mounted
   * with the workspace.
   */
  error?: WorkspaceError | null;
  /** Time from the first byte sent to the last byte received, in milliseconds. */
  durationMs: number;
  /** The response's `x-request-id`. */
  requestId: string | null;
}

/** A request that will be sent again. */
export interface RetryEvent {
  /** The method of the workspace, e.g. `queryLeads`. */
  operation: string;
  /** The number of the failed attempt, from 1. */
  attempt: number;
  /** The pause before the next attempt, in milliseconds. */
  delayMs: number;
  /** The reason, in one sentence. */
  reason: string;
  /** The HTTP status; null if there was no response. */
  status: number | null;
  /** The error that the call would reject with; absent in events of a review that is mounted with the workspace. */
  error?: WorkspaceError;
}

/** The state of the rate-limit gate. */
export interface GateEvent {
  /**
   * `closed` after a 429, for at most 5 minutes; `probing` while a single request checks whether the limit
   * has passed.
   */
  state: "open" | "closed" | "probing";
  /** Time until it opens, in milliseconds. */
  retryAfterMs: number;
  /** Number of calls that wait for it. */
  waiting: number;
}

/**
 * Functions that observe the calls. They never receive the key. An exception in one is reported as an
 * uncaught error (`reportError`) and does not end the call. The same applies to every listener, such as
 * `onProgress`, `onDrift` and `onRowError`.
 */
export interface Hooks {
  /** Called before each request. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called when a request has ended, including when it was aborted. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before each pause. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called whenever the state of the rate-limit gate changes. */
  onGate?: ((event: GateEvent) => void) | undefined;
}

/** The address of the workspace, and how to connect to it. */
export interface ConnectionOptions {
  /** The address of the service, without `/api`. `""` is the page's own origin, and `"/path"` a path on it. */
  baseUrl: string | URL;
  /** The workspace that the key is used for; sent as `x-tenant-id`. Default: not sent. */
  tenantId?: string | undefined;
  /** The retry policy. */
  retry?: RetryOptions | undefined;
  /** Timeout of one attempt of any call, in milliseconds. */
  timeoutMs?: number | undefined;
  /** Timeout of any whole call except `updateLeads`, in milliseconds. */
  deadlineMs?: number | undefined;
  /**
   * Maximum size of a response body, in bytes.
   * @defaultValue `33554432` (32 MiB)
   */
  maxBodyBytes?: number | undefined;
  /**
   * The path at which jobs are read. It starts with a single slash and contains `{job_id}`.
   * @defaultValue `"/api/jobs/{job_id}"`
   */
  jobPath?: string | undefined;
  /**
   * Whether to allow scoring without any id, which may score the whole workspace.
   * @defaultValue `false`
   */
  allowScoringOfEverything?: boolean | undefined;
  /** Headers of every request. See {@link RequestHeaders}. */
  headers?: RequestHeaders | undefined;
  /**
   * Sends the requests instead of the platform's `fetch`: for proxies, tracing, cookies and tests. It gets what the
   * platform's function gets: the URL as text, and the options with the method, headers, body and signal. What
   * it returns must be a `Response` with a web stream as its body. What it throws becomes the `cause` of a
   * `NetworkError`, and the request may be sent again.
   */
  fetch?: ((url: string, init: RequestInit) => Response | PromiseLike<Response>) | undefined;
  /** Functions that observe the calls. */
  hooks?: Hooks | undefined;
  /** Where to write the log. Default: `console`. */
  logger?: Logger | undefined;
  /**
   * How much to log.
   * @defaultValue `"warn"`
   */
  logLevel?: LogLevel | undefined;
  /**
   * Whether to omit the warning of an `apiKey` in a page or worker from another machine, where everyone who
   * opens the page can read the key. The warning is logged once per page. Set it if the key is the user's own,
   * such as one that a gateway made.
   * @defaultValue `false`
   */
  allowApiKeyInPage?: boolean | undefined;
}

/** A fixed key. */
export interface KeyOptions {
  /** A user API key of the workspace. It is sent only to `baseUrl`. */
  apiKey: string;
  /** Not used with a fixed key. */
  getApiKey?: undefined;
}

/** A key that is requested from a function. */
export interface KeyCallbackOptions {
  /**
   * Called when a key is needed, and again if the server does not accept the key (401). Never called again
   * before its promise has settled, even if the call that needed the key was aborted.
   */
  getApiKey: () => string | PromiseLike<string>;
  /** Not used with `getApiKey`. */
  apiKey?: undefined;
}

/** The address of the workspace, how to connect to it, and the key. */
export type WorkspaceOptions = ConnectionOptions & (KeyOptions | KeyCallbackOptions);

/**
 * The source of the WebAssembly module: its URL, a response, its bytes, or the compiled module. A string is
 * relative to the page; in Node, a string without a protocol is a file path.
 */
export type WasmSource =
  | URL
  | string
  | Response
  | Promise<Response>
  | ArrayBuffer
  | ArrayBufferView
  | WasmModule;

/** A compiled `WebAssembly.Module`. Typed as `object`, because not every type library contains WebAssembly. */
export type WasmModule = object;

/** Options of `waitForJob`. */
export interface JobOptions extends CallOptions {
  /** Called with the job after every successful poll. */
  onProgress?: ((job: Job) => void) | undefined;
}

/**
 * A sign that the rows changed during pagination.
 *
 * - `total`: the number of rows that match the query changed.
 * - `repeated`: rows of an earlier page appeared again; each is returned once.
 * - `stuck`: a page contained only rows of earlier pages, and the pagination ends there.
 * - `incomplete`: the list kept changing, and the pagination ends without having certainly seen every row.
 *
 * When rows leave the query, pages are read again so that no row is missed, at most about twice per page of
 * the list.
 */
export type Drift =
  | { kind: "total"; before: number; now: number }
  | { kind: "repeated"; ids: string[] }
  | { kind: "stuck"; page: number }
  | { kind: "incomplete" };

/** Options of a pagination. Timeouts and retries apply to each page's request. */
export interface PaginationOptions extends CallOptions {
  /** Maximum number of rows. Default: all. */
  maxItems?: number | undefined;
  /** Called when the rows changed during pagination; see {@link Drift}. */
  onDrift?: ((drift: Drift) => void) | undefined;
  /** Called for each row that could not be read, or only in part. */
  onRowError?: ((problem: RowError) => void) | undefined;
}
