// What calls reject with.

/** One problem that the server found in the parameters. */
export interface ValidationEntry {
  /** Where it is, e.g. `["body", "page_size"]`. */
  loc: string[];
  /** What is wrong. */
  msg: string;
  /** The kind of problem. */
  type: string;
  /** What was sent. */
  input: unknown;
  /** Particulars. */
  ctx: { [name: string]: unknown };
}

/**
 * What tells the cases of errors apart.
 *
 * | code | class | when |
 * |---|---|---|
 * | `argument` | `ArgumentError` | an argument makes no sense, or the platform refuses such a request |
 * | `constructor` | `ArgumentError` | `new Workspace()` in place of `Workspace.create` |
 * | `crashed` | `WorkspaceError` | the WebAssembly module stopped because of an error in it |
 * | `decode` | `DecodeError` | the answer is not what the contract promises |
 * | `disposed` | `WorkspaceError` | the workspace was disposed of |
 * | `forbidden` | `AuthError` | the key may not do this (403) |
 * | `key_refused` | `AuthError` | the server does not accept the key (401) |
 * | `load` | `WorkspaceError`, `NetworkError` | the WebAssembly module could not be loaded |
 * | `network` | `NetworkError` | the server could not be reached, or the connection broke |
 * | `no_key` | `AuthError` | `getApiKey` gave no key |
 * | `not_found` | `NotFoundError` | there is no such thing (404) |
 * | `options` | `ArgumentError` | an option or a parameter that nobody knows |
 * | `outcome_unknown` | `OutcomeUnknownError` | a start that may have happened |
 * | `rate_limited` | `RateLimitError` | too many requests (429) |
 * | `redirected` | `WorkspaceError` | the server pointed elsewhere, which is not followed |
 * | `source` | `ArgumentError` | `init` was given what is no module |
 * | `status` | `WorkspaceError` | any other status |
 * | `timeout` | `TimeoutError` | no answer in time |
 * | `too_large` | `DecodeError` | the answer is larger than `maxBodyBytes` |
 * | `validation` | `ValidationError` | the server refused the parameters (400, 422) |
 */
export type ErrorCode =
  | "argument"
  | "constructor"
  | "crashed"
  | "decode"
  | "disposed"
  | "forbidden"
  | "key_refused"
  | "load"
  | "network"
  | "no_key"
  | "not_found"
  | "options"
  | "outcome_unknown"
  | "rate_limited"
  | "redirected"
  | "source"
  | "status"
  | "timeout"
  | "too_large"
  | "validation";

/** An error as plain data. */
export interface WorkspaceErrorJson {
  /** The class. */
  name: string;
  /** What happened, what was kept and what to do. */
  message: string;
  /** See {@link WorkspaceError.code}. */
  code: ErrorCode | null;
  /** See {@link WorkspaceError.operation}. */
  operation: string | null;
  /** See {@link WorkspaceError.status}. */
  status: number | null;
  /** See {@link WorkspaceError.requestId}. */
  requestId: string | null;
  /** See {@link WorkspaceError.attempts}. */
  attempts: number | null;
  /** See {@link WorkspaceError.retryable}. */
  retryable: boolean;
  /** See {@link WorkspaceError.ambiguous}. */
  ambiguous: boolean;
  /** See {@link WorkspaceError.retryAfterMs}. */
  retryAfterMs: number | null;
  /** The message of what caused it. */
  cause: string | null;
  /** See {@link WorkspaceError.detail}. */
  detail: WorkspaceError["detail"];
  /** See {@link RateLimitError.until}. */
  until?: number | null;
}

/**
 * The class of everything that a call rejects with, aborts apart. The message says what happened,
 * what was kept and what to do; it never holds the key.
 *
 * @example
 * try {
 *   await ws.updateLead("lead-1", "approved");
 * } catch (error) {
 *   if (!(error instanceof WorkspaceError)) throw error;
 *   console.error(error.message, error.requestId);
 *   if (error.retryable) console.log("worth another try");
 * }
 */
export class WorkspaceError extends Error {
  /** Made by the client only. */
  protected constructor();
  /** The name of the class, also in minified code. */
  readonly name: string;
  /** What tells the case apart. */
  readonly code: ErrorCode | null;
  /** The method that was called, e.g. `queryLeads`. */
  readonly operation: string | null;
  /** The HTTP status, where there was a response. */
  readonly status: number | null;
  /** The response's `x-request-id`, for whoever looks into the server's log. */
  readonly requestId: string | null;
  /** How many requests were sent. */
  readonly attempts: number | null;
  /** Whether the same call may well succeed later, unchanged. */
  readonly retryable: boolean;
  /** Whether a write may have been done all the same. */
  readonly ambiguous: boolean;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /**
   * What the server says is wrong, null where it says nothing: problems, or a text or an object from
   * servers that do not keep to the contract. Its sentence stands in the message. Read from `detail`, else
   * from `message`, `error.message` or `title`.
   */
  readonly detail: ValidationEntry[] | string | { [name: string]: unknown } | null;
  /**
   * Everything as plain data, for logs and for `postMessage`: `structuredClone` leaves nothing of an error but
   * its message.
   *
   * @example
   * const report = (error: WorkspaceError) => navigator.sendBeacon("/log", JSON.stringify(error));
   */
  toJSON(): WorkspaceErrorJson;
}

/**
 * The server refused the parameters.
 *
 * @example
 * const explain = (error: ValidationError) =>
 *   Array.isArray(error.detail)
 *     ? error.detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)
 *     : [JSON.stringify(error.detail)];
 */
export class ValidationError extends WorkspaceError {
  /** The name of the class. */
  readonly name: "ValidationError";
}

/**
 * The key is missing or unknown (401), or may not do this (403).
 *
 * @example
 * const mustSignIn = (error: unknown) => error instanceof AuthError && error.status !== 403;
 */
export class AuthError extends WorkspaceError {
  /** The name of the class. */
  readonly name: "AuthError";
}

/**
 * There is no such lead, account or job (404).
 *
 * @example
 * const lead = await ws.getLead("lead-1").catch((error: unknown) => {
 *   if (error instanceof NotFoundError) return null;
 *   throw error;
 * });
 */
export class NotFoundError extends WorkspaceError {
  /** The name of the class. */
  readonly name: "NotFoundError";
}

/**
 * The workspace had too many requests (429), and waiting for it would take too long.
 *
 * @example
 * const again = (error: RateLimitError) => (error.until === null ? null : new Date(error.until));
 */
export class RateLimitError extends WorkspaceError {
  /** The name of the class. */
  readonly name: "RateLimitError";
  /** When to try again, in milliseconds since 1970, where that is known. */
  readonly until: number | null;
}

/**
 * No answer in time.
 *
 * @example
 * const slow = (error: unknown) => error instanceof TimeoutError;
 */
export class TimeoutError extends WorkspaceError {
  /** The name of the class. */
  readonly name: "TimeoutError";
}

/**
 * The server could not be reached, or the connection broke; in a page also: the server does not allow the
 * page's origin. What the platform threw is the `cause`.
 *
 * @example
 * const offline = (error: unknown) => error instanceof NetworkError && !navigator.onLine;
 */
export class NetworkError extends WorkspaceError {
  /** The name of the class. */
  readonly name: "NetworkError";
}

/**
 * The answer is not what the contract promises.
 *
 * @example
 * const wrongServer = (error: unknown) => error instanceof DecodeError;
 */
export class DecodeError extends WorkspaceError {
  /** The name of the class. */
  readonly name: "DecodeError";
}

/**
 * Something was sent that may have started a workflow, and nobody knows whether it did. It is never
 * sent again by itself.
 *
 * @example
 * const askFirst = (error: unknown) => error instanceof OutcomeUnknownError;
 */
export class OutcomeUnknownError extends WorkspaceError {
  /** The name of the class. */
  readonly name: "OutcomeUnknownError";
}

/**
 * The call was refused before anything was sent.
 *
 * @example
 * const mistake = await ws.queryLeads({ page_size: 1000 }).catch((error: unknown) => error);
 * console.log(mistake instanceof ArgumentError);
 */
export class ArgumentError extends WorkspaceError {
  /** The name of the class. */
  readonly name: "ArgumentError";
}
