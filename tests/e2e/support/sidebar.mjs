// Page object of the filter sidebar, and of the chips above the grid.

export class Sidebar {
  constructor(page) {
    this.page = page;
    this.panel = page.getByRole("complementary", { name: "Filters" });
    this.chips = page.getByRole("group", { name: "Active filters" });
  }

  // Returns the group of a facet.
  facet(label) {
    return this.panel.getByRole("group", { name: label, exact: true });
  }

  // Returns the checkbox of a value.
  box(label, value) {
    const start = value.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    return this.facet(label).getByRole("checkbox", { name: new RegExp(`^${start}( |$)`) });
  }

  // Returns the values of a facet in display order.
  async values(label) {
    return this.facet(label).locator("label > span").allInnerTexts();
  }

  // Toggles a value. It does not wait: the app decides when the box is checked.
  async choose(label, value) {
    await this.box(label, value).click();
  }

  async expand(label) {
    const facet = this.panel.locator("details").filter({
      has: this.page.getByRole("heading", { name: label, exact: true }),
    });
    if ((await facet.getAttribute("open")) === null) await facet.locator("summary").click();
  }

  chip(text) {
    return this.chips.locator(".chip").filter({ hasText: text });
  }

  async addFilter({ field, condition, values }) {
    await this.page.getByRole("button", { name: "Add a filter" }).first().click();
    await this.fill({ field, condition, values });
  }

  // Fills in the filter dialog and submits it.
  async fill({ field, condition, values = [] }) {
    const dialog = this.page.getByRole("dialog", { name: "Filter", exact: true });
    if (field) await dialog.getByLabel("Field").selectOption({ label: field });
    if (condition) await dialog.getByLabel("Condition").selectOption({ label: condition });
    const inputs = dialog.locator(".values").locator("input, select, textarea");
    for (const [at, value] of values.entries()) await inputs.nth(at).fill(value);
    await dialog.locator('[type="submit"]').click();
    return dialog;
  }
}
