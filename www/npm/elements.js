// The elements `<lead-review>` and `<account-pulse>`: their attributes, properties and events, and when their
// app starts and stops. `ui.js` defines what they load and from where.

import { listeners, logOf } from "./logger.js";
import { warnOfKey } from "./page-key.js";

const CONNECTION = ["base-url", "api-key", "tenant-id"];
// What the page adds to the review.
const PAGE = ["hostName", "columns", "actions", "details"];
const COMMON = ["workspace", "baseUrl", "apiKey", "allowApiKeyInPage", "tenantId", "theme", "appearance"];

// Members that the element classes and their base class share.
const MOUNT = Symbol("mount");
const CHANGED = Symbol("changed");
const APP = Symbol("app");

// A registered symbol: another copy of the package uses the elements of the first one in the page.
const LEAVE = Symbol.for("lead-workspace.leave");

/**
 * Creates the element classes, `mountLeadReview` and `mountAccountPulse`.
 *
 * @param load returns a promise of the Wasm module's functions
 * @param style the URL of the style sheet
 * @param optionsOf returns the options that a `Workspace` was created with
 */
export function makeElements({ load, style, optionsOf }) {
  class Embedded extends HTMLElement {
    static properties = COMMON;

    #root = this.attachShadow({ mode: "open" });
    #workspace;
    #apiKey;
    #appearance;
    /** The app, while it runs. */
    #app;
    /** Incremented by every start and stop, so that an outdated start can be detected. */
    #run = 0;
    #isStale = true;
    #isScheduled = false;
    #ready;
    #settle;

    /** Settles when the app is in the page, or cannot be shown. */
    get ready() {
      this.#ready ??= new Promise((resolve, reject) => {
        this.#settle = { resolve, reject };
      });
      return this.#ready;
    }

    get workspace() {
      return this.#workspace;
    }
    set workspace(workspace) {
      this.#workspace = workspace ?? undefined;
      this.#reconnect();
    }

    // Not reflected to the attribute: every script of the page can read the document.
    get apiKey() {
      return this.#apiKey ?? this.getAttribute("api-key") ?? undefined;
    }
    set apiKey(key) {
      this.#apiKey = key ?? undefined;
      this.#reconnect();
    }

    get baseUrl() {
      return this.getAttribute("base-url") ?? undefined;
    }
    set baseUrl(url) {
      reflect(this, "base-url", url);
    }

    get allowApiKeyInPage() {
      return this.hasAttribute("allow-api-key-in-page");
    }
    set allowApiKeyInPage(isAllowed) {
      this.toggleAttribute("allow-api-key-in-page", Boolean(isAllowed));
    }

    get tenantId() {
      return this.getAttribute("tenant-id") ?? undefined;
    }
    set tenantId(id) {
      reflect(this, "tenant-id", id);
    }

    get theme() {
      return this.getAttribute("theme") ?? "system";
    }
    set theme(theme) {
      reflect(this, "theme", theme);
    }

    get appearance() {
      return this.#appearance;
    }
    set appearance(appearance) {
      this.#app?.setAppearance(appearance);
      this.#appearance = appearance ?? undefined;
    }

    get [APP]() {
      return this.#app;
    }

    connectedCallback() {
      // Properties that were set before the element was defined shadow those of the class.
      for (const name of this.constructor.properties) {
        if (!Object.hasOwn(this, name)) continue;
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
      if (this.#isStale) this.#renew();
      this.#schedule();
    }

    // An element that is only moved is connected again at once, and keeps its app.
    disconnectedCallback() {
      this.#schedule();
    }

    attributeChangedCallback(name, before, now) {
      if (before === now) return;
      if (name === "theme") this.#app?.setTheme(now ?? "system");
      else if (CONNECTION.includes(name)) this.#reconnect();
      else this[CHANGED](now, name);
    }

    #reconnect() {
      this.#isStale = true;
      this.#renew();
      this.#schedule();
    }

    // A settled promise does not apply to the next attempt.
    #renew() {
      if (!this.#settle) this.#ready = undefined;
    }

    // Runs once for all changes that are made together.
    #schedule() {
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      queueMicrotask(() => {
        this.#isScheduled = false;
        if (!this.isConnected) this[LEAVE]();
        else if (this.#isStale) this.#start();
      });
    }

    async #start() {
      this.#stop();
      this.#isStale = false;
      const run = this.#run;
      this.#renew();
      void this.ready;
      try {
        const connection = this.#connection();
        const module = await load();
        if (run !== this.#run) return;
        const { theme, appearance } = this;
        const options = { ...connection, theme, appearance, style: String(style) };
        this.#app = this[MOUNT](module, this.#root, options);
        this.#settle.resolve();
        this.#settle = undefined;
      } catch (error) {
        if (run !== this.#run) return;
        this.#root.replaceChildren(...excuse(this.constructor.title, error, style));
        this.#settle.reject(error);
        this.#settle = undefined;
      }
    }

    #stop() {
      this.#run += 1;
      this.#isStale = true;
      this.#app?.unmount();
      this.#app?.free();
      this.#app = undefined;
      this.#root.replaceChildren();
    }

    [LEAVE]() {
      this.#stop();
      if (!this.#settle) return;
      // Prevents an unhandled rejection if the promise is not used.
      this.#ready.catch(() => {});
      this.#settle.reject(new DOMException("The element was removed before it was ready.", "AbortError"));
      this.#settle = undefined;
    }

    #connection() {
      const options = this.#workspace ? optionsOf(this.#workspace) : this;
      if (!options) {
        throw new TypeError(
          "`workspace` is not a usable Workspace of this package. Pass the result of `Workspace.create`.",
        );
      }
      // A workspace has warned when it was created.
      if (options === this) warnOfKey(this, logOf({}));
      const { baseUrl, tenantId, headers } = options;
      return {
        ...pick(options, ["apiKey", "getApiKey", "retry", "timeoutMs", "deadlineMs", "maxBodyBytes", "jobPath", "fetch"]),
        headers: headers?.[Symbol.iterator] ? Object.fromEntries(headers) : headers,
        hooks: listeners(options, () => options),
        baseUrl: baseUrl === undefined ? undefined : String(baseUrl),
        tenantId: tenantId ?? undefined,
        warn: (line) => logOf(options)("warn", line),
      };
    }
  }

  class LeadReviewElement extends Embedded {
    static observedAttributes = [...CONNECTION, "theme", "view", "host-name"];
    static properties = [...COMMON, "view", ...PAGE];
    static title = "The review";
    #view;
    /** What the page adds, apart from its name and its listeners. */
    #page = {};
    #isPageScheduled = false;

    /** The current view. */
    get view() {
      return this.#view ?? this.getAttribute("view") ?? "leads";
    }
    set view(view) {
      const next = view ?? "leads";
      this[APP]?.navigate(next);
      this.#view = next;
    }

    get hostName() {
      return this.getAttribute("host-name") ?? undefined;
    }
    set hostName(name) {
      reflect(this, "host-name", name);
    }

    get columns() {
      return this.#page.columns;
    }
    set columns(columns) {
      this.#add("columns", columns);
    }

    get actions() {
      return this.#page.actions;
    }
    set actions(actions) {
      this.#add("actions", actions);
    }

    get details() {
      return this.#page.details;
    }
    set details(details) {
      this.#add("details", details);
    }

    /** Computes the page's columns again. */
    refreshColumns() {
      this[APP]?.refreshColumns();
    }

    #add(name, value) {
      this.#page[name] = value ?? undefined;
      this.#applyPage();
    }

    // Once for all changes that are made together.
    #applyPage() {
      if (this.#isPageScheduled || !this[APP]) return;
      this.#isPageScheduled = true;
      queueMicrotask(() => {
        this.#isPageScheduled = false;
        this[APP]?.setHostPage(this.#hostPage());
      });
    }

    #hostPage() {
      return {
        ...this.#page,
        hostName: this.hostName,
        onSelection: (detail) => tell(this, "selection", detail),
        onOpen: (detail) => tell(this, "open", detail),
        onBulk: (detail) => tell(this, "bulk", detail),
      };
    }

    [CHANGED](value, name) {
      if (name === "view") this.view = value;
      else this.#applyPage();
    }

    [MOUNT]({ mount_lead_review: mount }, root, options) {
      return mount(root, {
        ...options,
        view: this.view,
        page: this.#hostPage(),
        onDecision: (detail) => tell(this, "decision", detail),
        onNavigate: (detail) => {
          this.#view = detail.view;
          tell(this, "navigate", detail);
        },
      });
    }
  }

  class AccountPulseElement extends Embedded {
    static observedAttributes = [...CONNECTION, "theme", "account-id"];
    static properties = [...COMMON, "accountId"];
    static title = "The pulse";

    /** The account that is shown. */
    get accountId() {
      return this.getAttribute("account-id") ?? undefined;
    }
    set accountId(id) {
      reflect(this, "account-id", id);
    }

    [CHANGED](id) {
      this[APP]?.show(id ?? "");
    }

    [MOUNT]({ mount_account_pulse: mount }, root, options) {
      return mount(root, {
        ...options,
        accountId: this.accountId,
        onNavigate: (detail) => tell(this, "navigate", detail),
      });
    }
  }

  /** Appends one of our elements to another element. */
  function place(into, tag, options) {
    const element = document.createElement(tag);
    for (const name of element.constructor.properties) {
      if (options[name] !== undefined) element[name] = options[name];
    }
    for (const type of ["decision", "navigate", "selection", "open", "bulk"]) {
      const listener = options[`on${type[0].toUpperCase()}${type.slice(1)}`];
      if (listener) element.addEventListener(type, (event) => listener(event.detail));
    }
    const { ready } = element;
    let isGone = false;
    into.append(element);
    return {
      element,
      ready,
      unmount() {
        isGone = true;
        element.remove();
        element[LEAVE]();
      },
      mounted() {
        const { title } = element.constructor;
        if (isGone) throw new Error(`${title} was unmounted. Mount it again.`);
        return element;
      },
    };
  }

  /** Shows the review in an element, after its content. */
  function mountLeadReview(into, options = {}) {
    const { mounted, ...handle } = place(into, "lead-review", options);
    return {
      ...handle,
      navigate(view) {
        mounted().view = view;
      },
      refreshColumns() {
        mounted().refreshColumns();
      },
    };
  }

  /** Shows the pulse of an account in an element, after its content. */
  function mountAccountPulse(into, options = {}) {
    const { mounted, ...handle } = place(into, "account-pulse", options);
    return {
      ...handle,
      show(accountId) {
        mounted().accountId = accountId;
      },
    };
  }

  return { LeadReviewElement, mountLeadReview, AccountPulseElement, mountAccountPulse };
}

const pick = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));

function reflect(element, name, value) {
  if (value == null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

function tell(element, type, detail) {
  element.dispatchEvent(new CustomEvent(type, { detail }));
}

/** Builds the error state for an app that cannot be shown. */
function excuse(what, error, style) {
  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const message = make(
    "section",
    { className: "empty-state error", role: "alert" },
    make("h2", {}, `${what} could not be shown`),
    make("p", {}, "Nothing was changed. Reload the page. If this happens again, contact your administrator."),
    make("p", { className: "fine" }, String(error?.message ?? error)),
  );
  return [
    make("link", { rel: "stylesheet", href: String(style) }),
    make("div", { className: "embedded" }, message),
  ];
}
