// The service, and the network in front of it. A request is applied when it arrives, or never; only its response may be
// late. It also arrives if its page goes away, except in a disordered network: there it could arrive after a newer
// decision was saved, and no page could tell.

import { Random } from "./random.mjs";
import { LEADS } from "./schedule.mjs";

/** When the browser gives up a connection without a response. */
const NO_RESPONSE_MS = 90_000;

export class Server {
  statuses = new Map(LEADS.map((lead) => [lead, "pending_approval"]));
  /** Number of changes that were sent. */
  requests = 0;
  /** Number of changes of a lead that were sent while a page waited for the response to another one of that lead. */
  duplicates = 0;
  #clock;
  #faults;
  #random;

  constructor(clock, { seed, faults }) {
    this.#clock = clock;
    this.#faults = faults;
    this.#random = new Random(seed, 2);
  }

  isOffline() {
    return this.#has("offline");
  }

  #has(kind) {
    return this.#faults.some((fault) => fault.kind === kind && fault.from <= this.#clock.now && this.#clock.now < fault.to);
  }

  /** Sends a request of a page, as `fetch` does. */
  fetch(page, url, { method = "GET", body, signal }) {
    const leads = method === "PATCH" ? changed(url, JSON.parse(body)) : [];
    const waiting = leads.map((lead) => [page, lead]);
    if (leads.length > 0) this.requests += 1;
    for (const lead of leads) {
      const count = page.waiting.get(lead) ?? 0;
      if (count > 0) this.duplicates += 1;
      page.waiting.set(lead, count + 1);
    }
    // The same draws for every request, so that a fault does not shift those after it.
    const draws = Array.from({ length: 5 }, () => this.#random.next());
    return new Promise((resolve, reject) => {
      let isOver = false;
      const end = (settle, value) => {
        if (isOver) return;
        isOver = true;
        for (const [, lead] of waiting) page.waiting.set(lead, page.waiting.get(lead) - 1);
        settle(value);
      };
      const fail = () => end(reject, new TypeError("Failed to fetch"));
      signal?.addEventListener("abort", () => end(reject, signal.reason));
      if (signal?.aborted) return end(reject, signal.reason);
      const later = (delay, act) => page.after(delay, () => isOver || act());
      if (this.isOffline()) return void later(1, fail);
      const isDisordered = this.#has("disordered");
      const respond = (response) => end(resolve, response);
      const arrive = () => isOver || this.#arrive({ method, url, body, leads }, draws, later, respond, fail);
      const way = 5 + draws[0] * (isDisordered ? 3_000 : 120);
      if (isDisordered) page.after(way, arrive);
      else this.#clock.after(way, arrive);
    });
  }

  #arrive(request, [, back, isApplied, isSilent, long], later, respond, fail) {
    const answer = (response) => later(5 + back * 120, () => respond(response));
    if (this.#has("limited")) return answer(problem(429, { "retry-after": String(1 + Math.floor(long * 6)) }));
    if (this.#has("unavailable")) {
      // A gateway may respond like this after the service applied the change.
      if (isApplied < 0.3) this.#apply(request);
      return answer(problem(503, {}));
    }
    if (this.#has("lost")) {
      if (isApplied < 0.6) this.#apply(request);
      return later(isSilent < 0.2 ? NO_RESPONSE_MS : 5 + back * 2_000, fail);
    }
    const response = this.#apply(request);
    if (this.#has("slow")) return later(500 + long * 20_000, () => respond(response));
    answer(response);
  }

  #apply({ method, url, body, leads }) {
    if (method === "PATCH") {
      const { approval_status: status } = JSON.parse(body);
      for (const lead of leads) this.statuses.set(lead, status);
      return json(url.endsWith("/api/leads") ? { updated: leads.length } : { lead_id: leads[0], approval_status: status });
    }
    const data = [...this.statuses].map(([lead_id, approval_status]) => ({ lead_id, approval_status }));
    return json({ data, total: data.length, has_more: false, page: 1, page_size: 100 });
  }
}

/** The leads that a request changes. */
function changed(url, { lead_ids }) {
  return lead_ids ?? [decodeURIComponent(url.slice(url.lastIndexOf("/") + 1))];
}

const json = (value) => response(200, {}, value);
const problem = (status, headers) => response(status, headers, { detail: "The request failed." });

/** What both sides read of a `Response`. Those of Node resolve in a task of their own, which the clock cannot see. */
function response(status, headers, value) {
  const text = JSON.stringify(value);
  const all = { "content-type": "application/json", ...headers };
  const chunks = [new TextEncoder().encode(text)];
  return {
    status,
    ok: status < 300,
    type: "basic",
    headers: { get: (name) => all[name.toLowerCase()] ?? null },
    body: { getReader: () => ({ read: async () => ({ value: chunks.shift(), done: chunks.length === 0 }) }) },
    json: async () => JSON.parse(text),
  };
}
