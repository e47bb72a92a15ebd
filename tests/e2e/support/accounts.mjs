// Page object of the accounts page: rows, search, filters, details.

import { openPage } from "./browser.mjs";
import { ListPage } from "./list.mjs";
import { Service } from "./service.mjs";
import { Sidebar } from "./sidebar.mjs";

export class AccountsPage extends ListPage {
  constructor(page) {
    super(page, { name: "Accounts", noun: "account" });
    this.chips = page.getByRole("group", { name: "Active filters" });
    this.selectionBar = page.getByRole("toolbar", { name: "Selection" });
    this.details = page.getByRole("region", { name: "Account details" });
  }

  // Opens an accounts view with the key in the URL.
  static async open(page, service, query = "") {
    await page.goto(`${service.origin}/accounts${query}#key=${service.key}`);
    const accounts = new AccountsPage(page);
    await accounts.settled();
    return accounts;
  }

  // Returns the number of rows in the whole list.
  async total() {
    return Number(await this.grid.getAttribute("aria-rowcount")) - 1;
  }

  // Returns the id of the account at the cursor.
  cursor() {
    return this.grid.locator('[role="row"][data-cursor="true"]').getAttribute("data-account-id");
  }

  selected(count) {
    return this.selectionBar.getByText(`${count} selected`, { exact: true });
  }

  param(name) {
    return new URL(this.page.url()).searchParams.get(name);
  }

  async addFilter({ field, condition, value }) {
    await this.page.getByRole("button", { name: "Add a filter" }).click();
    await new Sidebar(this.page).fill({ field, condition, values: [value] });
  }
}

// Starts a service with demo leads and opens the accounts. Returns the ids of the first rows, too.
export async function stage(t, { query, ...options } = {}) {
  const service = await Service.start(t, { demo: 300 });
  const page = await openPage(t, options);
  const accounts = await AccountsPage.open(page, service, query);
  return { service, page, accounts, ids: await accounts.ids() };
}
