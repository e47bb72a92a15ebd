// The editor of a filter: one line with field, condition and value, at the chips or in the sheet of a phone.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "./support/browser.mjs";
import { expectLeft, open, search, total } from "./support/filters.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("a filter is built in one line, validated, changed and removed", async (t) => {
  const { service, page, sidebar } = await open(t);
  await sidebar.addFilter({ field: "ICP score", condition: "is at least", values: [""] });
  await sidebar.editor.getByRole("alert").getByText("Enter a number.").waitFor();
  await sidebar.fill({ values: ["60"] });
  const filter = (value) => ({ field: "icp_score", operator: "gte", value });
  await expectLeft(page, await total(service, filter(60)));
  assert.equal(search(page).get("where"), "icp_score gte 60");

  await sidebar.chip("ICP score is at least 60").getByRole("button", { name: /ICP score/ }).first().click();
  await sidebar.fill({ values: ["80"] });
  await expectLeft(page, await total(service, filter(80)));
  assert.deepEqual(search(page).getAll("where"), ["icp_score gte 80"], "changed in its place");

  await sidebar.addFilter({ field: "Created", condition: "is between", values: ["2020-01-01", "2030-01-01"] });
  await sidebar.chip("Created is between 2020-01-01 and 2030-01-01").waitFor();
  await sidebar.addFilter({ field: "Title", condition: "is one of", values: ["CTO\nFounder"] });
  await sidebar.chip("Title is one of “CTO”, “Founder”").waitFor();
  await sidebar.chips.getByRole("button", { name: "Remove Title" }).click();
  await expectEventually("two chips", async () => (await sidebar.chips.locator(".chip").count()) === 2);
});

test("a filter is built with the keyboard: field and value are found by typing", async (t) => {
  const { service, page, sidebar } = await open(t);
  const { editor } = sidebar;
  const { keyboard } = page;
  await page.getByRole("button", { name: "Add a filter" }).click();
  const field = editor.getByRole("combobox", { name: "Field" });
  await expectEventually("the focus in the field", () => field.evaluate((node) => node === document.activeElement));
  // The most useful fields come first.
  const listed = (name) => editor.getByRole("listbox", { name }).getByRole("option").allInnerTexts();
  assert.equal((await listed("Field"))[0].trim(), "ICP score");
  await keyboard.type("dustr");
  await keyboard.press("Enter");
  assert.equal(await field.inputValue(), "Industry");
  const value = editor.getByRole("combobox", { name: "Value" });
  await expectEventually("the focus in the value", () => value.evaluate((node) => node === document.activeElement));
  const { body } = await service.call("GET", "/api/leads/facets/search?field=industry&q=so");
  await keyboard.type("so");
  await expectEventually("the suggested values", async () => {
    const options = await listed("Value");
    return options.length > 0 && options[0].startsWith(body.items[0].label);
  });
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  assert.equal(await value.inputValue(), body.items[0].value);
  assert.equal(search(page).get("where"), null, "picking a value adds nothing yet");
  await keyboard.press("Enter");
  const chosen = { field: "industry", operator: "contains", value: body.items[0].value };
  await expectLeft(page, await total(service, chosen));
  await expectEventually("the focus on the list", () =>
    page.evaluate(() => document.activeElement?.getAttribute("role") === "grid"));

  // Escape closes the list, then the editor. Nothing changes.
  await sidebar.chip("Industry contains").getByRole("button").first().click();
  await value.fill("nothing like this");
  await keyboard.press("Escape");
  if (await editor.count()) await keyboard.press("Escape");
  await expectEventually("no editor", async () => (await editor.count()) === 0);
  await sidebar.chip(body.items[0].value).waitFor();
  await page.getByRole("button", { name: "Add a filter" }).click();
  await editor.getByRole("button", { name: "Cancel" }).click();
  await expectEventually("no editor", async () => (await editor.count()) === 0);
  assert.equal(search(page).getAll("where").length, 1);
});

test("a filter that the server refuses shows the error", async (t) => {
  const { page, sidebar } = await open(t, { expected: [/422/] });
  await sidebar.choose("ICP tier", "A");
  await sidebar.addFilter({ field: "Company size", condition: "is at least", values: ["huge"] });
  const chip = sidebar.chip("Company size is at least huge");
  await chip.getByText("a size is ordered by its number of heads").waitFor();
  assert.equal(await sidebar.chips.locator(".chip[data-wrong]").count(), 1);
  const alert = page.getByRole("alert");
  await alert.getByText(/^This filter isn't accepted: .*Showing previous results/).waitFor();
  assert.equal(await alert.count(), 1, "announced once");
  assert.equal(await alert.getByRole("button", { name: "Retry" }).count(), 0, "it would be refused again");
  assert.doesNotMatch(await page.getByRole("main").innerText(), /filters\.\d/);
  await chip.getByRole("button", { name: "Remove Company size" }).click();
  await expectEventually("no error", async () => (await alert.count()) === 0);
  assert.equal(await sidebar.chips.locator(".chip[data-wrong]").count(), 0);
});

test("Back to another workspace while the editor has the focus: the app goes on there", async (t) => {
  const { page, sidebar } = await open(t);
  await page.getByRole("button", { name: "Add a filter" }).click();
  const field = sidebar.editor.getByRole("combobox", { name: "Field" });
  await expectEventually("the focus in the field", () => field.evaluate((node) => node === document.activeElement));
  await page.evaluate(() => {
    history.pushState(true, "", "/leads?tenant=another");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await page.getByRole("heading", { name: "Where do I get a key?" }).waitFor();
  await page.goBack();
  await page.getByRole("button", { name: "Add a filter" }).click();
  await sidebar.editor.getByRole("combobox", { name: "Field" }).waitFor();
});
