// Replaces wasm-bindgen's glue: the same exports, controlled by the test.

import { crashed } from "./guard.js";

export const fake = {
  loaded: [],
  loading: undefined,
  made: [],
  freed: [],
  // Calls that created a new instance.
  restarts: [],
  // Whether a trap ended a future.
  died: false,
  calls: [],
  // Implements the methods. By default, returns the name and the arguments.
  answer: (name, args) => ({ name, args }),
  // Ends the instance like a Rust panic.
  crash: (message = "boom") => {
    stopped = true;
    crashed(message);
  },
};

// As in the glue: the first call after the end of the instance creates a new one.
let stopped = false;

function revive(by) {
  if (stopped) fake.restarts.push(by);
  stopped = false;
  fake.died = false;
}

// Ends the instance, as the panic hook does.
export function restart() {
  stopped = true;
}

export function diedPolling() {
  return fake.died;
}

export function start() {
  revive("start");
}

export default async function init(options) {
  fake.loaded.push(options.module_or_path);
  await fake.loading;
}

const METHODS = [
  "queryLeads", "getLeadFacets", "searchLeadFacet", "getLead", "updateLead", "updateLeads",
  "deleteLead", "scoreLeads", "queryAccounts", "getAccount", "getAccountPulse", "scoreAccounts",
  "getJob", "getLeadFields", "waitForJob", "request",
];

export class Workspace {
  constructor(options) {
    revive("constructor");
    if (fake.refusal) throw fake.refusal;
    this.options = options;
    this.number = fake.made.push(options) - 1;
  }

  get gate() {
    return { state: "open", retryAfterMs: 0, waiting: 0 };
  }

  // Most operations use this method of the module.
  call(name, ...args) {
    return this[name](...args);
  }

  leadPages(...args) {
    return new Pages("leadPages", args);
  }

  accountPages(...args) {
    return new Pages("accountPages", args);
  }

  changes(...args) {
    return new Pages("changes", args);
  }

  free() {
    fake.freed.push(this.number);
  }
}

for (const name of METHODS) {
  Workspace.prototype[name] = function (...args) {
    fake.calls.push({ name, args, raw: this.number });
    return fake.answer(name, args);
  };
}

class Pages {
  constructor(name, args) {
    fake.calls.push({ name, args });
    this.page = 0;
    this.signal = args.at(-1).signal;
  }

  next() {
    this.page += 1;
    return fake.answer("next", [this.page, this.signal]);
  }

  free() {
    fake.freed.push("pages");
  }
}
