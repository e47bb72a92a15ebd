// A workspace and a review that follow the contract of www/npm/review.d.ts, without a module or a server.

const PREVIOUS = "pending_approval";
const IDLE = { shown: null, phase: "idle", wanted: null, reason: null };

export class FakeReview {
  isDisposed = false;
  #listeners = new Set();
  #wanted = new Map();
  #onTheirWay = new Set();
  #steps = [];
  #statuses = new Map();
  #pages = new WeakMap();
  #snapshot;
  #version = 0;
  #willNotify = false;

  decide(leads, status) {
    this.#live();
    const ids = [leads].flat().map((lead) => lead.lead_id ?? lead);
    this.#steps.push(ids.map((id) => [id, this.#wanted.get(id)]));
    for (const id of ids) {
      this.#wanted.set(id, status);
      this.#onTheirWay.add(id);
    }
    this.#changed();
    return this.#steps.length;
  }

  undo() {
    this.#live();
    for (const [id, status] of this.#steps.pop() ?? []) {
      if (status) this.#wanted.set(id, status);
      else this.#wanted.delete(id);
      if (!status) this.#onTheirWay.delete(id);
    }
    this.#changed();
  }

  /** As if the service had saved everything. */
  save() {
    this.#onTheirWay.clear();
    this.#changed();
  }

  get pending() {
    return this.snapshot().pending;
  }

  status(id) {
    if (this.isDisposed) return IDLE;
    const wanted = this.#wanted.get(id) ?? null;
    if (this.#statuses.get(id)?.wanted !== wanted || !this.#statuses.has(id)) {
      const phase = wanted ? "queued" : "idle";
      this.#statuses.set(id, { shown: wanted ?? PREVIOUS, phase, wanted, reason: null });
    }
    return this.#statuses.get(id);
  }

  snapshot(id) {
    if (id !== undefined) return this.status(id);
    const pending = this.#onTheirWay.size;
    if (this.#snapshot?.pending !== pending) this.#snapshot = { pending, canUndo: this.#steps.length > 0 };
    return this.#snapshot;
  }

  apply(page) {
    const last = this.#pages.get(page);
    if (this.isDisposed) return last?.result ?? page;
    if (last?.version === this.#version) return last.result;
    const data = page.data.map((row) => {
      const status = this.#wanted.get(row.lead_id);
      return status ? { ...row, approval_status: status } : row;
    });
    const result = data.every((row, index) => row === page.data[index]) ? page : { ...page, data };
    this.#pages.set(page, { version: this.#version, result });
    return result;
  }

  subscribe(listener) {
    const entry = () => listener();
    this.#listeners.add(entry);
    return () => void this.#listeners.delete(entry);
  }

  get listeners() {
    return this.#listeners.size;
  }

  dispose() {
    if (this.isDisposed) return;
    this.isDisposed = true;
    this.#changed();
  }

  #live() {
    if (this.isDisposed) throw new Error("this review was disposed of");
  }

  #changed() {
    this.#version += 1;
    if (this.#willNotify) return;
    this.#willNotify = true;
    queueMicrotask(() => {
      this.#willNotify = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }
}

export class FakeWorkspace {
  reviews = [];
  /** The reads: `query`, `signal`, and `resolve` and `reject` to answer them. */
  reads = [];

  review(options) {
    const review = new FakeReview();
    review.options = options;
    this.reviews.push(review);
    return review;
  }

  /** The reviews that hold a slot. */
  get open() {
    return this.reviews.filter((review) => !review.isDisposed);
  }

  queryLeads(query, { signal }) {
    return new Promise((resolve, reject) => {
      this.reads.push({ query, signal, resolve, reject });
      signal.addEventListener("abort", () => reject(new DOMException("The call was aborted.", "AbortError")));
    });
  }
}

/** A page of leads that wait for a decision. */
export const pageOf = (...ids) => ({
  data: ids.map((lead_id) => ({ lead_id, approval_status: PREVIOUS })),
  total: ids.length,
  has_more: false,
});
