// Rows one by one, page after page.

import { makeAbort } from "./errors.js";
import { tell } from "./face.js";
import * as guard from "./guard.js";
import { blame } from "./trace.js";

/**
 * The rows of a query, as an async iterator. The query is read now; the first page is asked for by the
 * first `next()`. Leaving early (`break`, `return`), the caller's signal and disposal end the request
 * that is under way, and the page that is being fetched ahead.
 * @param {import("./calls.js").Calls} calls
 * @param {string} operation
 * @param {object | undefined} options
 * @param {(walk: object, options: object) => object} start Gives the module's pages.
 * @param {object} caller See `trace`.
 */
export function iterate(calls, operation, options, start, caller) {
  return new Rows(new Walk(calls, operation, options, start, caller));
}

/** What the iterators of a generator have of the platform: `Symbol.asyncIterator` and helpers. */
const AsyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

/**
 * What a page holds. A generator alone would let `return()` wait for the request that is under way. A walk
 * never refers to its iterator: one that nobody can reach any more ends its walk.
 */
class Rows {
  #walk;
  #rows;

  constructor(walk) {
    this.#walk = walk;
    this.#rows = walk.rows();
    abandoned.register(this, walk, this);
  }

  async next() {
    try {
      return await this.#rows.next();
    } finally {
      // Also keeps the iterator alive while somebody waits for a row.
      if (this.#walk.isOver) abandoned.unregister(this);
    }
  }

  return(value) {
    this.#leave();
    return this.#rows.return(value);
  }

  throw(error) {
    this.#leave();
    return this.#rows.throw(error);
  }

  #leave() {
    abandoned.unregister(this);
    this.#walk.leave();
  }
}

Object.setPrototypeOf(Rows.prototype, AsyncIterator);

const abandoned = new FinalizationRegistry((walk) => walk.leave());

class Walk {
  isOver = false;
  #hasLeft = false;
  #blame;
  #calls;
  #call;
  #pages;
  #started;
  #epoch = guard.epoch;
  #onDrift;
  #onRowError;

  constructor(calls, operation, options, start, caller) {
    this.#calls = calls;
    this.#blame = (error) => blame(error, caller, operation, this.#call?.options.signal);
    this.#started = this.#start(operation, options, start);
    // Told by the first `next()`, should there be one.
    this.#started.catch(() => {});
  }

  async #start(operation, options, start) {
    this.#call = this.#calls.open(operation, options);
    const { maxItems, onDrift, onRowError, ...own } = this.#call.options;
    this.#onDrift = onDrift;
    this.#onRowError = onRowError;
    this.#pages = await this.#calls.run(() => start({ maxItems }, own));
    own.signal.addEventListener("abort", () => this.#free(), { once: true });
    if (own.signal.aborted) this.#free();
  }

  /** Ends what is under way. */
  leave() {
    this.#hasLeft = true;
    this.#end();
  }

  async *rows() {
    try {
      await this.#started;
      for (;;) {
        this.#check();
        // The pages went with the instance that they were of.
        if (this.#epoch !== guard.epoch) throw guard.stopped(null);
        const step = await this.#calls.run(() => this.#pages.next());
        if (step === undefined) return;
        for (const problem of step.rowErrors) this.#tell(this.#onRowError, problem);
        for (const drift of step.drift) this.#tell(this.#onDrift, drift);
        for (const row of step.rows) {
          this.#check();
          yield row;
        }
      }
    } catch (error) {
      if (!this.#hasLeft) throw this.#blame(error);
    } finally {
      this.#end();
    }
  }

  #tell(listener, event) {
    if (listener) tell(listener, event);
  }

  // Rows that are here already are not given to somebody who wants no more.
  #check() {
    if (this.#call.options.signal.aborted) throw makeAbort();
  }

  #end() {
    this.isOver = true;
    this.#call?.abort();
    this.#call?.close();
    this.#free();
  }

  // Ends the page that is being fetched ahead, too.
  #free() {
    const pages = this.#pages;
    this.#pages = undefined;
    if (this.#epoch === guard.epoch) pages?.free();
  }
}
