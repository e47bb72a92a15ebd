// A page of leads as a store: read, read again, and never overtaken by an earlier read.

import { needsWorkspace } from "./needs-workspace.js";

/** The state before the first read, also on a server. */
export const NOT_READ = Object.freeze({ page: null, error: null, isLoading: true, key: null });

/** Equal queries have equal keys. */
export const keyOf = (query) => JSON.stringify(query ?? {});

export class LeadList {
  #workspace;
  #listeners = new Set();
  #state = NOT_READ;
  #key;
  #keyOfPage;
  #controller;

  /** @param {object | null | undefined} workspace Without one, nothing is read. */
  constructor(workspace) {
    if (workspace) needsWorkspace(workspace, "A list of leads");
    this.#workspace = workspace;
  }

  state = () => this.#state;

  subscribe = (listener) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Reads the query of this key, and aborts the read before. */
  read(key) {
    this.#key = key;
    this.reload();
  }

  abort = () => this.#controller?.abort();

  reload = () => {
    // The first read comes with the query.
    if (!this.#workspace || this.#key === undefined) return;
    this.abort();
    const { signal } = (this.#controller = new AbortController());
    const key = this.#key;
    this.#set({ ...this.#state, key, isLoading: true });
    const settle = (page, error) => {
      if (signal.aborted) return;
      this.#keyOfPage = key;
      this.#set({ page, error, key, isLoading: false });
    };
    this.#workspace.queryLeads(JSON.parse(key), { signal }).then(
      (page) => settle(page, null),
      // After a failed reload the page that was read before is still of use.
      (error) => settle(this.#keyOfPage === key ? this.#state.page : null, error),
    );
  };

  #set(state) {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}
