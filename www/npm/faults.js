// Faults of a test workspace: which requests they apply to, and how often.

/** Every fault with its defaults. `times` is how many requests it applies to. */
const DEFAULTS = {
  "rate-limit-storm": { times: 5, retryAfterMs: 100 },
  "server-error": { times: 1, status: 500 },
  "lost-answer": { times: 1 },
  offline: { times: Infinity },
  slow: { times: Infinity, ms: 2000 },
  "drifting-list": { times: Infinity, leads: 1 },
  "broken-stream": { times: 1 },
};

/** Those that end an open stream. */
const BREAKING = ["broken-stream", "offline"];

/** Options of every fault: only requests with this method, and with this text in their path. */
const FILTERS = ["method", "path"];

export class FaultList {
  #initial;
  #active = [];

  constructor(initial) {
    this.#initial = initial;
    this.reset();
  }

  add(name, options = {}) {
    const defaults = DEFAULTS[name];
    if (!defaults) {
      throw new TypeError(`No fault was added: ${name} is not one of ${Object.keys(DEFAULTS).join(", ")}.`);
    }
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    for (const [option, value] of given) {
      const isNumber = option in defaults;
      if (!isNumber && !FILTERS.includes(option)) {
        const known = [...Object.keys(defaults), ...FILTERS].join(", ");
        throw new TypeError(`No fault was added: ${name} has the options ${known}, and no ${option}.`);
      }
      const fits = isNumber ? typeof value === "number" && value >= 0 : typeof value === "string";
      if (!fits) {
        const wanted = isNumber ? "a number, 0 or more" : "a text";
        throw new TypeError(`No fault was added: the option ${option} of ${name} must be ${wanted}, not ${value}.`);
      }
    }
    const fault = { name, ...defaults, ...Object.fromEntries(given) };
    this.#active.push(fault);
    return () => {
      this.#active = this.#active.filter((other) => other !== fault);
    };
  }

  clear() {
    this.#active = [];
  }

  /** Restores the faults that the workspace was created with. */
  reset() {
    this.clear();
    for (const [name, options] of Object.entries(this.#initial)) if (options) this.add(name, options);
  }

  /** Returns whether the connection of an open stream breaks instead of sending an event, and counts the fault. */
  breaks(request) {
    const fault = this.#active.find((fault) => BREAKING.includes(fault.name) && fault.times > 0 && applies(fault, request));
    if (fault?.name === "broken-stream") fault.times -= 1;
    return fault !== undefined;
  }

  /** Returns what happens to a request, and counts the faults that apply to it. */
  take(request) {
    const effects = { names: [], ms: 0, unreachable: false, lost: false, refusal: undefined, drift: 0 };
    const use = (name, effect) => {
      const fault = this.#active.find((fault) => fault.name === name && fault.times > 0 && applies(fault, request));
      if (!fault) return false;
      fault.times -= 1;
      effects.names.push(name);
      effect(fault);
      return true;
    };
    use("slow", ({ ms }) => { effects.ms = ms; });
    // A request that is not carried out uses up no other fault.
    const isRefused =
      use("offline", () => { effects.unreachable = true; }) ||
      use("rate-limit-storm", (fault) => { effects.refusal = rateLimited(fault); }) ||
      use("server-error", (fault) => { effects.refusal = failed(fault); });
    if (isRefused) return effects;
    if (isLaterPage(request)) use("drifting-list", ({ leads }) => { effects.drift = leads; });
    use("lost-answer", () => { effects.lost = true; });
    return effects;
  }
}

function applies({ method, path }, request) {
  return (method === undefined || method.toUpperCase() === request.method) && request.path.includes(path ?? "");
}

function isLaterPage({ method, path, body }) {
  return method === "POST" && path === "/api/leads/query" && body?.page > 1;
}

function refusal(status, detail, headers) {
  return { status, body: JSON.stringify({ detail }), headers: { "content-type": "application/json", ...headers } };
}

function rateLimited({ retryAfterMs }) {
  const seconds = Math.max(Math.ceil(retryAfterMs / 1000), 1);
  return refusal(429, `too many requests for this workspace; try again in ${seconds} s`, {
    "retry-after": String(seconds),
    "retry-after-ms": String(retryAfterMs),
  });
}

function failed({ status }) {
  return refusal(status, "an internal error occurred. Nothing was changed");
}
