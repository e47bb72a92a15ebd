// A workspace inside the Wasm module, which no garbage collector looks after by itself.

import { Workspace as Raw, start } from "./client.js";
import * as guard from "./guard.js";

// The epoch in which the module was last seen to run.
let running = guard.epoch;

export class Handle {
  #options;
  #raw;
  #epoch;
  #freed = false;

  constructor(options) {
    this.#options = options;
    this.#make();
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
