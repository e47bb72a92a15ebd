// Decisions on leads without a screen: the face of the module's decision engine. Its types are in `review.d.ts`: `review.js` is
// the name of the module of the screen.

import { ArgumentError, WorkspaceError } from "./errors.js";
import { follow } from "./follow.js";
import * as guard from "./guard.js";
import { DecisionRun, disposed } from "./run.js";

/** Each status that was returned, by its text. Equal ones are the same object, so that views can compare them. */
const statuses = new Map();

/** More than any page has: as many reasons, statuses and phases. */
const MOST_STATUSES = 10_000;

export class Review {
  #start;
  #leads;
  #raw;
  #epoch;
  #slot;
  #end;
  #listeners = new Set();
  #willNotify = false;
  #version = 0;
  #cached = new Map();
  #pages = new WeakMap();
  #runs = new Map();
  #disposed;
  #isDisposed = false;

  /**
   * @param {(slot: string | undefined, onChange: () => void) => object} start Returns the module's review.
   * @param {(query: object, options: object) => { byPage(): AsyncIterable<object> }} leads Reads the leads of a query.
   * @param {() => void} disposed Called once.
   */
  constructor(start, leads, disposed) {
    this.#start = start;
    this.#leads = leads;
    this.#disposed = disposed;
    // As in `Workspace`.
    Object.defineProperty(this, "__v_skip", { value: true });
    this.#open();
  }

  decide(leads, status) {
    // The last of several rows of a lead counts.
    const rows = new Map();
    for (const lead of list(leads)) rows.set(idOf(lead), lead?.approval_status);
    return this.#live.decide([...rows.keys()], [...rows.values()], status) ?? null;
  }

  async decideAll(query, status, { signal, onCollect } = {}) {
    // A wrong status, and the end of the review, are errors before anything more is read.
    this.decide([], status);
    const leads = [];
    for await (const page of this.#leads({ page_size: 100, ...query }, { signal }).byPage()) {
      if (this.#isDisposed) break;
      leads.push(...page.data);
      onCollect?.(leads.length, page.total);
    }
    const step = this.decide(leads, status);
    return step === null ? null : this.#run(this.#live.runOfStep(step));
  }

  undo(step) {
    // An event, if this is the handler of a click.
    if (step !== undefined && !(Number.isInteger(step) && step >= 0)) {
      throw new ArgumentError(
        "Nothing was undone: undo takes the number of a step, or nothing. As a handler, pass () => review.undo().",
        { operation: "review", attempts: 0 },
      );
    }
    return this.#live.undo(step) ?? null;
  }

  redo() {
    return this.#live.redo() ?? null;
  }

  get history() {
    return this.#latest("history", (raw) => raw.history());
  }

  status(leadId) {
    const text = this.#readable?.status(String(leadId)) ?? "idle\n\n\n";
    let status = statuses.get(text);
    if (status === undefined) {
      const [phase, shown, wanted, ...reason] = text.split("\n");
      status = Object.freeze({
        shown: shown || null,
        phase,
        wanted: wanted || null,
        reason: reason.join("\n") || null,
      });
      if (statuses.size >= MOST_STATUSES) statuses.clear();
      statuses.set(text, status);
    }
    return status;
  }

  snapshot(leadId) {
    if (leadId !== undefined) return this.status(leadId);
    return this.#latest("snapshot", (raw) => raw.snapshot());
  }

  apply(page) {
    const last = this.#pages.get(page);
    if (last?.version === this.#version) return last.result;
    const shown = this.#readable?.shown(page.data.map((row) => row.lead_id));
    if (!shown) return last?.result ?? page;
    const rows = page.data.map((row, index) => {
      const status = shown[index];
      if (status === undefined || status === row.approval_status) return row;
      const before = last?.result.data[index];
      return before?.approval_status === status ? before : { ...row, approval_status: status };
    });
    const same = (data) => rows.every((row, index) => row === data[index]);
    let result = page;
    if (last && same(last.result.data)) result = last.result;
    else if (!same(page.data)) result = { ...page, data: rows };
    this.#pages.set(page, { version: this.#version, result });
    return result;
  }

  async read(read) {
    const raw = this.#live;
    const sent = raw.startRead();
    const result = await read();
    if (raw === this.#raw) raw.onRead(sent, result);
    return result;
  }

  // Without an argument all of them; with one that is missing by mistake, none.
  retry(...leads) {
    this.#live.unsaved(leads.length > 0 ? list(leads[0]).map(idOf) : undefined, true);
  }

  revert(...leads) {
    this.#live.unsaved(leads.length > 0 ? list(leads[0]).map(idOf) : undefined, false);
  }

  get runs() {
    const runs = (raw) => raw.runs().map(({ run }) => this.#run(run));
    return this.#latest("runs", runs, (one, other) => one.every((run, index) => run === other[index]));
  }

  get pending() {
    return this.snapshot().pending;
  }

  subscribe(listener) {
    // A listener that subscribes twice is called twice, and unsubscribes one by one.
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  flush({ signal } = {}) {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      this.#live.resume();
      const check = () => {
        if (this.#isDisposed) end(() => reject(disposed()));
        else if (!this.#raw.isMoving()) end(() => resolve(this.snapshot()));
      };
      const unsubscribe = this.subscribe(check);
      const unfollow = signal && follow(signal, () => end(() => reject(signal.reason)));
      const end = (settle) => {
        unsubscribe();
        unfollow?.();
        settle();
      };
      check();
    });
  }

  dispose() {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#end();
    // Not freed, so that it can still be read. The garbage collector frees it.
    if (this.#isAlive) {
      this.#raw.close();
      this.#keepWhileSending();
    }
    this.#disposed();
    this.#changed();
  }

  /** Keeps the workspace, and with it the caller's `fetch`, from the garbage collector until all is sent. */
  #keepWhileSending() {
    if (!this.#isAlive || !this.#raw.isMoving()) return;
    const timer = setTimeout(() => this.#keepWhileSending(), 1_000);
    timer.unref?.();
  }

  /** The module's review, for changes. */
  get #live() {
    if (!this.#isDisposed) return this.#readable;
    throw new WorkspaceError("Nothing was done: this review was disposed of. Start another one with `review`.", {
      operation: "review",
      code: "disposed",
    });
  }

  /** The module's review; undefined if the module stopped after the end of the review. */
  get #readable() {
    if (!this.#isAlive && !this.#isDisposed) this.#open();
    return this.#isAlive ? this.#raw : undefined;
  }

  get #isAlive() {
    return this.#epoch === guard.epoch;
  }

  /** Starts the module's review; again after the module stopped, from what is kept. */
  #open() {
    this.#raw = this.#start(this.#slot, () => this.#changed());
    this.#epoch = guard.epoch;
    guard
      .watch(() => new Promise((resolve) => (this.#end = resolve)))
      .catch(() => {
        if (!this.#isAlive && !this.#isDisposed) this.#open();
        this.#changed();
      });
  }

  #changed() {
    this.#version += 1;
    if (this.#willNotify) return;
    this.#willNotify = true;
    queueMicrotask(() => {
      this.#willNotify = false;
      if (this.#isAlive) this.#slot = this.#raw.slot;
      for (const listener of [...this.#listeners]) notify(listener);
    });
  }

  /** Returns a value of the module, read once per version, and the previous one if it is the same. */
  #latest(name, read, same = isSameData) {
    const last = this.#cached.get(name);
    const raw = this.#readable;
    if (!raw || last?.version === this.#version) return last?.value;
    const next = read(raw);
    const value = last && last.value?.length === next?.length && same(last.value, next) ? last.value : next;
    this.#cached.set(name, { version: this.#version, value });
    return value;
  }

  #run(number) {
    let run = this.#runs.get(number);
    if (!run) {
      const find = (raw) => raw.runs().find((one) => one.run === number);
      const access = {
        live: () => this.#live,
        readable: () => this.#readable,
        latest: () => this.#latest(`run ${number}`, find),
        subscribe: (listener) => this.subscribe(listener),
        isDisposed: () => this.#isDisposed,
      };
      this.#runs.set(number, (run = new DecisionRun(number, access)));
    }
    return run;
  }
}

const isSameData = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function notify(listener) {
  try {
    listener();
  } catch (error) {
    // An error of one listener does not keep the others from being called.
    if (globalThis.reportError) reportError(error);
    else console.error(error);
  }
}

const list = (leads) => (Array.isArray(leads) ? leads : [leads]);

/** Returns the id of a lead that is given by its id, as a row, or in full. */
const idOf = (lead) => (typeof lead === "object" ? (lead?.lead_id ?? lead?.id) : lead);
