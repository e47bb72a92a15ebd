// A workspace inside the Wasm module, which no garbage collector looks after by itself.

import { Workspace as Raw, diedPolling, restart, start } from "./client.js";
import * as guard from "./guard.js";
import { HOOKS } from "./options.js";

// The epoch in which the module was last seen to run.
let running = guard.epoch;
let isListening = false;

// At once: what the stopped instance left in the queue of microtasks would be run by the fresh one.
guard.onTrap(() => {
  restart();
  start();
  running = guard.epoch;
});

// A trap inside a future is thrown at the page alone, and all that waits for the instance would wait for ever.
function listen() {
  if (isListening) return;
  isListening = true;
  globalThis.addEventListener?.("error", ({ message }) => {
    // An error of a page's own hook is reported while a future runs, and none runs in the next task.
    queueMicrotask(() => {
      if (running === guard.epoch && diedPolling()) guard.trapped(message);
    });
  });
}

/**
 * Options as the module holds them: for good, where no garbage collector sees it. A function of the page's
 * that refers to the workspace must not keep it alive, so the options themselves belong to the workspace.
 */
function held(options) {
  const { getApiKey, hooks } = options;
  const page = new WeakRef(options);
  const copy = { ...options };
  if (typeof getApiKey === "function") {
    copy.getApiKey = () => guard.living(Promise.resolve(page.deref()?.getApiKey()));
  }
  for (const name of HOOKS) {
    if (typeof hooks?.[name] !== "function") continue;
    copy.hooks = { ...copy.hooks, [name]: (event) => page.deref()?.hooks[name](event) };
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

  /** The object of the Wasm module; a fresh one where the module stopped since the last call. */
  get raw() {
    if (this.#epoch !== guard.epoch) this.#make();
    return this.#raw;
  }

  free() {
    if (this.#freed) return;
    this.#freed = true;
    // What the module held when it stopped is gone; the address may be another's by now.
    if (this.#epoch === guard.epoch) this.#raw.free();
  }

  #make() {
    if (running !== guard.epoch) {
      // The next call of an export makes the fresh instance. A constructor of wasm-bindgen would move
      // the stack pointer of the old one before, and that of the fresh one back: `start` does not.
      start();
      running = guard.epoch;
    }
    this.#raw = new Raw(this.#options);
    this.#epoch = guard.epoch;
  }
}

/** Frees the handle of a workspace that nobody can reach any more. */
export const registry = new FinalizationRegistry((handle) => handle.free());
