// The phone layout: one lead at a time, used by touch.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

async function open(t, { demo = 60, ...options } = {}) {
  const service = await Service.start(t, { demo });
  const page = await openPage(t, { viewport: PHONE, hasTouch: true, isMobile: true, ...options });
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads, ids: await inOrder(service) };
}

async function inOrder(service) {
  const { body } = await service.call("POST", "/api/leads/query", {
    filters: [{ field: "approval_status", operator: "in", value: ["pending_approval"] }],
    sort_by: "icp_score",
    sort_dir: "desc",
    page_size: 20,
  });
  return body.data.map((lead) => lead.lead_id);
}

// Returns the lead of the visible card.
const seen = (leads) =>
  leads.grid.evaluate((grid) => {
    const view = grid.getBoundingClientRect();
    const rows = [...grid.querySelectorAll("[data-lead-id]")];
    const here = rows.find((row) => Math.abs(row.getBoundingClientRect().top - view.top) < 4);
    return here?.dataset.leadId;
  });

const sees = (leads, id) => expectEventually(`the card of ${id}`, async () => (await seen(leads)) === id);

// Swipes vertically.
async function swipe(page, by) {
  const session = await page.context().newCDPSession(page);
  const at = (y) => [{ x: 195, y }];
  const from = by < 0 ? 640 : 220;
  await session.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(from) });
  for (let step = 1; step <= 8; step += 1) {
    await session.send("Input.dispatchTouchEvent", { type: "touchMove", touchPoints: at(from + (by * step) / 8) });
    await page.waitForTimeout(16);
  }
  await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  await session.detach();
}

test("swipes and two buttons go to the next lead and back", async (t) => {
  const { page, leads, ids } = await open(t);
  await sees(leads, ids[0]);
  await swipe(page, -420);
  await sees(leads, ids[1]);
  await swipe(page, -420);
  await sees(leads, ids[2]);
  await swipe(page, 420);
  await sees(leads, ids[1]);

  await page.getByRole("button", { name: "Next lead" }).tap();
  await sees(leads, ids[2]);
  await page.getByRole("button", { name: "Next lead" }).tap();
  await sees(leads, ids[3]);
  await page.getByRole("button", { name: "Previous lead" }).tap();
  await sees(leads, ids[2]);
});

test("deciding moves on to the next lead, and Undo is in reach", async (t) => {
  const { service, page, leads, ids } = await open(t);
  const card = leads.row(ids[0]);
  for (const name of [/^Approve /, /^Reject /]) {
    const box = await card.getByRole("button", { name }).boundingBox();
    assert.ok(box.height >= 48 && box.width >= 48, `${name} ${box.width} x ${box.height}`);
    assert.ok(box.y > PHONE.height / 2, "in the lower half of the screen");
  }
  await card.getByRole("button", { name: /^Approve / }).tap();
  await sees(leads, ids[1]);
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  const box = await undo.boundingBox();
  assert.ok(box.height >= 48 && box.y > PHONE.height / 2, `${box.height} at ${box.y}`);
  const status = async () => (await service.call("GET", `/api/leads/${encodeURIComponent(ids[0])}`)).body.approval_status;
  await expectEventually("the lead to be approved", async () => (await status()) === "approved");
  await undo.tap();
  await expectEventually("the lead to be restored", async () => (await status()) === "pending_approval");
});

test("the card stays in its place when the phone is turned or the keyboard opens", async (t) => {
  const { page, leads, ids } = await open(t);
  for (const id of ids.slice(0, 4)) {
    await leads.row(id).getByRole("button", { name: /^Reject / }).tap();
  }
  await sees(leads, ids[4]);
  const turned = { width: PHONE.height, height: PHONE.width };
  const sizes = [turned, PHONE, { ...PHONE, height: 700 }, PHONE, { ...PHONE, height: 500 }, PHONE];
  for (const size of sizes) {
    await page.setViewportSize(size);
    if (size === turned) await leads.row(ids[4]).waitFor();
    else await sees(leads, ids[4]);
  }
});

test("a list that is narrow for a while is shown where it was", async (t) => {
  const { page, leads } = await open(t, { demo: 600, viewport: { width: 1300, height: 800 } });
  await page.getByRole("tab", { name: /^All/ }).click();
  await leads.settled();
  await leads.grid.evaluate((grid) => grid.scrollTo(0, 12_000));
  const row = leads.grid.locator('[aria-rowindex="305"]');
  await row.waitFor();
  for (const width of [560, 1300, 560, 1300]) {
    await page.setViewportSize({ width, height: 800 });
    await expectEventually("rows in view", () => leads.grid.evaluate((grid) => {
      const { left, top } = grid.getBoundingClientRect();
      const row = document.elementFromPoint(left + 200, top + 90).closest("[data-lead-id]");
      const index = Number(row?.getAttribute("aria-rowindex"));
      return Math.abs(index - 302) <= 3;
    }));
  }
});

test("with many leads selected, the bar has two rows and its large buttons do not overlap", async (t) => {
  const { page, leads, ids } = await open(t);
  await leads.row(ids[0]).getByRole("checkbox").tap();
  const bar = page.getByRole("toolbar", { name: "Selection" });
  await bar.getByText("1 selected").waitFor();
  const boxes = await bar.getByRole("button").evaluateAll((buttons) =>
    buttons.map((button) => {
      const { x, y, right, bottom, height } = button.getBoundingClientRect();
      return { x, y, right, bottom, height };
    }),
  );
  const rows = new Set(boxes.map((box) => Math.round((box.y + box.bottom) / 2 / 10)));
  assert.equal(rows.size, 2, JSON.stringify(boxes));
  for (const [at, one] of boxes.entries()) {
    assert.ok(one.x >= 0 && one.right <= PHONE.width && one.height >= 44, JSON.stringify(one));
    for (const other of boxes.slice(at + 1)) {
      const apart = one.right <= other.x || other.right <= one.x || one.bottom <= other.y || other.bottom <= one.y;
      assert.ok(apart, JSON.stringify([one, other]));
    }
  }
  await bar.getByRole("button", { name: "Reject selected" }).tap();
  await leads.waitForStatus(ids[0], "rejected");
});

// Returns the offset of a card, and whether a touch on the center of its button hits it.
const lies = (leads, id) =>
  leads.grid.evaluate((grid, id) => {
    const card = grid.querySelector(`[data-lead-id="${id}"]`);
    const button = card?.querySelector("button.yes");
    if (!button) return undefined;
    const { x, y, width, height } = button.getBoundingClientRect();
    const hit = document.elementFromPoint(x + width / 2, y + height / 2);
    return { off: card.getBoundingClientRect().top - grid.getBoundingClientRect().top, hit: hit === button };
  }, id);

const MANY = 20_000;

// Opens a list that is too long to be laid out in full.
async function openMany(t, reducedMotion) {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t, { viewport: PHONE, hasTouch: true, isMobile: true, reducedMotion });
  const lead = (n) => ({ lead_id: `lead-${n}`, name: `Lead ${n}`, approval_status: "pending_approval" });
  await page.route("**/api/leads/query", async (route) => {
    const { page: number = 1, page_size: size = 50 } = route.request().postDataJSON();
    const first = (number - 1) * size;
    const data = Array.from({ length: size }, (_, n) => lead(first + n));
    await route.fulfill({ json: { data, total: MANY, page: number, page_size: size } });
  });
  await page.route("**/api/leads/lead-*", async (route) => {
    const lead_id = new URL(route.request().url()).pathname.split("/").at(-1);
    await route.fulfill({ json: { lead_id, ...route.request().postDataJSON() } });
  });
  return { page, leads: await LeadsPage.open(page, service.url) };
}

const inPlace = (leads, n) =>
  expectEventually(`card ${n} in its place, with its buttons in reach`, async () => {
    const card = await lies(leads, `lead-${n}`);
    return card && Math.abs(card.off) < 1 && card.hit;
  });

for (const reducedMotion of ["reduce", "no-preference"]) {
  test(`in a list of 20,000 leads every card is in its place (motion: ${reducedMotion})`, async (t) => {
    const { page, leads } = await openMany(t, reducedMotion);
    for (let n = 0; n < 5; n += 1) {
      await inPlace(leads, n);
      await leads.row(`lead-${n}`).getByRole("button", { name: /^Approve / }).tap();
      await page.getByText(`Approved Lead ${n}`).waitFor();
    }
    await inPlace(leads, 5);
  });
}

test("far down a list of 20,000 leads every card is in its place", async (t) => {
  const { page, leads } = await openMany(t, "no-preference");
  await leads.grid.focus();
  await page.keyboard.press("Control+End");
  await inPlace(leads, MANY - 1);
  await swipe(page, 420);
  await inPlace(leads, MANY - 2);
  await page.keyboard.press("Control+Home");
  await inPlace(leads, 0);
});

test("a card has the tile of the company and five reasons, the incomplete ones last, and all controls have words", async (t) => {
  const { page, leads } = await open(t);
  const work = leads.rows.first().locator(".sub");
  const initials = await work.getAttribute("data-initials");
  assert.match(initials, /^\S{1,2}$/u);
  assert.equal(await work.evaluate((work) => getComputedStyle(work, "::before").content), `"${initials}" / ""`);

  const lines = leads.rows.first().locator(".card-reasons li");
  assert.equal(await lines.count(), 5);
  for (const part of ["Industry", "Size", "Title", "Location", "Intent"]) {
    await leads.rows.first().locator(".card-reasons").getByText(part, { exact: true }).waitFor();
  }
  const cards = await leads.grid
    .locator(".card-reasons")
    .evaluateAll((cards) => cards.map((card) => [...card.children].map((line) => line.className)));
  assert.ok(cards.length > 1);
  for (const card of cards) assert.deepEqual(card, card.toSorted(), "full before less");

  await page.getByRole("button", { name: "Filters" }).getByText("Filters").waitFor();
  const tabs = page.getByRole("tab");
  assert.equal(await tabs.count(), 5);
  for (const tab of await tabs.all()) {
    const { x } = await tab.boundingBox();
    assert.ok(x < PHONE.width, "each tab begins on the screen");
  }
  const views = page.getByRole("dialog", { name: "Views" });
  await page.getByRole("button", { name: "Views", exact: true }).tap();
  await views.waitFor();
  await page.keyboard.press("Escape");
  await views.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /, menu$/ }).getByText("Menu").click();
  await page.getByRole("menuitem", { name: "Commands" }).click();
  await page.getByRole("dialog", { name: "Commands" }).waitFor();
});

test("with a keyboard, the focus ring is around the buttons of a card, not around the room above them", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { viewport: PHONE });
  const { origin, hash } = new URL(service.url);
  await page.goto(`${origin}/leads?cols=fit.name.title.company.signal.approval_status.likely${hash}`);
  const leads = new LeadsPage(page);
  await leads.settled();
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("End");
  const cell = leads.rows.first().locator('.act[data-active="true"]');
  await cell.waitFor();
  const ring = (element) => getComputedStyle(element).outlineStyle;
  assert.equal(await cell.evaluate(ring), "none");
  assert.deepEqual(await cell.getByRole("button").evaluateAll((all) => all.map((one) => getComputedStyle(one).outlineStyle)), [
    "solid",
    "solid",
  ]);
});
