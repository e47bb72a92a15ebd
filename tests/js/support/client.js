// In place of wasm-bindgen's glue: the same exports, and strings for the test to pull.

import { crashed } from "./guard.js";

export const fake = {
  loaded: [],
  loading: undefined,
  made: [],
  freed: [],
  // Calls that made a fresh instance.
  restarts: [],
  // Whether a trap ended a future.
  died: false,
  calls: [],
  // What a method does; the default answers with its name and arguments.
  answer: (name, args) => ({ name, args }),
  // As a Rust panic ends the instance.
  crash: (message = "boom") => {
    stopped = true;
    crashed(message);
  },
};

// As in the glue: the first call after the instance ended makes a fresh one.
let stopped = false;

function revive(by) {
  if (stopped) fake.restarts.push(by);
  stopped = false;
  fake.died = false;
}

// What the panic hook does by itself.
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
  "getJob", "waitForJob", "request",
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

  // Most operations come through one method of the module.
  call(name, ...args) {
    return this[name](...args);
  }

  leadPages(...args) {
    return new Pages("leadPages", args);
  }

  accountPages(...args) {
    return new Pages("accountPages", args);
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
