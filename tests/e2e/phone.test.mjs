// On a phone: one lead at a time, by thumb.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

async function open(t) {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { viewport: PHONE, hasTouch: true, isMobile: true });
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

// The one card that is seen.
const seen = (leads) =>
  leads.grid.evaluate((grid) => {
    const view = grid.getBoundingClientRect();
    const rows = [...grid.querySelectorAll("[data-lead-id]")];
    const here = rows.find((row) => Math.abs(row.getBoundingClientRect().top - view.top) < 4);
    return here?.dataset.leadId;
  });

const sees = (leads, id) => expectEventually(`the card of ${id}`, async () => (await seen(leads)) === id);

// A finger that goes up or down the card.
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

test("a swipe goes to the next lead and back, and so do two buttons", async (t) => {
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

test("deciding goes on to the next lead, and Undo is under the thumb", async (t) => {
  const { service, page, leads, ids } = await open(t);
  const card = leads.row(ids[0]);
  for (const name of [/^Approve /, /^Reject /]) {
    const box = await card.getByRole("button", { name }).boundingBox();
    assert.ok(box.height >= 48 && box.width >= 48, `${name} ${box.width} x ${box.height}`);
    assert.ok(box.y > PHONE.height / 2, "where the thumb is");
  }
  await card.getByRole("button", { name: /^Approve / }).tap();
  await sees(leads, ids[1]);
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  const box = await undo.boundingBox();
  assert.ok(box.height >= 48 && box.y > PHONE.height / 2, `${box.height} at ${box.y}`);
  const status = async () => (await service.call("GET", `/api/leads/${encodeURIComponent(ids[0])}`)).body.approval_status;
  await expectEventually("it is approved", async () => (await status()) === "approved");
  await undo.tap();
  await expectEventually("it is as it was", async () => (await status()) === "pending_approval");
});

test("many leads: the bar has two rows, and its large buttons do not lie over each other", async (t) => {
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

test("the saved views are a tap away", async (t) => {
  const { page } = await open(t);
  await page.getByRole("button", { name: "Views", exact: true }).tap();
  await page.getByRole("dialog", { name: "Views" }).waitFor();
});
