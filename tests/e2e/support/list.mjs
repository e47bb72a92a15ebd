// Page object with the common parts of the app's lists: rows, headers, search.

import { expectEventually } from "./wait.mjs";

export class ListPage {
  // `name` is the grid's accessible name, `noun` the kind of row.
  constructor(page, { name, noun }) {
    this.page = page;
    this.id = `data-${noun}-id`;
    this.grid = page.getByRole("grid", { name, exact: true });
    this.rows = this.grid.locator(`[role="row"][${this.id}]`);
    this.search = page.getByRole("searchbox", { name: `Search ${noun}s` });
  }

  // Waits until there are rows with data and no request is pending.
  async settled() {
    await this.rows.first().waitFor();
    await expectEventually(
      "the grid to settle",
      async () => (await this.grid.getAttribute("aria-busy")) !== "true",
    );
  }

  row(id) {
    return this.grid.locator(`[role="row"][${this.id}="${id}"]`);
  }

  header(label) {
    return this.grid.getByRole("columnheader", { name: new RegExp(`^${label}`) });
  }

  ids() {
    // In one call, because rows are reused for other leads.
    const read = (grid, id) => Array.from(grid.querySelectorAll(`[role="row"][${id}]`), (row) => row.getAttribute(id));
    return this.grid.evaluate(read, this.id);
  }
}
