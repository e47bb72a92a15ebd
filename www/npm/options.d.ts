// What a workspace and its calls are told.

import type { WorkspaceError } from "./errors.js";

/**
 * How calls are sent again. Whatever the attempts, the calls of a workspace share a budget: at most seven
 * retries for free, and then one for every fourteen calls that succeed. A server in trouble is not asked
 * more than about a tenth as often again; a call that this ended says so in its message.
 */
export interface RetryOptions {
  /**
   * Requests at the most for one call, the first included. A 429 that says when to come back is none of
   * them, and takes nothing of the budget, unless this is 1; nor is a 401 after which `getApiKey` is
   * asked again.
   * @defaultValue `3`
   */
  attempts?: number | undefined;
  /**
   * The longest first pause in milliseconds; it doubles with each attempt, and a random part of it is
   * waited.
   * @defaultValue `200`
   */
  baseMs?: number | undefined;
  /**
   * The same after a 429.
   * @defaultValue `1000`
   */
  limitedBaseMs?: number | undefined;
  /**
   * The longest pause in milliseconds.
   * @defaultValue `20000`
   */
  capMs?: number | undefined;
  /**
   * The longest pause that a server may ask for, in milliseconds. Where it asks for more, the call
   * rejects at once with a `RateLimitError`.
   * @defaultValue `30000`
   */
  longestWaitMs?: number | undefined;
}

/** The last argument of every call. */
export interface CallOptions {
  /**
   * Ends the call: the request, the pause before the next one, or the wait for its turn. The call rejects with
   * an `AbortError` whose `cause` is the signal's `reason`, also for `AbortSignal.timeout()`; `deadlineMs`
   * gives a `TimeoutError`.
   */
  signal?: AbortSignal | undefined;
  /** How long one attempt may take, in milliseconds. Default: 10 s, writes 15 s, scoring 30 s. */
  timeoutMs?: number | undefined;
  /**
   * How long the call may take in all, in milliseconds. Default: 30 s, updates 20 s, scoring 60 s.
   * `updateLeads` takes as long as it needs, and ends after 30 minutes in which the limit on requests let
   * nothing through.
   */
  deadlineMs?: number | undefined;
  /**
   * How often it may be sent again: `n` means `n + 1` requests at the most. A request whose key was
   * refused (401) did nothing; it goes once more with the key that `getApiKey` gives then.
   */
  retries?: number | undefined;
}

/** A request that is about to be sent. */
export interface RequestEvent {
  /** The method of the workspace, e.g. `queryLeads`. */
  operation: string;
  /** The HTTP method. */
  method: string;
  /** The address, without the query string. */
  url: string;
  /** Which attempt it is, from 1. */
  attempt: number;
}

/** A request that ended, with a response or without; one whose call was aborted, too. */
export interface ResponseEvent extends RequestEvent {
  /** The HTTP status; null when there was no response. */
  status: number | null;
  /** From the first byte out to the last byte in, in milliseconds. */
  durationMs: number;
  /** The response's `x-request-id`. */
  requestId: string | null;
}

/** A request that is going to be sent again. */
export interface RetryEvent {
  /** The method of the workspace, e.g. `queryLeads`. */
  operation: string;
  /** Which attempt failed, from 1. */
  attempt: number;
  /** The pause before the next one, in milliseconds. */
  delayMs: number;
  /** Why, in a sentence. */
  reason: string;
  /** The HTTP status, where there was a response. */
  status: number | null;
  /** What the call would reject with; absent in events of a review that is mounted with the workspace. */
  error?: WorkspaceError;
}

/** How the limit on requests stands now. */
export interface GateEvent {
  /**
   * `closed` after a 429, for 5 minutes at the most; `probing` while a single request finds out whether
   * that is over.
   */
  state: "open" | "closed" | "probing";
  /** How long it stays closed, in milliseconds. */
  retryAfterMs: number;
  /** Calls that wait for it. */
  waiting: number;
}

/**
 * Functions that watch the calls. None is ever given the key. What one throws is reported as an error that
 * nobody caught (`reportError`), and ends nothing; so it is with every function that is only told of something,
 * such as `onProgress`, `onDrift` and `onRowError`.
 */
export interface Hooks {
  /** Called before each request. */
  onRequest?: ((event: RequestEvent) => void) | undefined;
  /** Called when a request has ended, also when it was called off. */
  onResponse?: ((event: ResponseEvent) => void) | undefined;
  /** Called before each pause. */
  onRetry?: ((event: RetryEvent) => void) | undefined;
  /** Called whenever the limit on requests changes. */
  onGate?: ((event: GateEvent) => void) | undefined;
}

/** Where the workspace is, and how to talk to it. */
export interface ConnectionOptions {
  /**
   * The address of the service, without `/api`; `""` is the page's own origin, and `"/path"` a path of
   * it.
   */
  baseUrl: string | URL;
  /** Which workspace the key is used for; sent as `x-tenant-id`. Default: none is named. */
  tenantId?: string | undefined;
  /** How calls are sent again. */
  retry?: RetryOptions | undefined;
  /** How long one attempt of any call may take, in milliseconds. */
  timeoutMs?: number | undefined;
  /** How long any call but `updateLeads` may take in all, in milliseconds. */
  deadlineMs?: number | undefined;
  /**
   * The longest answer that is read.
   * @defaultValue `33554432` (32 MiB)
   */
  maxBodyBytes?: number | undefined;
  /**
   * Where jobs are read: a path that begins with one slash and holds `{job_id}`.
   * @defaultValue `"/api/jobs/{job_id}"`
   */
  jobPath?: string | undefined;
  /**
   * Send scoring without any id; it may score the whole workspace.
   * @defaultValue `false`
   */
  allowScoringOfEverything?: boolean | undefined;
  /** Functions that watch the calls. */
  hooks?: Hooks | undefined;
}

/** A fixed key. */
export interface KeyOptions {
  /** A user API key of the workspace. It is sent to `baseUrl` and to nowhere else. */
  apiKey: string;
  /** Not with a fixed key. */
  getApiKey?: undefined;
}

/** A key that is asked for. */
export interface AskedKeyOptions {
  /**
   * Called when a key is needed, and once more where the server does not accept it (401). Never called
   * a second time before its promise has settled, also when the call that needed the key was aborted.
   */
  getApiKey: () => string | PromiseLike<string>;
  /** Not with a key that is asked for. */
  apiKey?: undefined;
}

/** Where the workspace is, how to talk to it, and the key. */
export type WorkspaceOptions = ConnectionOptions & (KeyOptions | AskedKeyOptions);

/**
 * Where the WebAssembly module comes from: its address, a response, its bytes, or the compiled
 * module. A string is relative to the page; in Node a string without a protocol is a file.
 */
export type WasmSource =
  | URL
  | string
  | Response
  | Promise<Response>
  | ArrayBuffer
  | ArrayBufferView
  | WasmModule;

/** A compiled `WebAssembly.Module`. Not every library of types knows WebAssembly, hence `object`. */
export type WasmModule = object;
