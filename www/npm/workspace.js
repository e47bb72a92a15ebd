// The client as JavaScript sees it: the methods of the Wasm module's own class, and around them
// what a module cannot do for itself: loading, disposal, and a fresh start after a crash.

import { Calls } from "./calls.js";
import { ArgumentError, WorkspaceError } from "./errors.js";
import * as guard from "./guard.js";
import { Handle, registry } from "./handle.js";
import { remember } from "./internal.js";
import { iterate } from "./iterate.js";
import { init } from "./loader.js";

// Known to this file alone: whoever has it may call the constructor.
const CREATED = Symbol("created");

// Older browsers and Node 20 without a flag have no `Symbol.dispose`; transpiled `using` looks here.
const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

const CALL_OPTIONS = ["signal", "timeoutMs", "deadlineMs", "retries"];

export class Workspace {
  #handle;
  #calls = new Calls();
  #disposed = false;

  constructor(created, handle) {
    if (created !== CREATED) {
      throw new ArgumentError(
        "A workspace is made by `await Workspace.create({ baseUrl, apiKey })`, which also loads " +
          "the WebAssembly module.",
        { operation: "create", code: "constructor" },
      );
    }
    this.#handle = handle;
    registry.register(this, handle, this);
  }

  static async create(options) {
    if (typeof options !== "object" || options === null) {
      throw new ArgumentError(
        "A workspace needs options, at least { baseUrl, apiKey }.",
        { operation: "create", code: "options" },
      );
    }
    const { wasm, ...kept } = options;
    await init(wasm);
    const handle = await guard.watch(() => new Handle(kept));
    const workspace = new this(CREATED, handle);
    remember(workspace, kept);
    return workspace;
  }

  queryLeads(query, options) {
    return this.#call("queryLeads", options, (raw, own) => raw.call("queryLeads", query, own));
  }

  getLeadFacets(context, options) {
    return this.#call("getLeadFacets", options, (raw, own) => raw.call("getLeadFacets", context, own));
  }

  searchLeadFacet(search, options) {
    return this.#call("searchLeadFacet", options, (raw, own) => raw.call("searchLeadFacet", search, own));
  }

  getLead(id, options) {
    return this.#call("getLead", options, (raw, own) => raw.call("getLead", id, own));
  }

  updateLead(id, status, options) {
    return this.#call("updateLead", options, (raw, own) => raw.updateLead(id, status, own));
  }

  updateLeads(ids, status, options) {
    return this.#call("updateLeads", options, (raw, own) => raw.updateLeads(ids, status, own));
  }

  deleteLead(id, options) {
    return this.#call("deleteLead", options, (raw, own) => raw.call("deleteLead", id, own));
  }

  scoreLeads(which, options) {
    return this.#call("scoreLeads", options, (raw, own) => raw.call("scoreLeads", which, own));
  }

  queryAccounts(query, options) {
    return this.#call("queryAccounts", options, (raw, own) => raw.call("queryAccounts", query, own));
  }

  getAccount(id, params, options) {
    // A call without parameters may well have its options in their place.
    const [rest, found] = split(params);
    const all = found ? { ...found, ...options } : options;
    return this.#call("getAccount", all, (raw, own) => raw.getAccount(id, rest, own));
  }

  getAccountPulse(id, options) {
    return this.#call("getAccountPulse", options, (raw, own) => raw.call("getAccountPulse", id, own));
  }

  scoreAccounts(which, options) {
    return this.#call("scoreAccounts", options, (raw, own) => raw.call("scoreAccounts", which, own));
  }

  getJob(id, options) {
    return this.#call("getJob", options, (raw, own) => raw.call("getJob", id, own));
  }

  waitForJob(id, options) {
    return this.#call("waitForJob", options, (raw, own) => raw.waitForJob(id, own));
  }

  request(method, path, body, options) {
    return this.#call("request", options, (raw, own) => raw.request(method, path, body, own));
  }

  leads(query, options) {
    return iterate(this.#calls, "queryLeads", options, (walk, own) =>
      this.#raw("queryLeads").leadPages(query, walk, own),
    );
  }

  accounts(query, options) {
    return iterate(this.#calls, "queryAccounts", options, (walk, own) =>
      this.#raw("queryAccounts").accountPages(query, walk, own),
    );
  }

  get gate() {
    return this.#raw("gate").gate;
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    registry.unregister(this);
    const handle = this.#handle;
    this.#calls.end(() => handle.free());
  }

  [DISPOSE]() {
    this.dispose();
  }

  async #call(operation, options, start) {
    const raw = () => this.#raw(operation);
    const call = this.#calls.open(operation, options);
    try {
      return await this.#calls.run(() => start(raw(), call.options));
    } finally {
      call.close();
    }
  }

  #raw(operation) {
    if (!this.#disposed) return this.#handle.raw;
    throw new WorkspaceError(
      "Nothing was sent: this workspace was disposed of. Create another one with " +
        "`Workspace.create`.",
      { operation, code: "disposed" },
    );
  }
}

/** Parameters without the options of a call, and those options where there are any. */
function split(params) {
  if (typeof params !== "object" || params === null) return [params, undefined];
  const rest = { ...params };
  let found;
  for (const name of CALL_OPTIONS) {
    if (!(name in rest)) continue;
    found = { ...found, [name]: rest[name] };
    delete rest[name];
  }
  return [rest, found];
}
