// The JavaScript client: wraps the class of the Wasm module and adds what a module cannot do itself: loading,
// disposal and a restart after a crash.

import { Calls } from "./calls.js";
import { ArgumentError, WorkspaceError } from "./errors.js";
import * as guard from "./guard.js";
import { Handle, registry } from "./handle.js";
import { remember, storageScope } from "./internal.js";
import { iterate, iterateEvents } from "./iterate.js";
import { init } from "./loader.js";
import { LEVELS, logOf } from "./logger.js";
import { warnOfKey } from "./page-key.js";
import { responseOf } from "./responses.js";
import { Review } from "./decisions.js";
import { addCallerStack, trace } from "./trace.js";

// Private to this file, so that only `make` can call the constructor.
const CREATED = Symbol("created");

// Older browsers, and Node 20 without a flag, have no `Symbol.dispose`; transpiled `using` then uses this
// symbol.
const DISPOSE = Symbol.dispose ?? Symbol.for("Symbol.dispose");

export class Workspace {
  #handle;
  #calls;
  #disposed = false;
  #reviews = new Set();

  constructor(created, handle, log) {
    if (created !== CREATED) {
      throw new ArgumentError(
        "Create a workspace with `await Workspace.create({ baseUrl, apiKey })`.",
        { operation: "create", code: "constructor", attempts: 0 },
      );
    }
    this.#handle = handle;
    this.#calls = new Calls(this, log);
    registry.register(this, handle, this);
    // Keeps Vue from wrapping the workspace in a proxy, through which private members are not accessible.
    Object.defineProperty(this, "__v_skip", { value: true });
  }

  // Also works without `this`, e.g. when passed as a function.
  static create(options) {
    return make(this, options);
  }

  queryLeads(query, options) {
    return this.#send("queryLeads", options, query);
  }

  getLeadFacets(context, options) {
    return this.#send("getLeadFacets", options, context);
  }

  searchLeadFacet(search, options) {
    return this.#send("searchLeadFacet", options, search);
  }

  getLeadFields(options) {
    return this.#call("getLeadFields", options, (raw, own) => raw.call("getLeadFields", own));
  }

  getLead(id, options) {
    return this.#send("getLead", options, id);
  }

  updateLead(id, status, options) {
    return this.#call("updateLead", options, (raw, own) => raw.updateLead(id, status, own));
  }

  updateLeads(ids, status, options) {
    const list = ids instanceof Set ? [...ids] : ids;
    let signal;
    const outcome = this.#run("updateLeads", options, (raw, own) => {
      signal = own.signal;
      return raw.updateLeads(list, status, own);
    });
    const update = outcome.then((outcome) => {
      signal.throwIfAborted();
      return outcome;
    });
    // Sends any number of requests, so there is no `withResponse()`.
    return Object.defineProperty(update, "outcome", { value: () => update.catch(() => outcome) });
  }

  deleteLead(id, options) {
    return this.#send("deleteLead", options, id);
  }

  scoreLeads(which, options) {
    return this.#send("scoreLeads", options, which);
  }

  queryAccounts(query, options) {
    return this.#send("queryAccounts", options, query);
  }

  getAccount(id, params, options) {
    // Without a third argument, the options may be members of the second.
    const merged = options === undefined;
    return this.#call("getAccount", merged ? params : options, (raw, own) =>
      merged ? raw.getAccount(id, own) : raw.getAccount(id, params, own),
    );
  }

  getAccountPulse(id, options) {
    return this.#send("getAccountPulse", options, id);
  }

  scoreAccounts(which, options) {
    return this.#send("scoreAccounts", options, which);
  }

  getJob(id, options) {
    return this.#send("getJob", options, id);
  }

  waitForJob(id, options) {
    return this.#call("waitForJob", options, (raw, own) => raw.waitForJob(id, own));
  }

  request(method, path, body, options) {
    return this.#call("request", options, (raw, own) => raw.request(method, path, body, own));
  }

  leads(query, options) {
    return this.#pages("leads", "queryLeads", options, (raw, own) => raw.leadPages(query, own));
  }

  accounts(query, options) {
    return this.#pages("accounts", "queryAccounts", options, (raw, own) => raw.accountPages(query, own));
  }

  changes(options) {
    const [operation, caller] = ["streamChanges", trace(methods().changes)];
    return iterateEvents(this.#calls, operation, options, (own) => this.#raw(operation).changes(own), caller);
  }

  review(options) {
    const review = new Review(
      (slot, onChange) => this.#raw("review").review(options, storageScope(this), slot, onChange),
      (query, own) => this.leads(query, own),
      () => this.#reviews.delete(review),
    );
    this.#reviews.add(review);
    return review;
  }

  get gate() {
    return this.#raw("gate").gate;
  }

  dispose() {
    if (this.#disposed) return;
    this.#disposed = true;
    registry.unregister(this);
    for (const review of this.#reviews) review.dispose();
    const handle = this.#handle;
    this.#calls.end(() => handle.free());
  }

  [DISPOSE]() {
    this.dispose();
  }

  /** Starts a call that the module knows by name, with its one argument. */
  #send(operation, options, argument) {
    return this.#call(operation, options, (raw, own) => raw.call(operation, argument, own));
  }

  /** Starts a call. Its promise also gives the response. */
  #call(operation, options, start) {
    let signal;
    const result = this.#run(operation, options, (raw, own) => {
      signal = own.signal;
      return start(raw, own);
    });
    const withResponse = async () => ({ data: await result, response: responseOf(signal) });
    return Object.defineProperty(result, "withResponse", { value: withResponse });
  }

  #run(operation, options, start) {
    const caller = trace(methods()[operation]);
    return this.#settle(operation, options, caller, (own) => start(this.#raw(operation), own));
  }

  async #settle(operation, options, caller, start) {
    let call;
    try {
      call = this.#calls.open(operation, options);
      return await this.#calls.run(call, () => start(call.options));
    } catch (error) {
      throw addCallerStack(error, caller, operation, call?.options.signal);
    } finally {
      call?.close();
    }
  }

  #pages(method, operation, options, pages) {
    const caller = trace(methods()[method]);
    return iterate(this.#calls, operation, options, (own) => pages(this.#raw(operation), own), caller);
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
    const log = logOf(kept);
    const workspace = new Type(CREATED, handle, log);
    remember(workspace, kept);
    warnOfKey(kept, log);
    return workspace;
  } catch (error) {
    throw addCallerStack(error, caller, "create");
  }
}

/** Returns the options of a workspace after checking them. */
function read(options) {
  if (typeof options !== "object" || options === null) {
    throw refused("A workspace needs options, at least { baseUrl, apiKey }.");
  }
  const { baseUrl, logger, logLevel } = options;
  // A worker created from a blob has no URL that others could be relative to.
  const page = globalThis.document?.baseURI ?? globalThis.location?.href;
  if (/^\/|^$/.test(baseUrl) && !URL.canParse("/", page)) {
    throw refused(
      `Nothing was sent: options.baseUrl is "${baseUrl}", but there is no page or worker here to take ` +
        "the origin from. Pass the full URL of the service.",
    );
  }
  if (logLevel != null && !LEVELS.includes(logLevel)) {
    throw refused(`Nothing was sent: options.logLevel must be one of ${LEVELS.join(", ")}.`);
  }
  if (logger != null && !LEVELS.slice(1).every((level) => typeof logger[level] === "function")) {
    throw refused("Nothing was sent: options.logger must have the functions error, warn, info and debug.");
  }
  return baseUrl instanceof URL ? { ...options, baseUrl: baseUrl.href } : options;
}

const refused = (message) => new ArgumentError(message, { operation: "create", code: "options", attempts: 0 });
