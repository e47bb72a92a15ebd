// Page object of the leads page: rows, tabs, search.

import { ListPage } from "./list.mjs";
import { expectEventually } from "./wait.mjs";

export class LeadsPage extends ListPage {
  constructor(page) {
    super(page, { name: "Leads", noun: "lead" });
  }

  // Opens the app through its key link and waits for the first rows.
  static async open(page, url) {
    await page.goto(url);
    const leads = new LeadsPage(page);
    await leads.settled();
    return leads;
  }

  // Shows leads of every status. By default the page shows only pending ones.
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

  // Returns the text of a row's name cell.
  async name(row) {
    return (await row.locator("[data-column=name]").innerText()).trim();
  }

  // Approves or rejects with a row's buttons, which exist only while the pointer is on the row.
  async decide(row, verb) {
    await row.hover();
    await row.getByRole("button", { name: new RegExp(`^${verb} `) }).click();
  }

  async waitForStatus(id, status) {
    await this.page
      .locator(`[role="row"][data-lead-id="${id}"][data-status="${status}"]`)
      .waitFor();
  }
}
