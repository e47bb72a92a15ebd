// The elements `<lead-review>` and `<account-pulse>`: what each has beside the other, and the functions that place them.
// `ui.js` defines what they load and from where.

import { APP, CHANGED, COMMON, CONNECTION, LEAVE, MOUNT, attempt, embeddedElement, reflect } from "./embedded-element.js";

// Opens a view. Unlike the property, it throws if there is no such view. Registered, as `LEAVE` is.
const OPEN = Symbol.for("lead-workspace.open");

// What the page adds to the review.
const PAGE = ["hostName", "columns", "actions", "details"];

/**
 * Creates the element classes, `mountLeadReview` and `mountAccountPulse`.
 *
 * @param needs see `embeddedElement`
 */
export function makeElements(needs) {
  const Embedded = embeddedElement(needs);

  class LeadReviewElement extends Embedded {
    static observedAttributes = [...CONNECTION, "theme", "view", "host-name"];
    static properties = [...COMMON, "view", ...PAGE];
    static events = ["decision", "navigate", "selection", "open", "bulk"];
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
      attempt(() => this[OPEN](view ?? "leads"));
    }

    [OPEN](view) {
      this[APP]?.navigate(view);
      this.#view = view;
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
    static events = ["navigate"];
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
    const { properties, events, title } = element.constructor;
    const listeners = new Map(events.map((type) => [`on${type[0].toUpperCase()}${type.slice(1)}`, type]));
    for (const [name, value] of Object.entries(options)) {
      if (value === undefined) continue;
      const type = listeners.get(name);
      if (properties.includes(name)) element[name] = value;
      else if (!type) throw unknownOption(title, name, [...properties, ...listeners.keys()]);
      else if (value) element.addEventListener(type, (event) => value(event.detail));
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
        mounted()[OPEN](view ?? "leads");
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

function tell(element, type, detail) {
  element.dispatchEvent(new CustomEvent(type, { detail }));
}

function unknownOption(title, name, known) {
  const instead = ["getApiKey", "fetch", "headers"].includes(name)
    ? "Pass it to `Workspace.create`, and the workspace as `workspace`."
    : `Its options are ${known.join(", ")}.`;
  return new TypeError(`${title} was not shown: it has no option "${name}". ${instead}`);
}
