// A page that tests bring from one state into another.

import { LeadsPage } from "./leads.mjs";
import { Sidebar } from "./sidebar.mjs";

export const json = (status, body, headers = {}) => ({
  status,
  headers,
  contentType: "application/json",
  body: JSON.stringify(body),
});

// An address at which the app shows nothing of the workspace, because it has no key for it.
const ELSEWHERE = "/leads?tenant=nobody";

// The page and its service.
export class Stage {
  // The name of the state that the page is in.
  state;
  // The name of the color scheme that the page has.
  scheme;
  // Whether the app runs in the document.
  #isRunning = false;
  // Requests without a response.
  #held = [];
  // Whether the client may send a write again that got no response, or one to try later.
  #repeats = false;

  constructor(page, service) {
    this.page = page;
    this.service = service;
    this.leads = new LeadsPage(page);
    this.sidebar = new Sidebar(page);
    this.phone = page.viewportSize().width <= 600;
  }

  // Opens a page of the app. Opening another workspace starts the app again, which takes a third of the time of a new
  // document.
  async visit(address) {
    const { origin, hash } = new URL(this.service.url);
    if (this.#isRunning) {
      await this.#goBackTo(ELSEWHERE);
      await this.#goBackTo(address + hash);
    } else {
      // Forces a new document, whatever the URL was before.
      await this.page.goto("about:blank");
      await this.page.goto(origin + address + hash);
      this.#isRunning = true;
    }
  }

  // Opens the leads page with a query string.
  async open(query = "", { settled = true } = {}) {
    await this.visit(`/leads${query}`);
    if (settled) await this.leads.settled();
  }

  // Changes to the address of another workspace, as Back does.
  #goBackTo(address) {
    return this.page.evaluate(async (address) => {
      if (location.href.endsWith(address)) return;
      const old = document.querySelector(".root").firstElementChild;
      history.pushState(null, "", address);
      dispatchEvent(new PopStateEvent("popstate"));
      for (let turns = 0; old.isConnected; turns += 1) {
        if (turns > 1_000) throw new Error(`the app did not start again at ${address}`);
        await new Promise((resolve) => setTimeout(resolve));
      }
    }, address);
  }

  // Resets the browser to a first visit.
  async forget() {
    await this.page.context().setOffline(false);
    const hasLeft = this.#isRunning && !this.#repeats && (await this.#goBackTo(ELSEWHERE).then(() => true, () => false));
    // In this order: otherwise held requests would reach the server once their route is removed, and a page with unsent
    // decisions would store them again.
    if (!hasLeft) await this.page.goto(`${this.service.origin}/openapi.json`);
    for (const route of this.#held) await route.fulfill(json(409, { detail: "too late" })).catch(() => {});
    await this.page.unrouteAll({ behavior: "ignoreErrors" });
    this.#isRunning = hasLeft;
    this.#held = [];
    this.#repeats = false;
    await this.page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  }

  held(pattern, method) {
    return this.page.route(pattern, async (route) => {
      if (method && route.request().method() !== method) return route.fallback();
      this.#held.push(route);
    });
  }

  answered(pattern, method, answer) {
    this.#repeats ||= method !== "POST" && !(answer?.status < 429);
    return this.page.route(pattern, async (route) => {
      if (method && route.request().method() !== method) return route.fallback();
      return answer ? route.fulfill(answer) : route.abort();
    });
  }

  async decide(key) {
    await this.leads.grid.focus();
    await this.page.keyboard.press("j");
    await this.page.keyboard.press(key);
  }

  press(key) {
    return this.page.keyboard.press(key);
  }

  dialog(name) {
    return this.page.getByRole("dialog", { name, exact: typeof name === "string" }).waitFor();
  }

  async selectAll() {
    await this.leads.grid.focus();
    await this.press("Control+a");
    await this.page.getByRole("button", { name: /^Select all/ }).waitFor();
    await this.press("Control+a");
    await this.page.getByText(/^\d{3} selected$/).waitFor();
  }
}
