// The footer: whether the decisions are saved, and the last one with Undo. It covers and moves no row. And what the rows
// say of decisions.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

async function open(t, { clock, ...options } = {}) {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, options);
  if (clock) await page.clock.install();
  const leads = await LeadsPage.open(page, service.url);
  return { page, leads, footer: page.locator("footer") };
}

const isPatch = (route) => route.request().method() === "PATCH";

test("a decision that takes long is said to be in flight, and the last one is announced and can be undone", async (t) => {
  const { page, leads, footer } = await open(t);
  await allSaved(page);
  let release;
  const held = new Promise((go) => (release = go));
  await page.route("**/api/leads/*", async (route) => {
    if (isPatch(route)) await held;
    await route.fallback();
  });
  const { height, y } = await footer.boundingBox();
  assert.equal(height, 40);
  // The live region must exist before it gets text, or screen readers ignore it.
  const region = page.locator(".toasts[role=status]");
  assert.equal(await region.count(), 1);
  const [id] = await leads.ids();
  const name = await leads.name(leads.rows.first());
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await footer.getByText("Saving 1 decision", { exact: true }).waitFor();
  await footer.getByText(`Approved ${name}`).waitFor();
  await region.getByText(`Approved ${name}`).waitFor();
  assert.deepEqual([(await footer.boundingBox()).height, (await footer.boundingBox()).y], [height, y]);
  const status = leads.row(id).locator("[data-column=status]");
  assert.equal(await status.innerText(), "Approved", "the row looks decided at once");
  release();
  await allSaved(page);
  assert.equal(await status.innerText(), "Approved, now");

  await region.getByRole("button", { name: "Undo" }).click();
  await region.getByText(`Undone: ${name} is pending again`).waitFor();
  await leads.waitForStatus(id, "pending_approval");
  assert.equal(await status.innerText(), "Pending", "the row looks undecided");
  await region.getByRole("button", { name: "Redo" }).waitFor();
});

test("the keys are shown in the row with the cursor, and not in the one under the pointer", async (t) => {
  const { page, leads } = await open(t);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await leads.rows.nth(2).hover();
  // The style sheet shows them as key caps.
  const caps = (row) =>
    row
      .locator("[data-column=status] [aria-keyshortcuts]")
      .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-keyshortcuts")));
  await expectEventually("the keys", async () => (await caps(leads.rows.first())).join() === "a,r");
  assert.equal(await leads.rows.nth(2).getByRole("button", { name: /^Approve / }).count(), 1);
  assert.deepEqual(await caps(leads.rows.nth(2)), []);
  const cut = await leads.rows.first().locator("[data-column=status]").evaluate((cell) => cell.scrollWidth > cell.clientWidth);
  assert.equal(cut, false);
});

test("the box in the header selects the rows in view, offers all, and clears", async (t) => {
  const { page, leads } = await open(t);
  const box = leads.grid.getByRole("columnheader").first().getByRole("checkbox");
  const checked = () => box.getAttribute("aria-checked");
  assert.equal(await checked(), "false");
  await leads.rows.nth(1).getByRole("checkbox").click();
  await expectEventually("some to be selected", async () => (await checked()) === "mixed");
  assert.ok(await box.evaluate((box) => box.indeterminate));
  await box.click();
  await expectEventually("the page to be selected", async () => (await checked()) === "true");
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await bar.getByRole("button", { name: /^Select all \d+ matching$/ }).waitFor();
  assert.ok(await leads.grid.evaluate((grid) => grid === document.activeElement), "the list has the focus");
  await box.click();
  await bar.waitFor({ state: "detached" });
  assert.equal(await checked(), "false");
  assert.equal(await box.isChecked(), false);

  // The same by keyboard.
  await leads.grid.focus();
  for (const key of ["Control+Home", "ArrowUp", "Home", "Space"]) await page.keyboard.press(key);
  await expectEventually("the page to be selected", async () => (await checked()) === "true");
});

test("on a phone the message is above the two buttons and covers nothing", async (t) => {
  const { page, leads, footer } = await open(t, { viewport: PHONE, hasTouch: true, isMobile: true });
  const card = (n) => leads.rows.nth(n);
  const name = (await card(0).locator(".who b").innerText()).trim();
  const [, next] = await leads.ids();
  await card(0).getByRole("button", { name: /^Approve / }).tap();
  const message = footer.getByText(`Approved ${name}`);
  await message.waitFor();
  const approve = leads.row(next).getByRole("button", { name: /^Approve / });
  await expectEventually("the next card", async () => {
    const [above, below] = [await footer.getByRole("button", { name: "Undo" }).boundingBox(), await approve.boundingBox()];
    return above.y + above.height <= below.y && below.y - above.y < 80;
  });
  const covered = await leads.row(next).evaluate((card) => {
    const message = document.querySelector("footer .save-line").getBoundingClientRect();
    const parts = [...card.children].map((cell) => cell.getBoundingClientRect()).filter((box) => box.height > 0);
    const [act] = parts.slice(-1);
    const others = parts.slice(0, -1);
    return { others: others.filter((box) => box.bottom > message.top + 1).length, within: message.top >= act.top };
  });
  assert.deepEqual(covered, { others: 0, within: true });
});

test("a decided row says how long ago it was decided here", async (t) => {
  const { page, leads } = await open(t, { clock: true });
  const [first, second, third] = await leads.ids();
  const cell = (id) => leads.row(id).locator("[data-column=status]");
  await leads.decide(leads.row(first), "Approve");
  await leads.waitForStatus(first, "approved");
  // The row with the cursor and the one under the pointer have buttons.
  await page.keyboard.press("j");
  await leads.row(third).hover();
  await cell(first).getByText("Approved, now", { exact: true }).waitFor();
  await page.clock.fastForward(130_000);
  await leads.decide(leads.row(second), "Reject");
  await leads.waitForStatus(second, "rejected");
  await cell(first).getByText("Approved, 2 min ago", { exact: true }).waitFor();
  // Undone, it is pending as before.
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  await leads.waitForStatus(first, "pending_approval");
  await leads.row(third).hover();
  assert.doesNotMatch(await cell(first).innerText(), /ago|now/);
});
