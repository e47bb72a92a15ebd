// What the elements pass to the module, with the parts of a document that they use.

import assert from "node:assert/strict";
import { pathToFileURL } from "node:url";
import { join } from "node:path";
import { test } from "node:test";

import { connect } from "./support/package.mjs";

class HTMLElement {
  #attributes = new Map();
  isConnected = true;

  attachShadow() {
    return { replaceChildren() {}, addEventListener() {} };
  }
  addEventListener(type) {
    (this.listened ??= []).push(type);
  }
  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }
  setAttribute(name, value) {
    this.#attributes.set(name, value);
  }
  hasAttribute(name) {
    return this.#attributes.has(name);
  }
  toggleAttribute(name, isSet) {
    if (isSet) this.setAttribute(name, "");
    else this.#attributes.delete(name);
  }
}

// Creates elements in a page of another machine, and keeps what their module gets and what is logged.
async function inPage(t, options) {
  Object.assign(globalThis, { HTMLElement, origin: "https://app.example" });
  t.after(() => {
    const warned = ["key", "attribute"].map((of) => Symbol.for(`lead-workspace.${of}-warning`));
    for (const name of ["HTMLElement", "document", "origin", ...warned]) delete globalThis[name];
  });
  const lines = [];
  t.mock.method(console, "warn", (line) => lines.push(line));
  const { ws, folder, optionsOf } = await connect(t, { allowApiKeyInPage: true, ...options });
  const { makeElements } = await import(pathToFileURL(join(folder, "elements.js")).href);
  const mounted = [];
  const refuse = (message) => {
    throw new Error(message);
  };
  const app = {
    unmount() {},
    free() {},
    navigate: (view) => void (view === "nowhere" && refuse("there is no view nowhere")),
    setAppearance: (appearance) => void (typeof appearance === "string" && refuse("appearance must be an object")),
    show() {},
  };
  const mount = (_, options) => {
    mounted.push(options);
    return app;
  };
  const load = async () => ({ mount_lead_review: mount, mount_account_pulse: mount });
  const { mountLeadReview, mountAccountPulse, ...types } = makeElements({ load, style: "style.css", optionsOf });
  const { LeadReviewElement, AccountPulseElement } = types;
  globalThis.document = {
    createElement: (tag) => new (tag === "lead-review" ? LeadReviewElement : AccountPulseElement)(),
  };
  const show = async (Type, members, attributes = {}) => {
    const element = Object.assign(new Type(), members);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.connectedCallback();
    await element.ready;
    return mounted.at(-1);
  };
  return { ws, lines, show, LeadReviewElement, AccountPulseElement, mountLeadReview, mountAccountPulse };
}

const PLACE = { append() {} };

test("an element that gets a key warns of it, once per page", async (t) => {
  const { lines, show, LeadReviewElement, AccountPulseElement } = await inPage(t);
  await show(LeadReviewElement, { baseUrl: "" });
  await show(LeadReviewElement, { apiKey: "lwk_1_secret", allowApiKeyInPage: true });
  assert.deepEqual(lines, []);
  await show(AccountPulseElement, { apiKey: "lwk_1_secret" });
  await show(LeadReviewElement, { apiKey: "lwk_1_secret" });
  assert.equal(lines.length, 1);
  assert.match(lines[0], /gateway/);
});

test("an element with a workspace has its `fetch`, headers, hooks and logger, and leaves the warning to it", async (t) => {
  const written = [];
  const logger = { error() {}, warn() {}, info: (line) => written.push(line), debug() {} };
  const fetch = () => Response.json({});
  const headers = new Headers({ "X-Team": "sales" });
  const { ws, lines, show, LeadReviewElement } = await inPage(t, { fetch, headers, logger, logLevel: "info" });
  const got = await show(LeadReviewElement, { workspace: ws });
  assert.equal(got.fetch, fetch);
  assert.deepEqual(got.headers, { "x-team": "sales" });
  got.hooks.onRetry({ operation: "getLead", attempt: 1, delayMs: 5, reason: "busy" });
  assert.deepEqual(written, ["lead-workspace: getLead: attempt 1 failed and is repeated in 5 ms: busy"]);
  assert.deepEqual(lines, []);
});

test("an element that a server rendered warns, once per page, that its properties are lost", async (t) => {
  const { lines, show, LeadReviewElement, AccountPulseElement } = await inPage(t);
  await show(LeadReviewElement, {}, { "base-url": "" });
  assert.deepEqual(lines, []);
  await show(AccountPulseElement, {}, { apikey: "lwk_1_secret" });
  await show(LeadReviewElement, {}, { baseurl: "" });
  assert.equal(lines.length, 1);
  assert.match(lines[0], /The pulse ignores the attribute `apikey`\. .* after mount/);
  assert.doesNotMatch(lines[0], /secret/);
});

test("the warning of a server goes to the workspace's logger", async (t) => {
  const written = [];
  const logger = { error() {}, warn: (line) => written.push(line), info() {}, debug() {} };
  const { ws, lines, show, LeadReviewElement } = await inPage(t, { logger });
  await show(LeadReviewElement, { workspace: ws }, { baseurl: "" });
  assert.match(written.join(), /`baseurl`/);
  assert.deepEqual(lines, []);
});

test("an unknown option is refused with those that exist, and one that is undefined is none", async (t) => {
  const { mountLeadReview, mountAccountPulse } = await inPage(t);
  const refused = (mount, options, message) => assert.throws(() => mount(PLACE, options), { name: "TypeError", message });
  refused(mountLeadReview, { className: "x" }, /^The review was not shown: it has no option "className"\. Its options are workspace, .*onBulk\.$/);
  refused(mountLeadReview, { getApiKey: async () => "k" }, /Pass it to `Workspace\.create`, and the workspace as `workspace`\.$/);
  refused(mountAccountPulse, { accountId: "a", view: "leads" }, /^The pulse was not shown: it has no option "view"\./);
  refused(mountAccountPulse, { accountId: "a", onDecision() {} }, /no option "onDecision"/);
  const { element } = mountLeadReview(PLACE, { className: undefined, baseUrl: undefined, theme: "dark", onOpen() {}, onBulk: null });
  assert.deepEqual([element.theme, element.baseUrl, element.listened], ["dark", undefined, ["open"]]);
});

test("a value that is refused after the mount is reported, and changes nothing", async (t) => {
  const { mountLeadReview, mountAccountPulse } = await inPage(t);
  const reported = [];
  globalThis.reportError = (error) => reported.push(error.message);
  t.after(() => delete globalThis.reportError);
  const shown = async (mount, options) => {
    const handle = mount({ append: (element) => element.connectedCallback() }, options);
    await handle.ready;
    return handle;
  };
  const appearance = { accent: "#fc0" };
  const { element, navigate } = await shown(mountLeadReview, { view: "accounts", appearance });
  const { element: pulse } = await shown(mountAccountPulse, { accountId: "a", appearance });
  element.view = "nowhere";
  for (const one of [element, pulse]) one.appearance = "dark";
  assert.deepEqual([element.view, element.appearance, pulse.appearance], ["accounts", appearance, appearance]);
  assert.deepEqual(reported, ["there is no view nowhere", ...Array(2).fill("appearance must be an object")]);
  assert.throws(() => navigate("nowhere"), /there is no view nowhere/);
  navigate("insights");
  assert.equal(element.view, "insights");

  // Older browsers, and test environments, do not have it.
  delete globalThis.reportError;
  const logged = t.mock.method(console, "error", () => {});
  element.view = "nowhere";
  assert.match(logged.mock.calls[0].arguments[0].message, /no view nowhere/);
});
