// A list as a person sees it: rows, headers, search, by their names. What the lists of the app have in
// common.

import { expectEventually } from "./wait.mjs";

export class ListPage {
  // `name` is the grid's, `noun` what a row is of.
  constructor(page, { name, noun }) {
    this.page = page;
    this.id = `data-${noun}-id`;
    this.grid = page.getByRole("grid", { name, exact: true });
    this.rows = this.grid.locator(`[role="row"][${this.id}]`);
    this.search = page.getByRole("searchbox", { name: `Search ${noun}s` });
  }

  // Rows with data are there and nothing is on its way.
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
