// The errors that calls reject with. The Rust code creates them through `makeError`, the facade
// throws them itself, and pages test for them with `instanceof`. There must be only one copy of
// this file.

const EMPTY = {
  operation: null,
  status: null,
  requestId: null,
  attempts: null,
  retryable: false,
  ambiguous: false,
  retryAfterMs: null,
  code: null,
  detail: null,
};

/** The base class of all errors of a workspace, except aborts. */
export class WorkspaceError extends Error {
  /**
   * @param {string} message What happened, whether anything was changed, and what to do.
   * @param {object} [fields] Values of the members below; members left out are unknown.
   */
  constructor(message, fields = {}) {
    const { cause } = fields;
    super(message, cause == null ? undefined : { cause: asError(cause) });
    for (const [name, unknown] of Object.entries(this.constructor.fields)) {
      this[name] = fields[name] ?? unknown;
    }
  }

  /** The members of the class, with their values if unknown. */
  static get fields() {
    return EMPTY;
  }

  /** Returns every member as plain data, for logs and `postMessage`. */
  toJSON() {
    const { name, message, cause } = this;
    const fields = Object.keys(this.constructor.fields).map((field) => [field, this[field]]);
    return { name, message, ...Object.fromEntries(fields), cause: cause instanceof Error ? cause.message : null };
  }
}

/** The server refused the parameters. */
export class ValidationError extends WorkspaceError {}

/** The key is missing, not accepted (401), or has no permission (403). */
export class AuthError extends WorkspaceError {}

/** The lead, account or job does not exist (404). */
export class NotFoundError extends WorkspaceError {}

/** Too many requests for the workspace (429). */
export class RateLimitError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, until: null };
  }
}

/** No response in time. */
export class TimeoutError extends WorkspaceError {}

/** The server could not be reached, or the connection broke. */
export class NetworkError extends WorkspaceError {}

/** The response does not match the contract. */
export class DecodeError extends WorkspaceError {}

/** A request that starts a workflow was sent, and it is unknown whether the workflow started. */
export class OutcomeUnknownError extends WorkspaceError {}

/** The call was refused before anything was sent. */
export class ArgumentError extends WorkspaceError {}

const CLASSES = {
  WorkspaceError,
  ValidationError,
  AuthError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  NetworkError,
  DecodeError,
  OutcomeUnknownError,
  ArgumentError,
};

// Set explicitly, because minifiers rename classes.
for (const [name, type] of Object.entries(CLASSES)) {
  Object.defineProperty(type.prototype, "name", { value: name, configurable: true, writable: true });
}

/** Returns an error of the class `name`. Used by the Wasm module. */
export function makeError(name, message, fields) {
  const Type = Object.hasOwn(CLASSES, name) ? CLASSES[name] : WorkspaceError;
  return new Type(message, fields);
}

/** Returns the rejection of an aborted call: the platform's own AbortError. That of a bulk change has the outcome. */
export function makeAbort(outcome) {
  const abort = new DOMException("The call was aborted.", "AbortError");
  return outcome === undefined ? abort : Object.assign(abort, { outcome });
}

function asError(cause) {
  return cause instanceof Error ? cause : new Error(String(cause));
}
