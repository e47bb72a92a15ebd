// A browser with tabs, on a clock of its own: what pages share, and the globals of each page.

/** Wait of `requestIdleCallback`, in milliseconds. */
const IDLE_MS = 10;

export class Browser {
  storage = new Map();
  locks = new Map();
  channels = new Set();

  constructor(clock, server, random) {
    this.clock = clock;
    this.server = server;
    this.random = random;
  }

  /** Passes a change of the network on to the pages. */
  tellNetwork(pages) {
    const event = this.server.isOffline() ? "offline" : "online";
    for (const page of pages) page.dispatch(event);
  }
}

/**
 * A page in a tab, until it is left. `session` is the session storage of the tab. Objects of a page that was left may
 * still be collected, and run code then: nothing of it has an effect.
 */
export class Page {
  isOpen = true;
  isHidden = true;
  /** Number of requests in flight that change a lead. */
  waiting = new Map();
  #browser;
  #listeners = new Map();
  #timers = new Map();
  #lastTimer = 0;

  constructor(browser, session) {
    this.#browser = browser;
    this.globals = this.#makeGlobals(session);
  }

  /** Runs `act` after a delay, unless the page is gone then. */
  after(delay, act) {
    return this.#browser.clock.after(delay, () => this.isOpen && act());
  }

  dispatch(event) {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) listener({ type: event });
  }

  setHidden(isHidden) {
    if (this.isHidden === isHidden) return;
    this.isHidden = isHidden;
    this.dispatch("visibilitychange");
  }

  /** Ends the page. A crash comes without an event. */
  leave(isCrash) {
    if (!isCrash) this.dispatch("pagehide");
    this.isOpen = false;
    const { locks, channels } = this.#browser;
    for (const [name, page] of locks) if (page === this) locks.delete(name);
    for (const channel of channels) if (channel.page === this) channels.delete(channel);
  }

  #makeGlobals(session) {
    const browser = this.#browser;
    const page = this;
    const { clock } = browser;
    const setTimer = (act, delay = 0) => {
      const id = (this.#lastTimer += 1);
      const run = () => {
        this.#timers.delete(id);
        act();
      };
      this.#timers.set(id, this.after(delay, run));
      return id;
    };
    const clearTimer = (id) => {
      const timer = this.#timers.get(id);
      if (timer) clock.cancel(timer);
      this.#timers.delete(id);
    };
    const setRepeated = (act, delay) => {
      const id = (this.#lastTimer += 1);
      const run = () => {
        this.#timers.set(id, this.after(delay, run));
        act();
      };
      this.#timers.set(id, this.after(delay, run));
      return id;
    };
    const addEventListener = (event, listener) => {
      this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
    };
    const removeEventListener = (event, listener) => {
      const others = (this.#listeners.get(event) ?? []).filter((other) => other !== listener);
      this.#listeners.set(event, others);
    };
    const document = {
      get hidden() {
        return page.isHidden;
      },
      get visibilityState() {
        return page.isHidden ? "hidden" : "visible";
      },
      addEventListener,
      removeEventListener,
    };
    const navigator = {
      get onLine() {
        return !browser.server.isOffline();
      },
      locks: { request: (name, options, granted) => this.#requestLock(name, granted) },
    };
    class PageDate extends Date {
      constructor(...given) {
        super(...(given.length > 0 ? given : [clock.date]));
      }

      static now() {
        return Math.floor(clock.date);
      }
    }
    const globals = {
      document,
      navigator,
      addEventListener,
      removeEventListener,
      location: { href: "http://127.0.0.1/", hostname: "127.0.0.1", protocol: "http:" },
      localStorage: new Storage(browser.storage, page),
      sessionStorage: new Storage(session, page),
      BroadcastChannel: channelOf(browser, page),
      fetch: (url, init) => (page.isOpen ? browser.server.fetch(page, url, init) : new Promise(() => {})),
      setTimeout: setTimer,
      clearTimeout: clearTimer,
      setInterval: setRepeated,
      clearInterval: clearTimer,
      requestIdleCallback: (act) => setTimer(act, IDLE_MS),
      Date: PageDate,
      performance: { now: () => clock.now },
      Math: Object.create(Math, { random: { value: () => browser.random.next() } }),
    };
    const global = Object.assign(Object.create(globalThis), globals);
    return { ...globals, globalThis: global, window: global, self: global };
  }

  /** Takes a lock if it is free. Waiting for one is not simulated, because no page does it. */
  async #requestLock(name, granted) {
    const { locks } = this.#browser;
    if (!this.isOpen || locks.has(name)) return granted(null);
    locks.set(name, this);
    try {
      return await granted({ name });
    } finally {
      if (locks.get(name) === this) locks.delete(name);
    }
  }
}

/** Local storage or session storage. */
class Storage {
  #items;
  #page;

  constructor(items, page) {
    this.#items = items;
    this.#page = page;
  }

  get length() {
    return this.#items.size;
  }

  key(index) {
    return [...this.#items.keys()][index] ?? null;
  }

  getItem(name) {
    return this.#items.get(name) ?? null;
  }

  setItem(name, text) {
    if (this.#page.isOpen) this.#items.set(name, String(text));
  }

  removeItem(name) {
    if (this.#page.isOpen) this.#items.delete(name);
  }
}

/** The class of the channels of a page. A message arrives a moment later. */
function channelOf(browser, page) {
  return class BroadcastChannel {
    onmessage = null;
    page = page;

    constructor(name) {
      this.name = name;
      if (page.isOpen) browser.channels.add(this);
    }

    postMessage(message) {
      if (!page.isOpen) return;
      const data = structuredClone(message);
      for (const other of browser.channels) {
        if (other === this || other.name !== this.name) continue;
        other.page.after(1, () => browser.channels.has(other) && other.onmessage?.({ data }));
      }
    }

    close() {
      browser.channels.delete(this);
    }
  };
}
