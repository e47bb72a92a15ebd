// A workspace object inside the Wasm module, whose memory is not garbage-collected.

import { Workspace as Raw, diedPolling, restart, start } from "./client.js";
import { finalizer, weak } from "./finalizer.js";
import * as guard from "./guard.js";
import { listeners } from "./logger.js";

// The epoch in which the module was last known to run.
let running = guard.epoch;
let isListening = false;

// Restart immediately: otherwise the fresh instance would run microtasks that the stopped one left in the
// queue.
guard.onTrap(() => {
  restart();
  start();
  running = guard.epoch;
});

// A trap inside a future only becomes an error event of the page; promises that wait for the instance would
// never settle.
function listen() {
  if (isListening) return;
  isListening = true;
  globalThis.addEventListener?.("error", ({ message }) => {
    // An error of a page's own hook is also reported while a future is being polled. In the microtask,
    // polling has ended unless the instance trapped.
    queueMicrotask(() => {
      if (running === guard.epoch && diedPolling()) guard.trapped(message);
    });
  });
}

/**
 * Returns a copy of the options for the module, which holds it outside the garbage collector's view.
 *
 * A page's function that refers to the workspace must not keep it alive. The copy refers to such functions
 * weakly, and the workspace owns the options themselves.
 */
function held(options) {
  const { getApiKey, fetch } = options;
  const page = weak(options);
  const copy = { ...options };
  delete copy.logger;
  const hooks = listeners(options, () => page.deref());
  if (hooks) copy.hooks = hooks;
  if (typeof getApiKey === "function") {
    copy.getApiKey = () => guard.living(Promise.resolve(page.deref()?.getApiKey()));
  }
  if (typeof fetch === "function") {
    copy.fetch = (url, init) => {
      // The platform's own `fetch` needs to be called without an object.
      const { fetch } = page.deref();
      return guard.living(Promise.resolve(fetch(url, init)));
    };
  }
  return copy;
}

export class Handle {
  #options;
  #raw;
  #epoch;
  #freed = false;

  constructor(options) {
    this.#options = held(options);
    this.#make();
    listen();
  }

  /** The object of the Wasm module; created again if the module stopped since the last call. */
  get raw() {
    if (this.#epoch !== guard.epoch) this.#make();
    return this.#raw;
  }

  free() {
    if (this.#freed) return;
    this.#freed = true;
    // The object was lost when the module stopped; its address may be in use again.
    if (this.#epoch === guard.epoch) this.#raw.free();
  }

  #make() {
    if (running !== guard.epoch) {
      // The next call of an export creates the fresh instance. A constructor of wasm-bindgen would first move
      // the stack pointer of the old instance, and then restore it in the fresh one; `start` does not.
      start();
      running = guard.epoch;
    }
    this.#raw = new Raw(this.#options);
    this.#epoch = guard.epoch;
  }
}

/** Frees the handle of a workspace that is no longer reachable. */
export const registry = finalizer((handle) => handle.free());
