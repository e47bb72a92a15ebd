// Where a method was called from. An error that comes out of the Wasm module has a stack of the module's,
// which ends where the event loop begins: the caller stands in none of its lines.

import { WorkspaceError } from "./errors.js";

const FRAME = /^\s+at |@/;

/**
 * Notes the caller of a method, where the platform can.
 * @param {Function} method Neither it nor what it calls is of interest.
 */
export function trace(method) {
  const caller = {};
  Error.captureStackTrace?.(caller, method);
  return caller;
}

/** The same error, with the stack of the caller and the name of the method where it is one of ours. */
export function blame(error, caller, operation, signal) {
  if (error?.name === "AbortError") {
    // Why it was aborted, in the words of whoever did it.
    if (signal?.aborted) Object.defineProperty(error, "cause", { value: signal.reason, configurable: true });
    return error;
  }
  // A mistake in our own scripts is found by its own stack.
  if (!(error instanceof WorkspaceError)) return error;
  // An operation that nobody knows was refused before it had a name.
  error.operation ??= operation;
  // A page's `Error.prepareStackTrace` may make anything of a stack.
  const stack = typeof caller.stack === "string" ? caller.stack : "";
  const frames = stack.split("\n").filter((line) => FRAME.test(line));
  // V8 begins with the error, the others with the first frame.
  if (frames[0]?.startsWith(" ")) frames.unshift(String(error));
  // Not enumerable, as the platform's own.
  const value = frames.join("\n");
  if (value !== "") Object.defineProperty(error, "stack", { value, configurable: true, writable: true });
  return error;
}
