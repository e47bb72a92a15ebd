// Records where a method was called from. The stack of an error from the Wasm module ends at the event loop
// and does not contain the caller.

import { WorkspaceError } from "./errors.js";

const FRAME = /^\s+at |@/;

/**
 * Records the caller of a method, if the platform supports it.
 * @param {Function} method Its frames, and those of what it calls, are left out.
 */
export function trace(method) {
  const caller = {};
  Error.captureStackTrace?.(caller, method);
  return caller;
}

/** Returns the same error. An error of ours gets the stack of the caller and the name of the method. */
export function addCallerStack(error, caller, operation, signal) {
  // An error in our own scripts keeps its own stack, and so does the reason of an abort, which may be an error of ours.
  if (!(error instanceof WorkspaceError) || error === signal?.reason) return error;
  // An unknown operation was rejected before it had a name.
  error.operation ??= operation;
  // A page's `Error.prepareStackTrace` may return anything.
  const stack = typeof caller.stack === "string" ? caller.stack : "";
  const frames = stack.split("\n").filter((line) => FRAME.test(line));
  // The stack starts with the error in V8, and with the first frame elsewhere.
  if (frames[0]?.startsWith(" ")) frames.unshift(String(error));
  // Not enumerable, like the platform's own.
  const value = frames.join("\n");
  if (value !== "") Object.defineProperty(error, "stack", { value, configurable: true, writable: true });
  return error;
}
