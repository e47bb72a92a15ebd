// Iterates over the rows or the pages of a query, and over the events of a stream.

import { ArgumentError } from "./errors.js";
import { finalizer } from "./finalizer.js";
import * as guard from "./guard.js";
import { addCallerStack } from "./trace.js";

/**
 * Returns the rows of a query as an async iterator, which also has its pages.
 *
 * The query and the options are read immediately; the first `next()` requests the first page. Leaving early (`break`,
 * `return`), the caller's signal and disposal abort the request in flight and the prefetch of the next page.
 * @param {import("./calls.js").Calls} calls
 * @param {string} operation
 * @param {object | undefined} options
 * @param {(options: object) => object} start Returns the module's pages.
 * @param {object} caller See `trace`.
 */
export function iterate(calls, operation, options, start, caller) {
  return new Rows(new Pagination(calls, operation, options, start, caller), operation);
}

/**
 * Returns the events of a stream as an async iterator, with the same rules. `start` returns the module's stream; an error
 * ends it.
 */
export function iterateEvents(calls, operation, options, start, caller) {
  return new Events(new Pagination(calls, operation, options, start, caller));
}

/** The platform's prototype of async iterators, with `Symbol.asyncIterator` and helpers. */
const AsyncIterator = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

/**
 * An iterator over the steps of a pagination.
 *
 * With a plain generator, `return()` would wait for the request in flight, and an error would end the iteration.
 */
class Steps {
  #pagination;
  #step;

  constructor(pagination, step) {
    this.#pagination = pagination;
    this.#step = step;
  }

  async next() {
    try {
      return await this.#pagination.run(this.#step);
    } finally {
      // Also keeps the iterator alive while a `next()` is pending.
      if (this.#pagination.isOver) abandoned.unregister(this.#pagination);
    }
  }

  async return(value) {
    this.#leave();
    return { value: await value, done: true };
  }

  async throw(error) {
    this.#leave();
    throw error;
  }

  #leave() {
    abandoned.unregister(this.#pagination);
    this.#pagination.leave();
  }
}

Object.setPrototypeOf(Steps.prototype, AsyncIterator);

class Rows extends Steps {
  #pagination;
  #operation;

  constructor(pagination, operation) {
    super(pagination, (pagination) => pagination.row());
    this.#pagination = pagination;
    this.#operation = operation;
    abandoned.register(this, pagination, pagination);
  }

  get total() {
    return this.#pagination.total;
  }

  byPage(...options) {
    if (options.some((option) => option !== undefined)) {
      throw new ArgumentError(
        "Nothing was sent: byPage() takes no options. Pass `page` and `page_size` in the query.",
        { operation: this.#operation, code: "options", attempts: 0 },
      );
    }
    return new Pages(this.#pagination, this);
  }
}

class Events extends Steps {
  constructor(pagination) {
    super(pagination, (pagination) => pagination.take());
    abandoned.register(this, pagination, pagination);
  }
}

class Pages extends Steps {
  // Keeps the iterator of the rows reachable; see `abandoned`.
  #rows;

  constructor(pagination, rows) {
    super(pagination, (pagination) => pagination.page());
    this.#rows = rows;
  }
}

/** Ends the paginations whose iterators are no longer reachable. A pagination never refers to its iterators. */
const abandoned = finalizer((pagination) => pagination.leave());

const DONE = { value: undefined, done: true };

class Pagination {
  total = null;
  #addStack;
  #calls;
  #call;
  #pages;
  #epoch = guard.epoch;
  #started;
  // The page whose rows are being returned, and how many of them were.
  #page;
  #taken = 0;
  // Settles when the last step has.
  #last = Promise.resolve();
  // How every further step ends; undefined while there may be more rows.
  #outcome;

  constructor(calls, operation, options, start, caller) {
    this.#calls = calls;
    this.#addStack = (error) => addCallerStack(error, caller, operation, this.#call?.options.signal);
    this.#started = this.#start(operation, options, start);
    // The first `next()` reports the error; this prevents an unhandled rejection if there is none.
    this.#started.catch(() => {});
  }

  get isOver() {
    return this.#outcome !== undefined;
  }

  async #start(operation, options, start) {
    this.#call = this.#calls.open(operation, options);
    const { options: own } = this.#call;
    this.#pages = await this.#calls.run(this.#call, () => start(own));
    own.signal.addEventListener("abort", () => this.#free(), { once: true });
    if (own.signal.aborted) this.#free();
  }

  /** Ends the pagination and aborts its requests. */
  leave() {
    this.#end(() => DONE);
  }

  /** Takes a step after the one before it has ended. */
  run(step) {
    const result = this.#last.then(() => this.#run(step));
    this.#last = result.catch(() => {});
    return result;
  }

  async #run(step) {
    if (this.#outcome) return this.#outcome();
    try {
      await this.#started;
      const value = await step(this);
      if (value !== undefined && !this.#outcome) return { value, done: false };
      this.leave();
    } catch (error) {
      if (!this.#outcome) {
        const told = this.#addStack(error);
        // After other errors, the next step requests the same page again.
        if (!this.#isAlive()) this.#end(() => Promise.reject(told));
        throw told;
      }
    }
    return this.#outcome();
  }

  /** Returns the next row; undefined after the last one. */
  async row() {
    this.#check();
    while (!this.#hasRows()) if (!(await this.#load())) return undefined;
    const row = this.#page.data[this.#taken];
    this.#taken += 1;
    return row;
  }

  /** Returns what is left of the current page, otherwise the next page; undefined after the last one. */
  async page() {
    this.#check();
    if (!this.#hasRows() && !(await this.#load())) return undefined;
    const data = this.#page.data.slice(this.#taken);
    this.#taken = this.#page.data.length;
    return { ...this.#page, data };
  }

  /** Returns what the module has next, a page or an event; undefined after the last one. */
  async take() {
    this.#check();
    const taken = await this.#calls.run(this.#call, () => this.#pages.next());
    this.#check();
    return taken;
  }

  #hasRows() {
    return this.#taken < (this.#page?.data.length ?? 0);
  }

  /** Reads the next page. Returns false after the last one. */
  async #load() {
    const page = await this.take();
    if (page === undefined) return false;
    this.#page = page;
    this.#taken = 0;
    this.total = page.total;
    return true;
  }

  // After an abort, rows that are already loaded are not returned.
  #check() {
    this.#call.options.signal.throwIfAborted();
    // The pages were lost with the instance they belonged to.
    if (this.#epoch !== guard.epoch) throw guard.stopped(null);
  }

  #isAlive() {
    return this.#pages !== undefined && this.#epoch === guard.epoch;
  }

  #end(outcome) {
    this.#outcome = outcome;
    this.#call?.abort();
    this.#call?.close();
    this.#free();
    this.#page = undefined;
  }

  // Also ends the prefetch.
  #free() {
    const pages = this.#pages;
    this.#pages = undefined;
    if (this.#epoch === guard.epoch) pages?.free();
  }
}
