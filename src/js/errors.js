// What a call rejects with. The Rust side makes these through `makeError`, the facade throws them
// itself, and a page tests for them with `instanceof`: there must be one copy of this file.

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

/** The class of everything that a workspace rejects with, aborts apart. */
export class WorkspaceError extends Error {
  /**
   * @param {string} message What happened, what was kept and what to do.
   * @param {object} [fields] The members below; what is left out is unknown.
   */
  constructor(message, fields = {}) {
    const { cause } = fields;
    super(message, cause == null ? undefined : { cause: asError(cause) });
    for (const [name, unknown] of Object.entries(this.constructor.fields)) {
      this[name] = fields[name] ?? unknown;
    }
  }

  /** The members of the class, and what stands there while nothing is known. */
  static get fields() {
    return EMPTY;
  }

  /** Every member as plain data, for logs and for `postMessage`. */
  toJSON() {
    const { name, message, cause } = this;
    const fields = Object.keys(this.constructor.fields).map((field) => [field, this[field]]);
    return { name, message, ...Object.fromEntries(fields), cause: cause instanceof Error ? cause.message : null };
  }
}

/** The server refused the parameters. */
export class ValidationError extends WorkspaceError {}

/** The key is missing, not known (401), or may not do this (403). */
export class AuthError extends WorkspaceError {}

/** There is no such lead, account or job (404). */
export class NotFoundError extends WorkspaceError {}

/** The workspace had too many requests (429). */
export class RateLimitError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, until: null };
  }
}

/** No answer in time. */
export class TimeoutError extends WorkspaceError {}

/** The server could not be reached, or the connection broke. */
export class NetworkError extends WorkspaceError {}

/** The answer is not what the contract promises. */
export class DecodeError extends WorkspaceError {}

/** Something was sent that may have started a workflow, and nobody knows whether it did. */
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

// Written out, because minifiers rename classes.
for (const [name, type] of Object.entries(CLASSES)) {
  Object.defineProperty(type.prototype, "name", { value: name, configurable: true, writable: true });
}

/** Makes an error of the class `name`. Used by the Wasm module. */
export function makeError(name, message, fields) {
  const Type = Object.hasOwn(CLASSES, name) ? CLASSES[name] : WorkspaceError;
  return new Type(message, fields);
}

/** Makes what an aborted call rejects with: the platform's own AbortError. */
export function makeAbort() {
  return new DOMException("The call was aborted.", "AbortError");
}

function asError(cause) {
  return cause instanceof Error ? cause : new Error(String(cause));
}
