// The JavaScript client: wraps the class of the Wasm module and adds what a module cannot do itself: loading,
// disposal and a restart after a crash.

import { Calls } from "./calls.js";
import { ArgumentError, WorkspaceError } from "./errors.js";
import * as guard from "./guard.js";
import { Handle, registry } from "./handle.js";
import { remember } from "./internal.js";
import { iterate } from "./iterate.js";
import { init } from "./loader.js";
import { BULK, CALL, JOB, WALK, check, checkCreate } from "./options.js";
import { known } from "./requests.js";
import { blame, trace } from "./trace.js";

// Private to this file, so that only `make` can call the constructor.
const CREATED = Symbol("created");

// Older browsers, and Node 20 without a flag, have no `Symbol.dispose`; transpiled `using` then uses this
// symbol.
const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

export class Workspace {
  #handle;
  #calls = new Calls(this);
  #disposed = false;

  constructor(created, handle) {
    if (created !== CREATED) {
      throw new ArgumentError(
        "A workspace is made by `await Workspace.create({ baseUrl, apiKey })`.",
        { operation: "create", code: "constructor", attempts: 0 },
      );
    }
    this.#handle = handle;
    registry.register(this, handle, this);
    // Keeps Vue from wrapping the workspace in a proxy, through which private members are not accessible.
    Object.defineProperty(this, "__v_skip", { value: true });
  }

  // Also works without `this`, e.g. when passed as a function.
  static create(options) {
    return make(this, options);
  }

  queryLeads(query, options) {
    return this.#call("queryLeads", options, (raw, own) => raw.call("queryLeads", query, own), { params: query });
  }

  getLeadFacets(context, options) {
    return this.#call("getLeadFacets", options, (raw, own) => raw.call("getLeadFacets", context, own), { params: context });
  }

  searchLeadFacet(search, options) {
    return this.#call("searchLeadFacet", options, (raw, own) => raw.call("searchLeadFacet", search, own), { params: search });
  }

  getLead(id, options) {
    return this.#call("getLead", options, (raw, own) => raw.call("getLead", id, own));
  }

  updateLead(id, status, options) {
    return this.#call("updateLead", options, (raw, own) => raw.updateLead(id, status, own));
  }

  updateLeads(ids, status, options) {
    const list = ids instanceof Set ? [...ids] : ids;
    return this.#call("updateLeads", options, (raw, own) => raw.updateLeads(list, status, own), { names: BULK });
  }

  deleteLead(id, options) {
    return this.#call("deleteLead", options, (raw, own) => raw.call("deleteLead", id, own));
  }

  scoreLeads(which, options) {
    return this.#call("scoreLeads", options, (raw, own) => raw.call("scoreLeads", which, own), { params: which });
  }

  queryAccounts(query, options) {
    return this.#call("queryAccounts", options, (raw, own) => raw.call("queryAccounts", query, own), { params: query });
  }

  getAccount(id, params, options) {
    // A call without parameters may pass its options in their place.
    const [rest, found] = split(params);
    const all = found ? { ...found, ...options } : options;
    return this.#call("getAccount", all, (raw, own) => raw.getAccount(id, rest, own), { params: rest });
  }

  getAccountPulse(id, options) {
    return this.#call("getAccountPulse", options, (raw, own) => raw.call("getAccountPulse", id, own));
  }

  scoreAccounts(which, options) {
    return this.#call("scoreAccounts", options, (raw, own) => raw.call("scoreAccounts", which, own), { params: which });
  }

  getJob(id, options) {
    return this.#call("getJob", options, (raw, own) => raw.call("getJob", id, own));
  }

  waitForJob(id, options) {
    return this.#call("waitForJob", options, (raw, own) => raw.waitForJob(id, own), { names: JOB });
  }

  request(method, path, body, options) {
    return this.#call("request", options, (raw, own) => raw.request(method, path, body, own));
  }

  leads(query, options) {
    return this.#walk("leads", "queryLeads", query, options, (raw, ...rest) => raw.leadPages(query, ...rest));
  }

  accounts(query, options) {
    return this.#walk("accounts", "queryAccounts", query, options, (raw, ...rest) =>
      raw.accountPages(query, ...rest),
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

  #call(operation, options, start, { params, names = CALL } = {}) {
    const caller = trace(methods()[operation]);
    return this.#run(operation, options, caller, (own) => {
      check("options", options, names, operation);
      check("the query", params, known(operation), operation);
      return start(this.#raw(operation), own);
    });
  }

  async #run(operation, options, caller, start) {
    let call;
    try {
      call = this.#calls.open(operation, options);
      return await this.#calls.run(() => start(call.options));
    } catch (error) {
      throw blame(error, caller, operation, call?.options.signal);
    } finally {
      call?.close();
    }
  }

  #walk(method, operation, query, options, pages) {
    const caller = trace(methods()[method]);
    const start = (walk, own) => {
      check("options", options, WALK, operation);
      check("the query", query, known(operation), operation);
      return pages(this.#raw(operation), walk, own);
    };
    return iterate(this.#calls, operation, options, start, caller);
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

// Bundlers rename a class that refers to itself by name, and the new name would be visible.
const methods = () => Workspace.prototype;

async function make(type, options) {
  const caller = trace(Workspace.create);
  try {
    const { wasm, ...kept } = read(options);
    await init(wasm);
    const handle = await guard.watch(() => new Handle(kept));
    const Type = type?.prototype instanceof Workspace ? type : Workspace;
    const workspace = new Type(CREATED, handle);
    remember(workspace, kept);
    return workspace;
  } catch (error) {
    throw blame(error, caller, "create");
  }
}

/** Returns the options of a workspace after checking them. */
function read(options) {
  if (typeof options !== "object" || options === null) {
    throw new ArgumentError(
      "A workspace needs options, at least { baseUrl, apiKey }.",
      { operation: "create", code: "options", attempts: 0 },
    );
  }
  checkCreate(options);
  const { baseUrl } = options;
  // A worker created from a blob has no URL that others could be relative to.
  const page = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (/^\/|^$/.test(baseUrl) && !URL.canParse("/", page)) {
    throw new ArgumentError(
      `Nothing was sent: options.baseUrl is "${baseUrl}", and there is no page or worker here whose origin that ` +
        "could be. Give the address of the service.",
      { operation: "create", code: "options", attempts: 0 },
    );
  }
  return baseUrl instanceof URL ? { ...options, baseUrl: baseUrl.href } : options;
}

/** Splits the parameters from call options that are mixed in. */
function split(params) {
  if (typeof params !== "object" || params === null) return [params, undefined];
  const rest = { ...params };
  // Also copies getters of a class.
  for (const name of known("getAccount")) if (name in params) rest[name] = params[name];
  let found;
  for (const name of CALL) {
    if (!(name in rest)) continue;
    found = { ...found, [name]: rest[name] };
    delete rest[name];
  }
  return [rest, found];
}
