// The leads page as a person sees it: rows, tabs, search, by their names.

import { expectEventually } from "./wait.mjs";

export class LeadsPage {
  constructor(page) {
    this.page = page;
    this.grid = page.getByRole("grid", { name: "Leads", exact: true });
    this.rows = this.grid.locator('[role="row"][data-lead-id]');
    this.search = page.getByRole("searchbox", { name: "Search leads" });
  }

  // Opens the app through its key link and waits for the first rows.
  static async open(page, url) {
    await page.goto(url);
    const leads = new LeadsPage(page);
    await leads.settled();
    return leads;
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
    return this.grid.locator(`[role="row"][data-lead-id="${id}"]`);
  }

  // Shows the leads of every status; the page opens on those that wait for a decision.
  async showAll() {
    await this.tab("All").click();
    await expectEventually(
      "the tab All",
      async () => (await this.tab("All").getAttribute("aria-selected")) === "true",
    );
    await this.settled();
  }

  tab(name) {
    return this.page.getByRole("tab", { name: new RegExp(`^${name}`) });
  }

  header(label) {
    return this.grid.getByRole("columnheader", { name: new RegExp(`^${label}`) });
  }

  async ids() {
    return this.rows.evaluateAll((rows) => rows.map((row) => row.dataset.leadId));
  }

  // The text of a row's name cell: the second, after the checkbox.
  async name(row) {
    return (await row.getByRole("gridcell").nth(1).innerText()).trim();
  }

  async waitForStatus(id, status) {
    await this.page
      .locator(`[role="row"][data-lead-id="${id}"][data-status="${status}"]`)
      .waitFor();
  }
}
