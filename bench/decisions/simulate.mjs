// One schedule with one side: the user with two tabs, and the verdict. docs/decisions.md has the rules.

import { Browser, Page } from "./browser.mjs";
import { Clock } from "./clock.mjs";
import { Random } from "./random.mjs";
import { LEADS } from "./schedule.mjs";
import { Server } from "./server.mjs";

/** Long enough for every retry, and for a connection without a response. */
const SETTLE_MS = 400_000;

/** The user looks at each tab at last, which makes lists read again. */
const LOOK_MS = 30_000;

/**
 * @returns {Promise<object>} The counts of `verdict`, and `log`, what happened, if `isLogged`.
 */
export async function simulate(side, schedule, isLogged = false) {
  const user = new User(side, schedule, isLogged);
  await user.run();
  return user.verdict();
}

class User {
  #side;
  #schedule;
  #clock = new Clock();
  #server;
  #browser;
  #tabs = [{}, {}];
  /** The latest decision on each lead, of all tabs. */
  #latest = new Map();
  #counts = { decisions: 0, told: 0, flickers: 0 };
  #log;

  constructor(side, schedule, isLogged) {
    this.#side = side;
    this.#schedule = schedule;
    this.#server = new Server(this.#clock, schedule);
    this.#browser = new Browser(this.#clock, this.#server, new Random(schedule.seed, 3));
    this.#log = isLogged ? [] : undefined;
    if (isLogged) this.#logRequests();
  }

  async run() {
    const { actions, faults, end } = this.#schedule;
    const clock = this.#clock;
    clock.after(0, () => this.#open(0));
    for (const action of actions) clock.after(action.at, () => this.#act(action));
    for (const fault of faults.filter(({ kind }) => kind === "offline")) {
      for (const at of [fault.from, fault.to]) clock.after(at, () => this.#browser.tellNetwork(this.#pages()));
    }
    if (this.#log) for (const { kind, from, to } of faults) clock.after(from, () => this.#note(`${kind} until ${to}`));
    const look = () => this.#look();
    await clock.runUntil(end + SETTLE_MS, look);
    for (const tab of this.#tabs) {
      if (tab.page) this.#show(tab);
      await clock.runUntil(clock.now + LOOK_MS, look);
    }
  }

  #note(text) {
    this.#log?.push(`${Math.round(this.#clock.now)} ${text}`);
  }

  #logRequests() {
    const { statuses } = this.#server;
    const set = statuses.set.bind(statuses);
    statuses.set = (lead, status) => {
      this.#note(`server: ${lead} ${status}`);
      return set(lead, status);
    };
  }

  #pages() {
    return this.#tabs.flatMap(({ page }) => page ?? []);
  }

  /** Opens a tab, or its page again. */
  async #open(number, session = new Map()) {
    const tab = this.#tabs[number];
    const page = new Page(this.#browser, session);
    Object.assign(tab, { page, session, isOpening: false });
    this.#show(tab);
    tab.app = await this.#side.open(page.globals);
  }

  /** Brings a tab to the front. */
  #show(tab) {
    for (const other of this.#tabs) if (other !== tab) other.page?.setHidden(true);
    tab.page.setHidden(false);
  }

  #act(action) {
    const tab = this.#tabs[action.tab];
    if (tab.isOpening) return;
    if (!tab.page) return this.#open(action.tab);
    this.#show(tab);
    if (action.do === "reload" || action.do === "replace") return this.#leave(tab, action);
    if (!tab.app?.rows()) return;
    if (action.do === "refetch") tab.app.refetch();
    if (action.do === "undo") this.#decided(tab, tab.app.undo(), "undo");
    if (action.do === "decide") this.#decide(tab, action.leads, action.status);
    if (action.do === "decide again" && tab.last) {
      this.#decide(tab, tab.last.leads, tab.last.status === "approved" ? "rejected" : "approved");
    }
  }

  #leave(tab, action) {
    this.#note(`tab ${action.tab}: ${action.do}`);
    tab.page.leave(action.isCrash);
    const session = action.do === "reload" ? tab.session : undefined;
    if (!session) for (const decision of this.#latest.values()) if (decision.tab === tab) decision.tab = undefined;
    Object.assign(tab, { page: undefined, app: undefined, isOpening: true });
    if (!session) tab.last = undefined;
    this.#clock.after(action.for, () => this.#open(action.tab, session));
  }

  /** Decides on the leads that are not shown with this status. On the others there is nothing to decide. */
  #decide(tab, leads, status) {
    const shown = new Map(tab.app.rows().map((row) => [row.lead_id, row.approval_status]));
    const open = leads.filter((lead) => shown.get(lead) !== status);
    if (open.length === 0) return;
    tab.last = { leads: open, status };
    tab.app.decide(open, status);
    this.#decided(tab, open.map((lead) => [lead, status]), "decide");
  }

  #decided(tab, leads, how) {
    for (const [lead, status] of leads) {
      this.#latest.set(lead, { status, tab, isTold: false, isFlickering: false });
      this.#counts.decisions += 1;
    }
    this.#note(`tab ${this.#tabs.indexOf(tab)}: ${how} ${leads.join(" ")}`);
  }

  /** Looks at the screens after each event. */
  #look() {
    for (const tab of this.#tabs) {
      const rows = tab.app?.rows();
      if (!rows) continue;
      for (const { lead_id: lead, approval_status: shown } of rows) {
        const decision = this.#latest.get(lead);
        if (decision?.tab !== tab) continue;
        if (!decision.isTold && tab.app.isToldUnsaved(lead)) {
          this.#note(`tab ${this.#tabs.indexOf(tab)}: told that ${lead} is not saved`);
          this.#counts.told += 1;
          decision.isTold = true;
        }
        if (decision.isTold || decision.isFlickering || shown === decision.status) continue;
        this.#note(`tab ${this.#tabs.indexOf(tab)}: ${lead} is shown as ${shown} again`);
        decision.isFlickering = true;
        this.#counts.flickers += 1;
      }
    }
  }

  verdict() {
    const { statuses, requests, duplicates } = this.#server;
    const lost = [...this.#latest].filter(([lead, { status, isTold }]) => !isTold && statuses.get(lead) !== status);
    let wrongRows = 0;
    for (const [number, { app }] of this.#tabs.entries()) {
      for (const lead of app ? LEADS : []) {
        const row = app.rows()?.find((row) => row.lead_id === lead);
        if (!row || app.isToldUnsaved(lead) || row.approval_status === statuses.get(lead)) continue;
        this.#note(`WRONG SCREEN in tab ${number}: ${lead} ${row.approval_status}, server: ${statuses.get(lead)}`);
        wrongRows += 1;
      }
    }
    for (const [lead, { status }] of lost) this.#note(`LOST: ${lead} ${status}, server: ${statuses.get(lead)}`);
    return { ...this.#counts, requests, duplicates, lost: lost.length, wrongRows, log: this.#log };
  }
}
