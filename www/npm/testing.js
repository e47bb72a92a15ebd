// The package's entry point for tests: a workspace in memory, and faults by name.

import instantiate, { Memory } from "./memory.js";
import { FaultList } from "./faults.js";
import { ChangeStreams } from "./change-streams.js";

const BASE64 = "@memory.wasm@";

/** The time in the workspace unless another is given. It is fixed, so that tests see the same times on every day. */
const NOW = "2026-05-30T00:00:00.000Z";
const MAX_LEADS = 10_000;
/** A step of a job runs each time that the clock has moved by this much. */
const STEP_MS = 500;
/** Base of relative URLs; only the path of a request matters. */
const BASE = "http://workspace.test";

let loading;

function load() {
  loading ??= WebAssembly.compile(Uint8Array.from(atob(BASE64), (char) => char.charCodeAt(0))).then((module) =>
    instantiate({ module_or_path: module }),
  );
  return loading;
}

export async function createTestWorkspace(options = {}) {
  const checked = check(options);
  await load();
  return new TestWorkspace(checked);
}

class TestWorkspace {
  #options;
  #memory;
  #now;
  #waits = new Set();
  #streams = new ChangeStreams(() => this.#memory, (request) => this.faults.breaks(request));
  #earlier;
  faults;
  requests = [];

  constructor(options) {
    this.#options = options;
    this.faults = new FaultList(options.faults);
    // Works without `this`, as the platform's function does.
    this.fetch = (input, init) => this.#fetch(input, init);
    this.#fill();
  }

  #fill() {
    const { seed, leads, now, apiKey, tenantId } = this.#options;
    const earlier = this.#memory?.version();
    this.#memory?.free();
    this.#memory = new Memory(seed, leads, now, apiKey, tenantId);
    // A stream that resumes is told that anything may have changed.
    if (earlier !== undefined) this.#memory.beginWith(earlier + 1);
    this.#now = now;
  }

  get now() {
    return new Date(this.#now);
  }

  reset() {
    this.#fill();
    this.requests.length = 0;
    this.faults.reset();
    this.#streams.end();
  }

  advance(ms) {
    if (!Number.isFinite(ms) || ms < 0) {
      throw new RangeError(`Nothing was changed: advance takes milliseconds, 0 or more, not ${ms}.`);
    }
    this.#now += Math.round(ms);
    this.#memory.advance(Math.round(ms));
    for (let passed = 0; passed < ms; passed += STEP_MS) this.#memory.step();
    this.#streams.send();
    for (const wait of this.#waits) wait(ms);
  }

  importLeads(text, fileName = "leads.csv") {
    const report = JSON.parse(this.#memory.import(fileName, text));
    this.#streams.send();
    if (report.error) throw new Error(report.error);
    return { ...report.counts, errors: report.first_errors };
  }

  lead(id) {
    const lead = this.#memory.lead(String(id));
    return lead && JSON.parse(lead);
  }

  async #fetch(input, init) {
    const request = new Request(typeof input === "string" ? new URL(input, BASE) : input, init);
    const { signal } = request;
    // In the order of the calls, although bodies may be read at different speeds.
    const reading = Promise.all([request.text(), turn()]);
    const earlier = this.#earlier;
    this.#earlier = Promise.allSettled([earlier, reading]);
    await earlier;
    const [text] = await reading;
    signal.throwIfAborted();
    const received = receive(request, text);
    this.requests.push(received);
    const effects = this.faults.take(received);
    received.faults = effects.names;
    let response;
    if (!effects.unreachable) {
      const answer = effects.refusal ?? this.#answer(received, text, effects.drift);
      received.status = answer.status;
      const body = answer.stream == null ? answer.body : this.#streams.open(received, answer, request);
      response = new Response(body || null, { status: answer.status, headers: answer.headers });
      this.#streams.send();
    }
    await this.#wait(effects.ms, signal);
    // What a browser or Node rejects with if there is no answer.
    if (effects.unreachable || effects.lost) throw new TypeError("fetch failed");
    return response;
  }

  #answer({ method, path, search, headers }, text, drift) {
    const send = (...sent) =>
      JSON.parse(
        this.#memory.handle(
          ...sent,
          headers.authorization,
          headers["x-tenant-id"],
          headers["x-request-id"],
          headers["last-event-id"],
        ),
      );
    if (drift > 0) {
      // The first leads of the list leave it, so that later rows move forward, onto pages that were read already.
      const page = send("POST", path, "", JSON.stringify({ ...JSON.parse(text), page: 1, page_size: drift }));
      for (const lead of JSON.parse(page.body).data ?? []) send("DELETE", `/api/leads/${lead.lead_id}`, "", "");
    }
    return send(method, path, search, text);
  }

  // Ends after this much real time, or as soon as the clock of the workspace has moved by as much.
  #wait(ms, signal) {
    if (ms === 0) return undefined;
    return new Promise((resolve, reject) => {
      let left = ms;
      const end = (settle) => {
        clearTimeout(timer);
        this.#waits.delete(move);
        signal.removeEventListener("abort", abort);
        settle();
      };
      const move = (passed) => {
        left -= passed;
        if (left <= 0) end(resolve);
      };
      const abort = () => end(() => reject(signal.reason));
      const timer = setTimeout(() => end(resolve), ms);
      this.#waits.add(move);
      signal.addEventListener("abort", abort);
    });
  }
}

/** Lets timers and aborts run, as a network does. By a message, which fake timers do not hold back. */
function turn() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      // An open port keeps Node from exiting.
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

function receive(request, text) {
  const { pathname, search, searchParams } = new URL(request.url);
  // The address of a workspace may have a path of its own.
  const path = pathname.slice(Math.max(pathname.indexOf("/api/"), 0));
  return {
    method: request.method,
    path,
    search: search.slice(1),
    query: Object.fromEntries(searchParams),
    body: json(text),
    headers: Object.fromEntries(request.headers),
    status: undefined,
    faults: [],
  };
}

// A body that is not JSON stays a text.
function json(text) {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

function check({ leads = 200, seed = 1, now = NOW, apiKey, tenantId = "default", faults = {}, ...others }) {
  const unknown = Object.keys(others).find((name) => others[name] !== undefined);
  if (unknown !== undefined) {
    const known = "leads, seed, now, apiKey, tenantId, faults";
    throw new TypeError(`No workspace was created: the options are ${known}, and no ${unknown}.`);
  }
  const integer = (name, value, max) => {
    if (!Number.isInteger(value) || value < 0 || value > max) {
      throw new RangeError(`No workspace was created: ${name} must be an integer from 0 to ${max}, not ${value}.`);
    }
  };
  integer("leads", leads, MAX_LEADS);
  integer("seed", seed, Number.MAX_SAFE_INTEGER);
  const time = new Date(now).getTime();
  if (Number.isNaN(time)) {
    throw new RangeError(`No workspace was created: now must be a date, an ISO 8601 text or milliseconds, not ${now}.`);
  }
  return { leads, seed, now: time, apiKey, tenantId, faults };
}
