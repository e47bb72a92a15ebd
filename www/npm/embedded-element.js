// What both elements are: their connection and appearance as attributes and properties, and when their app starts and
// stops.

import { listeners, logOf } from "./logger.js";
import { warnOfKey } from "./page-key.js";

export const CONNECTION = ["base-url", "api-key", "tenant-id"];
export const COMMON = ["workspace", "baseUrl", "apiKey", "allowApiKeyInPage", "tenantId", "theme", "appearance"];

// Members that the element classes and their base class share.
export const MOUNT = Symbol("mount");
export const CHANGED = Symbol("changed");
export const APP = Symbol("app");

// A registered symbol: another copy of the package uses the elements of the first one in the page.
export const LEAVE = Symbol.for("lead-workspace.leave");

// Registered, so that two copies of the package in one page warn once.
const WARNED = Symbol.for("lead-workspace.attribute-warning");

/**
 * Creates the base class of the elements.
 *
 * @param load returns a promise of the Wasm module's functions
 * @param style the URL of the style sheet
 * @param optionsOf returns the options that a `Workspace` was created with
 */
export function embeddedElement({ load, style, optionsOf }) {
  return class extends HTMLElement {
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

    constructor() {
      super();
      // The event of the link does not bubble.
      this.#root.addEventListener("error", ({ target }) => warnOfStyle(this, target.href, style), true);
    }

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
      attempt(() => {
        this.#app?.setAppearance(appearance);
        this.#appearance = appearance ?? undefined;
      });
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
      const log = logOf(options === this ? {} : options);
      warnOfAttributes(this, log);
      // A workspace has warned when it was created.
      if (options === this) warnOfKey(this, log);
      const { baseUrl, tenantId, headers } = options;
      return {
        ...pick(options, ["apiKey", "getApiKey", "retry", "timeoutMs", "deadlineMs", "maxBodyBytes", "jobPath", "fetch"]),
        headers: headers?.[Symbol.iterator] ? Object.fromEntries(headers) : headers,
        hooks: listeners(options, () => options),
        baseUrl: baseUrl === undefined ? undefined : String(baseUrl),
        tenantId: tenantId ?? undefined,
        warn: (line) => log("warn", line),
      };
    }
  };
}

const pick = (from, names) => Object.fromEntries(names.map((name) => [name, from[name]]));

/** Runs the change of a property. Reports what is refused: an exception in a setter ends all components of a React page. */
export function attempt(change) {
  try {
    change();
  } catch (error) {
    if (globalThis.reportError) reportError(error);
    else console.error(error);
  }
}

/** Sets an attribute, or removes it. */
export function reflect(element, name, value) {
  if (value == null) element.removeAttribute(name);
  else element.setAttribute(name, value);
}

/** Warns, once per page, of properties that React wrote on a server as attributes: it sets none of them when it hydrates. */
function warnOfAttributes(element, log) {
  const name = ["baseurl", "apikey"].find((name) => element.hasAttribute(name));
  if (name === undefined || globalThis[WARNED]) return;
  globalThis[WARNED] = log(
    "warn",
    `${element.constructor.title} ignores the attribute \`${name}\`. React writes it if it renders the element on a server, ` +
      "and then sets none of its properties. Render the element after mount: set a state in an effect, or use " +
      "`dynamic(…, { ssr: false })` in Next.js. The attributes in HTML are `base-url` and `api-key`.",
  );
}

/** Says why the app has no styles, unless the event was of something else. */
function warnOfStyle(element, href, style) {
  if (href !== String(style)) return;
  console.error(
    `${element.constructor.title} has no styles: ${href} could not be loaded. Check that the file is served there, ` +
      "next to the module, and that the page's Content-Security-Policy allows it in `style-src`.",
  );
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
