// Builds the objects that the Wasm module passes to the page. The module passes plain values,
// because code that assembles objects is smaller in JavaScript. Times are in milliseconds.

import { makeAbort, makeError } from "./errors.js";
import { thrown } from "./fetch.js";

// Codes and classes, in the order of `kind` in src/js/error.rs.
const KINDS = [
  ["argument", "ArgumentError"],
  ["validation", "ValidationError"],
  ["no_key", "AuthError"],
  ["key_refused", "AuthError"],
  ["forbidden", "AuthError"],
  ["not_found", "NotFoundError"],
  ["rate_limited", "RateLimitError"],
  ["timeout", "TimeoutError"],
  ["network", "NetworkError"],
  ["redirected", "WorkspaceError"],
  ["too_large", "DecodeError"],
  ["decode", "DecodeError"],
  ["status", "WorkspaceError"],
  ["outcome_unknown", "OutcomeUnknownError"],
];

// Maximum length of a server message in an error message, in characters.
const SAID = 300;

// The "what happened" sentence of each error created here.
const sentences = new WeakMap();

/**
 * Returns the error of a call. `detail` is the server's detail as JSON; without it, `said` is used.
 * `limit` is a time in milliseconds or a size in bytes; `unpaid` means that the retry budget ended
 * the call.
 */
export function failed(
  kind, operation, status, requestId, attempts, retryable, writes, ambiguous, unpaid, retryAfterMs,
  detail, said, limit, cause,
) {
  const [code, name] = KINDS[kind];
  const method = camel(operation);
  const { error, elsewhere } = (code === "network" && thrown(said)) || {};
  const told = detail === undefined ? undefined : JSON.parse(detail);
  const say = { code, method, status, said: said.slice(0, SAID), limit, cause, elsewhere };
  const happened = what(say).replace(/\.+$/, "");
  const parts = [happened];
  if (writes) parts.push(ambiguous ? "It is not known whether the change was made" : "Nothing was changed");
  if (unpaid) parts.push("It was not sent again: too many calls failed lately");
  parts.push(remedy(code, method, status, retryable, retryAfterMs));
  const id = requestId === undefined ? "" : ` (Request ${requestId})`;
  const made = makeError(name, `${parts.join(". ")}.${id}`, {
    code,
    operation: method,
    status,
    requestId,
    attempts,
    retryable,
    ambiguous,
    retryAfterMs,
    until: retryAfterMs === undefined ? undefined : Date.now() + retryAfterMs,
    detail: told,
    cause: cause ?? error ?? (code === "no_key" || code === "decode" ? said : undefined),
  });
  sentences.set(made, happened);
  // The outer error says what to do, so the cause's message only says what happened.
  if (cause) cause.message = `${sentences.get(cause)}.`;
  return made;
}

/** Returns what happened, as a sentence. */
function what({ code, method, status, said, limit, cause, elsewhere }) {
  const why = said ? `: ${said}` : "";
  switch (code) {
    case "argument":
      return `Nothing was sent${why}`;
    case "no_key":
      return `Nothing was sent, for lack of a key${why}`;
    case "outcome_unknown":
      return `It may have been started, or not. ${sentences.get(cause)}`;
    case "validation":
      return `The server refused it${why}`;
    case "key_refused":
      return `The server does not accept this key${why}`;
    case "forbidden":
      return `This key doesn't have access${why}`;
    case "not_found":
      return said ? `${method}: the server says: ${said}` : `${method}: there is no such thing`;
    case "rate_limited":
      return "The workspace had too many requests";
    case "timeout": {
      const time = limit < 1000 ? `${limit} ms` : `${Math.round(limit / 100) / 10} s`;
      return method === "waitForJob"
        ? `The job goes on, but did not end within ${time}`
        : `The server did not answer within ${time}`;
    }
    case "network":
      return elsewhere
        ? "The server cannot be reached, or the server does not allow this page's origin"
        : "The server cannot be reached";
    case "redirected":
      return "The server pointed to another address, which was not followed";
    case "too_large":
      return `The answer is larger than ${size(limit)}`;
    case "decode":
      return `The server sent something unexpected${why}`;
  }
  const unavailable = status > 501 && status < 505;
  const failed = status > 499 ? "The service failed" : "The server refused it";
  return `${unavailable ? "The service is unavailable" : failed} (${status}${why})`;
}

function size(bytes) {
  if (bytes < 2 ** 10) return `${bytes} bytes`;
  const [unit, name] = bytes < 2 ** 20 ? [2 ** 10, "KiB"] : [2 ** 20, "MiB"];
  return `${Math.floor((bytes / unit) * 10) / 10} ${name}`;
}

/** Returns what to do, as a sentence. */
function remedy(code, method, status, retryable, retryAfterMs) {
  switch (code) {
    case "argument":
    case "validation":
      return "Correct it and try again";
    case "no_key":
    case "key_refused":
      return "Create the workspace with a key that it knows";
    case "outcome_unknown":
      return "Look at the jobs and scores before starting it again";
    case "forbidden":
      return "Use another key or ask your admin";
    case "not_found":
      return method === "request" ? "Check the path and `baseUrl`" : "Check the id and `baseUrl`";
    case "rate_limited":
      if (retryAfterMs !== undefined) return `Try again in ${Math.ceil(retryAfterMs / 1000)} s`;
      return "Try again in a moment";
    case "network":
      return "Check the connection and try again";
    case "timeout":
      return "Try again";
    case "redirected":
    case "decode":
      return "Check that `baseUrl` is the address of a workspace service";
    case "too_large":
      return "Ask for fewer rows on a page, or raise `maxBodyBytes`";
  }
  return retryable ? "Try again in a moment" : "Try again; if it stays, tell who runs the server";
}

/** Returns the error for an argument that was refused before a call started. */
export function refused(reason) {
  // Some reasons are whole sentences already.
  const sentence = reason.replace(/\.+$/, "");
  return makeError("ArgumentError", `Nothing was sent: ${sentence}.`, { code: "argument", attempts: 0 });
}

/** Returns the rejection of an aborted bulk change. It contains the outcome of the leads. */
export function cutShort(outcome) {
  return Object.assign(makeAbort(), { outcome });
}

/** Returns the JavaScript name of an operation: `updateLead` for `update_lead`. */
function camel(operation) {
  return operation.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

/** Calls a callback of the page. Exceptions are reported and do not end the call. */
export function tell(listener, event) {
  try {
    listener(event);
  } catch (thrown) {
    try {
      (globalThis.reportError ?? console.error)(thrown);
    } catch {
      // Reporting failed as well; there is nothing left to do.
    }
  }
}

export function tellRequest(listener, operation, method, url, attempt) {
  tell(listener, { operation: camel(operation), method, url, attempt });
}

export function tellResponse(
  listener, operation, method, url, attempt, status = null, requestId = null, durationMs,
) {
  tell(listener, { operation: camel(operation), method, url, attempt, status, requestId, durationMs });
}

export function tellRetry(listener, operation, attempt, delayMs, error) {
  const reason = sentences.get(error);
  tell(listener, { operation: camel(operation), attempt, delayMs, reason, status: error.status, error });
}

export function gate(state, retryAfterMs, waiting) {
  return { state, retryAfterMs, waiting };
}

export function tellProgress(listener, done, total, updated, failed, uncertain, error) {
  const event = { done, total, updated, failed, uncertain };
  if (error !== undefined) event.error = error;
  tell(listener, event);
}

/** Returns the outcome of a bulk change. In `errors`, ids and their error alternate. */
export function outcome(updated, failed, uncertain, errors) {
  const missed = errors.flatMap((ids, at) => (at % 2 ? [] : [{ ids, error: errors[at + 1] }]));
  return { updated, failed, uncertain, errors: missed };
}

/** Returns the summary of a page that pagination needs, as `src/js/pages.rs` reads it. */
export function survey(page, id) {
  return {
    ids: page.data.map((row) => row[id]),
    lost: page.rowErrors.filter(({ kept }) => !kept).length,
    total: page.total,
    has_more: page.has_more,
    page_size: page.page_size,
  };
}

/** Returns the new rows of a page, and what changed on the server. */
export function step({ data, rowErrors }, news, before, now, repeated, stuck, incomplete) {
  const drift = [];
  if (before !== undefined) drift.push({ kind: "total", before, now });
  if (repeated !== undefined) drift.push({ kind: "repeated", ids: repeated });
  if (stuck !== undefined) drift.push({ kind: "stuck", page: stuck });
  if (incomplete) drift.push({ kind: "incomplete" });
  return { rows: data.filter((_, index) => news[index]), rowErrors, drift };
}

/** Parses the body of a response to a request outside of the table; undefined if it is empty. */
export function parse(bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error("it is not UTF-8");
  }
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message may quote the body.
    throw new Error("it is not JSON");
  }
}

/**
 * Returns the error message in a response body, parsed like `ErrorBody` in crates/api; undefined if
 * there is none. `json` is left out if it has no more than `said`.
 */
export function explain(body) {
  let it;
  try {
    it = JSON.parse(body);
  } catch {
    return undefined;
  }
  // spec: not shown; other upstreams use other names for it, the last one that of problem+json.
  const detail = [it?.detail, it?.message, it?.error?.message, it?.title].find((said) => said != null && said !== "");
  if (detail === undefined) return undefined;
  if (typeof detail === "string") return { said: detail, json: JSON.stringify(detail) };
  const entries = Array.isArray(detail) ? detail.map(entry) : [undefined];
  if (entries.includes(undefined)) return { said: JSON.stringify(detail), json: JSON.stringify(detail) };
  if (entries.length === 0) return { said: "" };
  // "body" and "query" say where the server looked; users only know the field.
  const place = ({ loc }) => (loc.length > 1 ? `${loc.slice(1).join(".")}: ` : "");
  return {
    said: entries.map((it) => place(it) + it.msg).join("; "),
    json: JSON.stringify(entries),
  };
}

/** Returns an entry with all its members; undefined if it is not valid. */
function entry(value) {
  if (!isObject(value)) return undefined;
  const { loc = [], msg = "", type = "", input = null, ctx } = value;
  const isPart = (part) => typeof part === "string" || Number.isInteger(part);
  const fits =
    Array.isArray(loc) && loc.every(isPart) && typeof msg === "string" && typeof type === "string";
  if (!fits || !(ctx == null || isObject(ctx))) return undefined;
  return { loc: loc.map(String), msg, type, input, ctx: ctx ?? {} };
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
