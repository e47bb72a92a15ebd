// Iterates over rows, page by page.

import { makeAbort } from "./errors.js";
import * as guard from "./guard.js";
import { addCallerStack } from "./trace.js";

/**
 * Returns the rows of a query as an async iterator.
 *
 * The query is read immediately; the first `next()` requests the first page. Leaving early (`break`,
 * `return`), the caller's signal and disposal abort the request in flight and the prefetch of the next page.
 * @param {import("./calls.js").Calls} calls
 * @param {string} operation
 * @param {object | undefined} options
 * @param {(options: object) => object} start Returns the module's pages.
 * @param {object} caller See `trace`.
 */
export function iterate(calls, operation, options, start, caller) {
  return new Rows(new Pagination(calls, operation, options, start, caller));
}

/** The platform's prototype of async iterators, with `Symbol.asyncIterator` and helpers. */
const AsyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

/**
 * The iterator that a page holds.
 *
 * With a plain generator, `return()` would wait for the request in flight. A `Pagination` never refers to its
 * iterator, so an iterator that is no longer reachable ends its pagination.
 */
class Rows {
  #pagination;
  #rows;

  constructor(pagination) {
    this.#pagination = pagination;
    this.#rows = pagination.rows();
    abandoned.register(this, pagination, this);
  }

  async next() {
    try {
      return await this.#rows.next();
    } finally {
      // Also keeps the iterator alive while a `next()` is pending.
      if (this.#pagination.isOver) abandoned.unregister(this);
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
    this.#pagination.leave();
  }
}

Object.setPrototypeOf(Rows.prototype, AsyncIterator);

const abandoned = new FinalizationRegistry((pagination) => pagination.leave());

class Pagination {
  isOver = false;
  #hasLeft = false;
  #addStack;
  #calls;
  #call;
  #pages;
  #started;
  #epoch = guard.epoch;

  constructor(calls, operation, options, start, caller) {
    this.#calls = calls;
    this.#addStack = (error) => addCallerStack(error, caller, operation, this.#call?.options.signal);
    this.#started = this.#start(operation, options, start);
    // The first `next()` reports the error; this prevents an unhandled rejection if there is none.
    this.#started.catch(() => {});
  }

  async #start(operation, options, start) {
    this.#call = this.#calls.open(operation, options);
    const { options: own } = this.#call;
    this.#pages = await this.#calls.run(() => start(own));
    own.signal.addEventListener("abort", () => this.#free(), { once: true });
    if (own.signal.aborted) this.#free();
  }

  /** Ends the pagination and aborts its requests. */
  leave() {
    this.#hasLeft = true;
    this.#end();
  }

  async *rows() {
    try {
      await this.#started;
      for (;;) {
        this.#check();
        // The pages were lost with the instance they belonged to.
        if (this.#epoch !== guard.epoch) throw guard.stopped(null);
        const rows = await this.#calls.run(() => this.#pages.next());
        if (rows === undefined) return;
        for (const row of rows) {
          this.#check();
          yield row;
        }
      }
    } catch (error) {
      if (!this.#hasLeft) throw this.#addStack(error);
    } finally {
      this.#end();
    }
  }

  // After an abort, rows that are already loaded are not returned.
  #check() {
    if (this.#call.options.signal.aborted) throw makeAbort();
  }

  #end() {
    this.isOver = true;
    this.#call?.abort();
    this.#call?.close();
    this.#free();
  }

  // Also ends the prefetch.
  #free() {
    const pages = this.#pages;
    this.#pages = undefined;
    if (this.#epoch === guard.epoch) pages?.free();
  }
}
