// What the Wasm module tells a page, as the objects that the page sees. The module passes plain
// values, for whatever puts objects together is smaller here than there. Times are in milliseconds.

import { makeAbort, makeError } from "./errors.js";

/** The error of a call. `detail` is JSON; `said` stands in its place where there is none. */
export function failed(
  name, code, message, operation, status, requestId, attempts, retryable, ambiguous, retryAfterMs,
  detail, said, cause,
) {
  return makeError(name, message, {
    code,
    operation: camel(operation),
    status,
    requestId,
    attempts,
    retryable,
    ambiguous,
    retryAfterMs,
    until: retryAfterMs === undefined ? undefined : Date.now() + retryAfterMs,
    detail: detail === undefined ? said : JSON.parse(detail),
    cause: cause || undefined,
  });
}

/** Something that was refused before it became a call. */
export function refused(reason) {
  // Some reasons are whole sentences already.
  const sentence = reason.replace(/\.+$/, "");
  return makeError("ArgumentError", `Nothing was sent: ${sentence}.`, { code: "argument", attempts: 0 });
}

/** What a bulk change rejects with that was aborted: what became of the leads stands in it. */
export function cutShort(outcome) {
  return Object.assign(makeAbort(), { outcome });
}

/** `update_lead` as JavaScript writes it. */
function camel(operation) {
  return operation.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
}

/** Calls a function of the page's. What it throws is reported and ends no call. */
export function tell(listener, event) {
  try {
    listener(event);
  } catch (thrown) {
    try {
      (globalThis.reportError ?? console.error)(thrown);
    } catch {
      // Nobody is left to tell.
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

export function tellRetry(listener, operation, attempt, delayMs, reason, status = null) {
  tell(listener, { operation: camel(operation), attempt, delayMs, reason, status });
}

/** How the gate stands. */
export function gate(state, retryAfterMs, waiting) {
  return { state, retryAfterMs, waiting };
}

/** How far a bulk change is. */
export function tellProgress(listener, done, total, updated, failed, uncertain, error) {
  const event = { done, total, updated, failed, uncertain };
  if (error !== undefined) event.error = error;
  tell(listener, event);
}

/** What became of each lead of a bulk change. */
export function outcome(updated, failed, uncertain) {
  return { updated, failed, uncertain };
}

/** What a walk over pages must know of one, as `client/walk.rs` reads it. */
export function survey(page, id) {
  return {
    ids: page.data.map((row) => row[id]),
    odd: page.rowErrors.length,
    total: page.total,
    has_more: page.has_more,
    page_size: page.page_size,
  };
}

/** A page as it is given: the rows that are new, and what moved. */
export function step({ data, rowErrors }, news, before, now, repeated, stuck) {
  const drift = [];
  if (before !== undefined) drift.push({ kind: "total", before, now });
  if (repeated !== undefined) drift.push({ kind: "repeated", ids: repeated });
  if (stuck !== undefined) drift.push({ kind: "stuck", page: stuck });
  return { rows: data.filter((_, index) => news[index]), rowErrors, drift };
}

/** The body of a request beyond the table: undefined when there is none. */
export function parse(bytes) {
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error("it is not UTF-8");
  }
  return text.trim() === "" ? undefined : JSON.parse(text);
}

/**
 * What the body of an error says is wrong, as `ErrorBody` in crates/api reads it; undefined where it
 * says nothing. `json` is left out where `said` is all of it.
 */
export function explain(body) {
  let detail;
  try {
    detail = JSON.parse(body).detail;
  } catch {
    // No JSON, or null.
  }
  if (detail === undefined) return undefined;
  if (typeof detail === "string") return { said: detail };
  const entries = Array.isArray(detail) ? detail.map(entry) : [undefined];
  if (entries.includes(undefined)) return { said: JSON.stringify(detail), json: JSON.stringify(detail) };
  if (entries.length === 0) return { said: "" };
  // "body" and "query" say where the server looked; a person knows the field alone.
  const place = ({ loc }) => (loc.length > 1 ? `${loc.slice(1).join(".")}: ` : "");
  return {
    said: entries.map((it) => place(it) + it.msg).join("; "),
    json: JSON.stringify(entries),
  };
}

/** An entry with all its members; undefined when it is none. */
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
