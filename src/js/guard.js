// A Rust panic, or any other trap, ends the Wasm instance. Its futures never run again, so its
// promises would never settle: they are tracked here and rejected. Its timers and listeners remain;
// wasm-bindgen ignores their calls.

import { WorkspaceError } from "./errors.js";

/** Number of instances that ended. A handle created in an earlier epoch is dead. */
export let epoch = 0;

const pending = new Set();
let restart;

/** Called by the Rust panic hook while the instance ends. */
export function crashed(message) {
  epoch += 1;
  const rejections = [...pending];
  pending.clear();
  for (const reject of rejections) reject(stopped(message));
}

/** Sets the function that makes the next call create a new instance. The panic hook does this by itself. */
export function onTrap(listener) {
  restart = listener;
}

/** Handles a trap that the panic hook did not report, e.g. a stack overflow. */
export function trapped(message) {
  crashed(message);
  restart?.();
}

/** Returns the same promise, but it never settles after the instance ended: its listeners are gone. */
export function living(promise) {
  const born = epoch;
  return new Promise((resolve, reject) => {
    const alive = (settle) => (value) => {
      if (born === epoch) settle(value);
    };
    promise.then(alive(resolve), alive(reject));
  });
}

/**
 * Starts a call of the instance. The promise settles as the call does, or rejects if the instance
 * ends first.
 * @template T
 * @param {() => PromiseLike<T> | T} start
 * @returns {Promise<T>}
 */
export function watch(start) {
  return new Promise((resolve, reject) => {
    pending.add(reject);
    const settle = (settle) => (value) => {
      pending.delete(reject);
      settle(value);
    };
    try {
      Promise.resolve(start()).then(settle(resolve), settle(reject));
    } catch (error) {
      // If the panic hook had reported it, this promise would no longer be pending.
      if (pending.has(reject) && isTrap(error)) trapped(error.message);
      else settle(reject)(error);
    }
  });
}

// A stack overflow is a RangeError in V8 and an InternalError in Firefox.
const isTrap = (error) =>
  error instanceof WebAssembly.RuntimeError || error instanceof RangeError || error?.name === "InternalError";

/** Returns the rejection of a call whose instance ended. */
export function stopped(message) {
  return new WorkspaceError(
    "The client's WebAssembly module crashed. Calls in progress were lost; writes among them may " +
      "have been applied. The next call restarts the module. Please report this error.",
    { code: "crashed", ambiguous: true, cause: message },
  );
}
