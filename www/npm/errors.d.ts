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

/** An error as plain data. */
export interface WorkspaceErrorJson {
  /** The class. */
  name: string;
  /** What happened, what was kept and what to do. */
  message: string;
  /** See {@link WorkspaceError.code}. */
  code: string | null;
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
  /** See {@link ValidationError.detail}. */
  detail?: ValidationError["detail"];
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
  /** A short text that tells the case apart, e.g. `disposed` or `crashed`. */
  readonly code: string | null;
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
   * Everything as plain data, for logs and for `postMessage`.
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
  /** The problems; a text or an object from servers that do not keep to the contract. */
  readonly detail: ValidationEntry[] | string | { [name: string]: unknown } | null;
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
 * The server could not be reached, or the connection broke. The browser's own words are the `cause`.
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
