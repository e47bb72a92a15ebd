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
    // Those of the user's own columns are in another one.
    const summary = facet.last().locator("summary").first();
    if ((await facet.last().getAttribute("open")) === null) await summary.click();
  }

  chip(text) {
    return this.chips.locator(".chip").filter({ hasText: text });
  }

  async addFilter({ field, condition, values }) {
    await this.page.getByRole("button", { name: "Add a filter" }).first().click();
    await this.fill({ field, condition, values });
  }

  get editor() {
    return this.page.getByRole("form", { name: "Filter", exact: true });
  }

  // Fills in the editor of a filter and submits it.
  async fill({ field, condition, values = [] }) {
    const { editor } = this;
    if (field) {
      await editor.getByRole("combobox", { name: "Field" }).fill(field);
      await editor.getByRole("option", { name: new RegExp(`^${field}( |$)`) }).first().click();
    }
    if (condition) await editor.getByLabel("Condition").selectOption({ label: condition });
    const inputs = editor.locator(".values").locator("input, select, textarea");
    for (const [at, value] of values.entries()) await inputs.nth(at).fill(value);
    await editor.locator('[type="submit"]').click();
    return editor;
  }
}
