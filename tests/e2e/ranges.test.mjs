// Ranges of rows, selected with Shift from an anchor.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

async function open(t) {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  const selected = async (...wanted) => {
    const read = () => leads.grid.locator('[role="row"][aria-selected=true]').evaluateAll((rows) => rows.map((row) => row.dataset.leadId));
    await expectEventually(`${wanted.length} selected leads`, async () => (await read()).join() === wanted.join());
  };
  const name = (id) => leads.row(id).locator("[data-column=name]");
  return { service, page, leads, selected, name, ids: await leads.ids() };
}

const shift = { modifiers: ["Shift"] };

test("a range grows and shrinks by keys from where it began", async (t) => {
  const { page, leads, selected, ids } = await open(t);
  await leads.grid.focus();
  for (const key of ["j", "j", "j"]) await page.keyboard.press(key);
  for (const key of ["Shift+J", "Shift+ArrowDown", "Shift+J"]) await page.keyboard.press(key);
  await selected(...ids.slice(2, 6));
  await page.keyboard.press("Shift+K");
  await page.keyboard.press("Shift+ArrowUp");
  await selected(...ids.slice(2, 4));
  // Over the anchor to the other side.
  for (let n = 0; n < 3; n += 1) await page.keyboard.press("Shift+K");
  await selected(...ids.slice(0, 3));

  // A move without Shift starts another range. The first one stays.
  for (let n = 0; n < 6; n += 1) await page.keyboard.press("j");
  await page.keyboard.press("Shift+J");
  await selected(...ids.slice(0, 3), ...ids.slice(6, 8));
});

test("a click with Shift selects from the last row that was clicked", async (t) => {
  const { leads, selected, name, ids } = await open(t);
  await leads.row(ids[1]).getByRole("checkbox").click();
  await name(ids[4]).click(shift);
  await selected(...ids.slice(1, 5));
  await name(ids[2]).click(shift);
  await selected(...ids.slice(1, 3));
  await name(ids[6]).click({ modifiers: ["ControlOrMeta"] });
  await leads.row(ids[8]).getByRole("checkbox").click(shift);
  await selected(...ids.slice(1, 3), ...ids.slice(6, 9));
});

test("the anchor follows its lead after a sort and a reload", async (t) => {
  const { page, leads, selected, name, ids } = await open(t);
  const anchor = ids[1];
  await leads.row(anchor).getByRole("checkbox").click();
  await leads.header("Fit").getByText("Fit").click();
  await page.waitForURL(/dir=asc/);
  await leads.settled();
  await page.getByRole("button", { name: "Refresh" }).click();
  await leads.settled();
  await leads.grid.evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  await leads.row(anchor).waitFor();
  const order = await leads.ids();
  const at = order.indexOf(anchor);
  assert.notEqual(at, 1);
  await name(order[at - 3]).click(shift);
  await selected(...order.slice(at - 3, at + 1));
});
