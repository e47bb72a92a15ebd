// Errors that calls reject with.

/** A problem that the server found in the parameters. */
export interface ValidationEntry {
  /** Location of the input, e.g. `["body", "page_size"]`. */
  loc: string[];
  /** What is wrong. */
  msg: string;
  /** The kind of problem. */
  type: string;
  /** The input as sent. */
  input: unknown;
  /** Details of the problem. */
  ctx: { [name: string]: unknown };
}

/**
 * The code that identifies the kind of error.
 *
 * | code | class | when |
 * |---|---|---|
 * | `argument` | `ArgumentError` | an argument is invalid, or the platform refuses such a request |
 * | `constructor` | `ArgumentError` | `new Workspace()` instead of `Workspace.create` |
 * | `crashed` | `WorkspaceError` | the WebAssembly module stopped because of an error in it |
 * | `decode` | `DecodeError` | the response does not match the contract |
 * | `disposed` | `WorkspaceError` | the workspace was disposed of |
 * | `forbidden` | `AuthError` | the key does not have access (403) |
 * | `key_refused` | `AuthError` | the server does not accept the key (401) |
 * | `load` | `WorkspaceError`, `NetworkError` | the WebAssembly module could not be loaded |
 * | `network` | `NetworkError` | the server could not be reached, or the connection broke |
 * | `no_key` | `AuthError` | `getApiKey` did not return a key |
 * | `not_found` | `NotFoundError` | the resource does not exist (404) |
 * | `options` | `ArgumentError` | an unknown or invalid option or parameter |
 * | `outcome_unknown` | `OutcomeUnknownError` | a start may have succeeded |
 * | `rate_limited` | `RateLimitError` | too many requests (429) |
 * | `redirected` | `WorkspaceError` | the server redirected the request, which is not followed |
 * | `source` | `ArgumentError` | the source given to `init` is not a module |
 * | `status` | `WorkspaceError` | any other status |
 * | `timeout` | `TimeoutError` | no response in time |
 * | `too_large` | `DecodeError` | the response is larger than `maxBodyBytes` |
 * | `validation` | `ValidationError` | the server rejected the parameters (400, 422) |
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

/**
 * Any error of a workspace. `code` and `name` narrow it to a class: after `error.code === "rate_limited"`, the error
 * has `until`. The base class alone has the codes that belong to no other class.
 */
export type AnyWorkspaceError =
  | (WorkspaceError & {
      readonly name: "WorkspaceError";
      readonly code: "crashed" | "disposed" | "load" | "redirected" | "status" | null;
    })
  | ValidationError
  | AuthError
  | NotFoundError
  | RateLimitError
  | TimeoutError
  | NetworkError
  | DecodeError
  | OutcomeUnknownError
  | ArgumentError;

/**
 * Whether a value is an error of a workspace. Unlike `instanceof`, it also recognizes errors of another copy of the
 * package, such as one in another bundle of the page.
 *
 * @example
 * try {
 *   await ws.queryLeads();
 * } catch (error) {
 *   if (!isWorkspaceError(error)) throw error;
 *   if (error.code === "rate_limited") console.log("busy until", error.until);
 *   else if (error.code === "validation") console.table(error.detail);
 *   else console.error(error.message);
 * }
 */
export function isWorkspaceError(value: unknown): value is AnyWorkspaceError;

/** The members of an error that is made in a test. Members left out are unknown: null, or false. */
export interface WorkspaceErrorFields<Code extends ErrorCode = ErrorCode> {
  /** See {@link WorkspaceError.code}. Default: the code of the class; of {@link AuthError}, `key_refused`. */
  code?: Code | null | undefined;
  /** See {@link WorkspaceError.operation}. */
  operation?: string | null | undefined;
  /** See {@link WorkspaceError.status}. */
  status?: number | null | undefined;
  /** See {@link WorkspaceError.requestId}. */
  requestId?: string | null | undefined;
  /** See {@link WorkspaceError.attempts}. */
  attempts?: number | null | undefined;
  /** See {@link WorkspaceError.retryable}. */
  retryable?: boolean | undefined;
  /** See {@link WorkspaceError.ambiguous}. */
  ambiguous?: boolean | undefined;
  /** See {@link WorkspaceError.retryAfterMs}. */
  retryAfterMs?: number | null | undefined;
  /** See {@link WorkspaceError.detail}. */
  detail?: WorkspaceError["detail"] | undefined;
  /** The cause; anything but an `Error` becomes the message of one. */
  cause?: unknown;
}

/** The members of a {@link RateLimitError} that is made in a test. */
export interface RateLimitErrorFields extends WorkspaceErrorFields<"rate_limited"> {
  /** See {@link RateLimitError.until}. */
  until?: number | null | undefined;
}

/** An error as plain data. */
export interface WorkspaceErrorJson {
  /** The name of the class. */
  name: string;
  /** What happened, whether anything was changed, and what to do. */
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
  /** The message of the cause. */
  cause: string | null;
  /** See {@link WorkspaceError.detail}. */
  detail: WorkspaceError["detail"];
  /** See {@link RateLimitError.until}. */
  until?: number | null;
}

/**
 * The base class of all errors that a call rejects with, except aborts. The message states what happened,
 * whether anything was changed, and what to do; it never contains the key.
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
  /**
   * Makes an error, e.g. for a test: `new RateLimitError("Busy.", { status: 429, retryable: true })`.
   *
   * @param message What happened, whether anything was changed, and what to do.
   */
  constructor(message: string, fields?: WorkspaceErrorFields);
  /** The name of the class, also in minified code. */
  readonly name: string;
  /** The kind of error. */
  readonly code: ErrorCode | null;
  /** The method that was called, e.g. `queryLeads`. */
  readonly operation: string | null;
  /** The HTTP status; null if there was no response. */
  readonly status: number | null;
  /** The response's `x-request-id`, to find the request in the server's log. */
  readonly requestId: string | null;
  /** Number of requests sent. */
  readonly attempts: number | null;
  /** Whether the same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** Whether a write may have taken effect despite the error. */
  readonly ambiguous: boolean;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | null;
  /**
   * The server's description of the error; null if it gives none. Validation entries, or a text or an object
   * from servers that do not follow the contract. The message contains its text; of many entries, the first five
   * that differ and the number of the others. Read from `detail`, otherwise from `message`, `error.message` or `title`.
   */
  readonly detail: ValidationEntry[] | string | { [name: string]: unknown } | null;
  /**
   * Returns the error as plain data, for logs and for `postMessage`: `structuredClone` keeps nothing of an
   * error but its message.
   *
   * @example
   * const report = (error: WorkspaceError) => navigator.sendBeacon("/log", JSON.stringify(error));
   */
  toJSON(): WorkspaceErrorJson;
  /**
   * Returns the error that `toJSON` wrote, as an instance of its class; the stack is the current one. A class that
   * this version does not know becomes `WorkspaceError`.
   *
   * @throws {@link ArgumentError} if the value was not written by `toJSON`.
   *
   * @example
   * const worker = new Worker("worker.js");
   * worker.addEventListener("message", ({ data }) => {
   *   if (data.error) console.error(WorkspaceError.fromJSON(data.error).code);
   * });
   */
  static fromJSON(json: WorkspaceErrorJson): AnyWorkspaceError;
}

/**
 * The server rejected the parameters.
 *
 * @example
 * const explain = (error: ValidationError) =>
 *   Array.isArray(error.detail)
 *     ? error.detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`)
 *     : [JSON.stringify(error.detail)];
 */
export class ValidationError extends WorkspaceError {
  /** See {@link WorkspaceError.constructor}. */
  constructor(message: string, fields?: WorkspaceErrorFields<"validation">);
  /** The name of the class. */
  readonly name: "ValidationError";
  /** The kind of error. */
  readonly code: "validation";
}

/**
 * The key is missing or unknown (401), or does not have access (403).
 *
 * @example
 * const mustSignIn = (error: unknown) => error instanceof AuthError && error.status !== 403;
 */
export class AuthError extends WorkspaceError {
  /** See {@link WorkspaceError.constructor}. */
  constructor(message: string, fields?: WorkspaceErrorFields<"forbidden" | "key_refused" | "no_key">);
  /** The name of the class. */
  readonly name: "AuthError";
  /** The kind of error. */
  readonly code: "forbidden" | "key_refused" | "no_key";
}

/**
 * The lead, account or job does not exist (404).
 *
 * @example
 * const lead = await ws.getLead("lead-1").catch((error: unknown) => {
 *   if (error instanceof NotFoundError) return null;
 *   throw error;
 * });
 */
export class NotFoundError extends WorkspaceError {
  /** See {@link WorkspaceError.constructor}. */
  constructor(message: string, fields?: WorkspaceErrorFields<"not_found">);
  /** The name of the class. */
  readonly name: "NotFoundError";
  /** The kind of error. */
  readonly code: "not_found";
}

/**
 * The workspace exceeded its rate limit (429), and waiting for it would take too long.
 *
 * @example
 * const again = (error: RateLimitError) => (error.until === null ? null : new Date(error.until));
 */
export class RateLimitError extends WorkspaceError {
  /** See {@link WorkspaceError.constructor}. */
  constructor(message: string, fields?: RateLimitErrorFields);
  /** The name of the class. */
  readonly name: "RateLimitError";
  /** The kind of error. */
  readonly code: "rate_limited";
  /** When to try again, in milliseconds since 1970; null if unknown. */
  readonly until: number | null;
}

/**
 * No response in time.
 *
 * @example
 * const slow = (error: unknown) => error instanceof TimeoutError;
 */
export class TimeoutError extends WorkspaceError {
  /** See {@link WorkspaceError.constructor}. */
  constructor(message: string, fields?: WorkspaceErrorFields<"timeout">);
  /** The name of the class. */
  readonly name: "TimeoutError";
  /** The kind of error. */
  readonly code: "timeout";
}

/**
 * The server could not be reached, or the connection broke. In a page also: the server does not allow the
 * page's origin. The platform's error is the `cause`.
 *
 * @example
 * const offline = (error: unknown) => error instanceof NetworkError && !navigator.onLine;
 */
export class NetworkError extends WorkspaceError {
  /** See {@link WorkspaceError.constructor}. */
  constructor(message: string, fields?: WorkspaceErrorFields<"load" | "network">);
  /** The name of the class. */
  readonly name: "NetworkError";
  /** The kind of error. */
  readonly code: "load" | "network";
}

/**
 * The response does not match the contract.
 *
 * @example
 * const wrongServer = (error: unknown) => error instanceof DecodeError;
 */
export class DecodeError extends WorkspaceError {
  /** See {@link WorkspaceError.constructor}. */
  constructor(message: string, fields?: WorkspaceErrorFields<"decode" | "too_large">);
  /** The name of the class. */
  readonly name: "DecodeError";
  /** The kind of error. */
  readonly code: "decode" | "too_large";
}

/**
 * A request that may have started a workflow was sent, and its outcome is unknown. It is never sent again
 * automatically.
 *
 * @example
 * const askFirst = (error: unknown) => error instanceof OutcomeUnknownError;
 */
export class OutcomeUnknownError extends WorkspaceError {
  /** See {@link WorkspaceError.constructor}. */
  constructor(message: string, fields?: WorkspaceErrorFields<"outcome_unknown">);
  /** The name of the class. */
  readonly name: "OutcomeUnknownError";
  /** The kind of error. */
  readonly code: "outcome_unknown";
}

/**
 * The call was rejected before anything was sent.
 *
 * @example
 * const mistake = await ws.queryLeads({ page_size: 1000 }).catch((error: unknown) => error);
 * console.log(mistake instanceof ArgumentError);
 */
export class ArgumentError extends WorkspaceError {
  /** See {@link WorkspaceError.constructor}. */
  constructor(message: string, fields?: WorkspaceErrorFields<"argument" | "constructor" | "options" | "source">);
  /** The name of the class. */
  readonly name: "ArgumentError";
  /** The kind of error. */
  readonly code: "argument" | "constructor" | "options" | "source";
}
