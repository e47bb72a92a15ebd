// The calls of one workspace that are in flight, so that all of them can be aborted at once.

import { ArgumentError } from "./errors.js";
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
    if (caller?.aborted) abort();
    caller?.addEventListener("abort", abort);
    this.#open.add(end);
    const close = () => {
      caller?.removeEventListener("abort", abort);
      this.#open.delete(end);
    };
    return { options: { ...options, signal: controller.signal }, abort, close };
  }

  /** Runs a call of the module. The module's object must not be freed before the call settles. */
  async run(operation, start) {
    this.#running += 1;
    try {
      return await guard.watch(start);
    } catch (error) {
      if (error?.name !== "AbortError") {
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
    for (const end of this.#open) end(new Error("The workspace was disposed of."));
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
