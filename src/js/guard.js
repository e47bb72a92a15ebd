// A Rust panic ends the Wasm instance. No future of it will ever run again, so its promises would
// hang for ever: here they are kept, and rejected when that happens.

import { WorkspaceError } from "./errors.js";

/** How often the instance ended. A handle that was made in an earlier epoch is dead. */
export let epoch = 0;

const pending = new Set();

/** Called by the Rust panic hook, while the instance is ending. */
export function crashed(message) {
  epoch += 1;
  const rejections = [...pending];
  pending.clear();
  for (const reject of rejections) reject(stopped(message));
}

/**
 * Starts a call of the instance. The promise settles as the call does, or rejects when the
 * instance ends first.
 * @template T
 * @param {() => PromiseLike<T> | T} start
 * @returns {Promise<T>}
 */
export function watch(start) {
  return new Promise((resolve, reject) => {
    pending.add(reject);
    const failed = (error) => {
      // A trap that the panic hook did not announce, e.g. an overflown stack: had it been, this
      // promise would not be pending any more.
      if (pending.delete(reject) && error instanceof WebAssembly.RuntimeError) {
        reject(stopped(error.message));
        crashed(error.message);
      }
      reject(error);
    };
    try {
      Promise.resolve(start()).then((value) => {
        pending.delete(reject);
        resolve(value);
      }, failed);
    } catch (error) {
      failed(error);
    }
  });
}

/** What a call rejects with whose instance ended. */
export function stopped(message) {
  return new WorkspaceError(
    "The client's WebAssembly module stopped because of an error in it. Calls that were under way " +
      "are lost; a write among them may have been done. The next call starts the module afresh. " +
      "Please report it.",
    { code: "crashed", ambiguous: true, cause: message },
  );
}
