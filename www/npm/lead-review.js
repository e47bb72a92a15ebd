// The element `<lead-review>`: its attributes, properties and events, and when the app in it comes
// and goes. What it loads and where from is for `ui.js` to say.

const CONNECTION = ["base-url", "api-key", "tenant-id"];
const PROPERTIES = ["workspace", "baseUrl", "apiKey", "tenantId", "view", "theme"];

/**
 * Makes the element's class and `mountLeadReview`.
 *
 * @param load gives the Wasm module's functions, in a promise
 * @param style the address of the style sheet
 * @param optionsOf gives the options that a `Workspace` was created with
 */
export function makeLeadReview({ load, style, optionsOf }) {
  let stop;

  class LeadReviewElement extends HTMLElement {
    static observedAttributes = [...CONNECTION, "view", "theme"];
    static {
      stop = (element) => element.#stop();
    }

    #root = this.attachShadow({ mode: "open" });
    #workspace;
    #apiKey;
    #view;
    /** The app, while it runs. */
    #app;
    /** Grows with every start and stop, so that a start that was overtaken knows. */
    #run = 0;
    #isStale = true;
    #isScheduled = false;
    #ready;
    #settle;

    /** Settles when the review is in the page, or cannot be. */
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

    // Not an attribute: what stands in the document is for everybody to read.
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
      this.#reflect("base-url", url);
    }

    get tenantId() {
      return this.getAttribute("tenant-id") ?? undefined;
    }
    set tenantId(id) {
      this.#reflect("tenant-id", id);
    }

    get theme() {
      return this.getAttribute("theme") ?? "system";
    }
    set theme(theme) {
      this.#reflect("theme", theme);
    }

    /** What is shown now. */
    get view() {
      return this.#view ?? this.getAttribute("view") ?? "leads";
    }
    set view(view) {
      const wanted = view ?? "leads";
      this.#app?.navigate(wanted);
      this.#view = wanted;
    }

    connectedCallback() {
      // Properties that were set before the element was defined hide those of the class.
      for (const name of PROPERTIES.filter((name) => Object.hasOwn(this, name))) {
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
      else if (name === "view") this.view = now;
      else this.#reconnect();
    }

    #reflect(name, value) {
      if (value == null) this.removeAttribute(name);
      else this.setAttribute(name, value);
    }

    #reconnect() {
      this.#isStale = true;
      this.#renew();
      this.#schedule();
    }

    // A promise that is settled says nothing of the next attempt.
    #renew() {
      if (!this.#settle) this.#ready = undefined;
    }

    // Once for all that is set together.
    #schedule() {
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      queueMicrotask(() => {
        this.#isScheduled = false;
        if (!this.isConnected) this.#stop();
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
        const [{ mount_lead_review: mount }, connection] = await Promise.all([
          load(),
          this.#connection(),
        ]);
        if (run !== this.#run) return;
        this.#app = mount(this.#root, {
          ...connection,
          view: this.view,
          theme: this.theme,
          style: String(style),
          onDecision: (detail) => this.dispatchEvent(new CustomEvent("decision", { detail })),
          onNavigate: (detail) => {
            this.#view = detail.view;
            this.dispatchEvent(new CustomEvent("navigate", { detail }));
          },
        });
        this.#settle.resolve();
        this.#settle = undefined;
      } catch (error) {
        if (run !== this.#run) return;
        this.#root.replaceChildren(...excuse(error, style));
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

    async #connection() {
      const options = this.#workspace ? optionsOf(this.#workspace) : this;
      if (!options) {
        throw new TypeError(
          "`workspace` is no Workspace of this package that can be used. Pass what `Workspace.create` gave.",
        );
      }
      const { baseUrl, tenantId } = options;
      return {
        baseUrl: baseUrl === undefined ? undefined : String(baseUrl),
        apiKey: options.apiKey ?? (await options.getApiKey?.()),
        tenantId: tenantId ?? undefined,
      };
    }
  }

  /** Shows the review in an element, after what is in it. */
  function mountLeadReview(element, options = {}) {
    const review = document.createElement("lead-review");
    for (const name of PROPERTIES) {
      if (options[name] !== undefined) review[name] = options[name];
    }
    const { onDecision, onNavigate } = options;
    if (onDecision) review.addEventListener("decision", (event) => onDecision(event.detail));
    if (onNavigate) review.addEventListener("navigate", (event) => onNavigate(event.detail));
    let isGone = false;
    const { ready } = review;
    element.append(review);
    return {
      element: review,
      ready,
      navigate(view) {
        if (isGone) throw new Error("The review was unmounted. Mount it again.");
        review.view = view;
      },
      unmount() {
        isGone = true;
        review.remove();
        stop(review);
      },
    };
  }

  return { LeadReviewElement, mountLeadReview };
}

/** What stands in place of a review that cannot be shown. */
function excuse(error, style) {
  const make = (tag, properties, ...children) => {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
  };
  const plate = make(
    "section",
    { className: "plate trouble", role: "alert" },
    make("h2", {}, "The review could not be shown"),
    make("p", {}, "Nothing was changed. Reload the page; if it stays, tell who runs it."),
    make("p", { className: "fine" }, String(error?.message ?? error)),
  );
  return [
    make("link", { rel: "stylesheet", href: String(style) }),
    make("div", { className: "embedded" }, plate),
  ];
}
