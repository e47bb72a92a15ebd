// The calls of one workspace that are in flight, so that all of them can be aborted at once.

import { ArgumentError } from "./errors.js";
import { follow } from "./follow.js";
import * as guard from "./guard.js";

export class Calls {
  // Keeps the workspace, and with it its hooks and its key, alive while calls are in flight.
  #workspace;
  #log;
  #open = new Set();
  #running = 0;
  #idle = [];

  constructor(workspace, log) {
    this.#workspace = workspace;
    this.#log = log;
  }

  /**
   * Returns options whose signal follows the caller's signal and aborts with the workspace. `close` must be
   * called.
   */
  open(operation, options) {
    const caller = signalOf(operation, options);
    const controller = new AbortController();
    const { epoch } = guard;
    const end = (reason) => {
      // After a crash, listeners of the stopped instance are still attached to the signal and must not run.
      if (epoch === guard.epoch) controller.abort(reason);
    };
    const abort = () => end(caller?.reason);
    const unfollow = caller && follow(caller, abort);
    this.#open.add(end);
    const close = () => {
      unfollow?.();
      this.#open.delete(end);
    };
    return { operation, options: { ...options, signal: controller.signal }, abort, close };
  }

  /** Runs what was opened. The module's object must not be freed before it settles. */
  async run({ operation, options: { signal } }, start) {
    this.#running += 1;
    try {
      return await guard.watch(start);
    } catch (error) {
      if (error !== signal.reason) {
        this.#log(error?.code === "crashed" ? "error" : "info", `${operation} failed: ${error?.message}`);
      }
      throw error;
    } finally {
      this.#running -= 1;
      if (this.#running === 0) for (const done of this.#idle.splice(0)) done();
    }
  }

  /** Aborts every call, and calls `done` when the last one has settled. */
  end(done) {
    for (const end of this.#open) end(new DOMException("The workspace was disposed of.", "AbortError"));
    if (this.#running === 0) done();
    else this.#idle.push(done);
  }
}

function signalOf(operation, options) {
  if (options == null) return undefined;
  if (typeof options !== "object" || options instanceof AbortSignal) {
    throw new ArgumentError(
      "Nothing was sent: the options of a call must be an object, e.g. { signal, timeoutMs: 5000 }.",
      { operation, code: "options" },
    );
  }
  const { signal } = options;
  if (signal == null) return undefined;
  if (typeof signal.addEventListener === "function" && "aborted" in signal) return signal;
  throw new ArgumentError("Nothing was sent: `signal` must be an AbortSignal.", {
    operation,
    code: "options",
  });
}
