// The errors that calls reject with. The Rust code creates them through `makeError`, the facade
// throws them itself, and pages test for them with `instanceof`. There must be only one copy of
// this file in a package.

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

// Registered for all copies of the package, and for all realms.
const BRAND = Symbol.for("lead-workspace.WorkspaceError");

/** Whether a value is an error of a workspace, from this copy of the package or another one. */
export function isWorkspaceError(value) {
  return typeof value === "object" && value !== null && value[BRAND] === true;
}

/** The base class of all errors of a workspace, except aborts. */
export class WorkspaceError extends Error {
  /**
   * @param {string} message What happened, whether anything was changed, and what to do.
   * @param {object} [fields] Values of the members below; members left out are unknown, the code is the class's.
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

  /**
   * Returns the error that `toJSON` wrote, as an instance of its class. A class that this version does not know
   * becomes the base class.
   */
  static fromJSON(json) {
    if (typeof json !== "object" || json === null || typeof json.message !== "string") {
      throw new ArgumentError("This is no error of a workspace: pass what its toJSON() returned.");
    }
    return makeError(json.name, json.message, json);
  }

  /** Returns every member as plain data, for logs and `postMessage`. */
  toJSON() {
    const { name, message, cause } = this;
    const fields = Object.keys(this.constructor.fields).map((field) => [field, this[field]]);
    return { name, message, ...Object.fromEntries(fields), cause: cause instanceof Error ? cause.message : null };
  }
}

/** The server refused the parameters. */
export class ValidationError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, code: "validation" };
  }
}

/** The key is missing, not accepted (401), or has no permission (403). */
export class AuthError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, code: "key_refused" };
  }
}

/** The lead, account or job does not exist (404). */
export class NotFoundError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, code: "not_found" };
  }
}

/** Too many requests for the workspace (429). */
export class RateLimitError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, code: "rate_limited", until: null };
  }
}

/** No response in time. */
export class TimeoutError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, code: "timeout" };
  }
}

/** The server could not be reached, or the connection broke. */
export class NetworkError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, code: "network" };
  }
}

/** The response does not match the contract. */
export class DecodeError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, code: "decode" };
  }
}

/** A request that starts a workflow was sent, and it is unknown whether the workflow started. */
export class OutcomeUnknownError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, code: "outcome_unknown" };
  }
}

/** The call was refused before anything was sent. */
export class ArgumentError extends WorkspaceError {
  static get fields() {
    return { ...EMPTY, code: "argument" };
  }
}

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

Object.defineProperty(WorkspaceError.prototype, BRAND, { value: true });

// Set explicitly, because minifiers rename classes.
for (const [name, type] of Object.entries(CLASSES)) {
  Object.defineProperty(type.prototype, "name", { value: name, configurable: true, writable: true });
}

/** Returns an error of the class `name`. Used by the Wasm module. */
export function makeError(name, message, fields) {
  const Type = Object.hasOwn(CLASSES, name) ? CLASSES[name] : WorkspaceError;
  return new Type(message, fields);
}

function asError(cause) {
  return cause instanceof Error ? cause : new Error(String(cause));
}
