// Lead details: opening and closing, moving between leads, deep links, and never the data of another lead.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { DetailsPane, click, isDetail, nameOf, stage } from "./support/details-pane.mjs";
import { Service, THROUGH_GATEWAY } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

// Returns the URL of a lead's details, with the key in its fragment.
const deepLink = (service, id) => {
  const { origin, hash } = new URL(service.url);
  return `${origin}/leads?lead=${encodeURIComponent(id)}${hash}`;
};

test("a click on a row opens its details, Close and Escape close them", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  const name = await nameOf(service, ids[2]);
  await click(leads, ids[2]);
  await pane.shows(name);
  assert.equal(pane.openId(), ids[2]);
  const parts = pane.section("Fit").getByRole("list", { name: "Points for each part" }).getByRole("listitem");
  assert.deepEqual(
    (await parts.allInnerTexts()).map((part) => part.replace(/ \d+\/\d+$/, "")),
    ["Industry", "Size", "Title", "Location", "Intent"],
  );
  const headings = await pane.panel.locator("h3").allInnerTexts();
  assert.ok(headings.indexOf("Why now") === 0, "why now comes first");
  assert.ok(headings.indexOf("Fit") < headings.indexOf("Experience"));

  await pane.button("Close").click();
  await pane.closed();
  await expectEventually("the address of the list", () => pane.openId() === null);

  await leads.row(ids[1]).getByText(await nameOf(service, ids[1]), { exact: true }).click();
  await pane.shows(await nameOf(service, ids[1]));
  await page.keyboard.press("Escape");
  await pane.closed();

  // Controls inside a row do not open its details.
  await leads.row(ids[0]).getByRole("checkbox").click();
  await leads.decide(leads.row(ids[0]), "Approve");
  await leads.waitForStatus(ids[0], "approved");
  assert.equal(await pane.panel.count(), 0);
});

test("when opened by keyboard, the details get the focus and return it", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  const hasFocus = (node) => node === document.activeElement;
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await pane.shows(await nameOf(service, ids[1]));
  await expectEventually("the focus on the heading", () => pane.heading.evaluate(hasFocus));
  await page.keyboard.press("Escape");
  await pane.closed();
  await expectEventually("the focus on the list", () => leads.grid.evaluate(hasFocus));

  // When opened by pointer, the focus stays in the list.
  await click(leads, ids[3]);
  await pane.shows(await nameOf(service, ids[3]));
  assert.equal(await pane.panel.evaluate((node) => node.contains(document.activeElement)), false);
  await page.keyboard.press("Escape");
  await pane.closed();
});

test("the details follow the cursor, and keys decide the lead shown", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  await click(leads, ids[0]);
  await pane.shows(await nameOf(service, ids[0]));
  await page.keyboard.press("j");
  await pane.shows(await nameOf(service, ids[1]));
  await page.keyboard.press("a");
  await leads.waitForStatus(ids[1], "approved");
  await pane.shows(await nameOf(service, ids[2]));

  // Also with the focus in the details.
  await page.keyboard.press("Enter");
  await pane.heading.focus();
  await page.keyboard.press("r");
  await leads.waitForStatus(ids[2], "rejected");
  await pane.shows(await nameOf(service, ids[3]));
  assert.equal(pane.openId(), ids[3]);
  await page.goBack();
  await pane.closed();
  assert.equal(await leads.row(ids[0]).getAttribute("data-status"), "pending_approval");
});

test("Skip moves to the next undecided lead and decides nothing", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await leads.waitForStatus(ids[1], "approved");
  await click(leads, ids[0]);
  await pane.shows(await nameOf(service, ids[0]));
  const place = await pane.button("Approve").boundingBox();
  await pane.button("Skip").click();
  await pane.shows(await nameOf(service, ids[2]));
  assert.deepEqual(await pane.button("Approve").boundingBox(), place, "the buttons stay in place");
  assert.equal(await leads.row(ids[0]).getAttribute("data-status"), "pending_approval");
});

test("Previous and Next move through the list, and Back first closes the details", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  const list = page.url();
  await leads.tab("All").click();
  await leads.settled();
  const all = await leads.ids();
  await click(leads, all[0]);
  await pane.shows(await nameOf(service, all[0]));
  assert.equal(await pane.button("Previous lead").getAttribute("aria-disabled"), "true");
  for (const id of [all[1], all[2]]) {
    await pane.button("Next lead").click();
    await pane.shows(await nameOf(service, id));
    assert.equal(pane.openId(), id);
  }
  await pane.button("Previous lead").click();
  await pane.shows(await nameOf(service, all[1]));
  await pane.panel.getByText("2 of 120", { exact: true }).waitFor();

  await page.goBack();
  await pane.closed();
  assert.equal(await leads.tab("All").getAttribute("aria-selected"), "true");
  await page.goForward();
  await pane.shows(await nameOf(service, all[1]));
  await page.goBack();
  await pane.closed();
  await page.goBack();
  await expectEventually("the previous tab", async () => page.url() === list);
  assert.ok(ids.length > 0);
});

test("closing goes back in the history, and opening a lead right after it works", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  const list = page.url();
  const depth = () => page.evaluate(() => history.length);
  await click(leads, ids[0]);
  await pane.shows(await nameOf(service, ids[0]));
  const once = await depth();
  for (const id of ids.slice(1, 5)) {
    await pane.button("Close").click();
    await pane.closed();
    await expectEventually("the history entry of the list", () =>
      page.evaluate(() => history.state !== "over"),
    );
    assert.equal(page.url(), list);
    await click(leads, id);
    await pane.shows(await nameOf(service, id));
  }
  assert.equal(await depth(), once, "the history does not grow");

  // Closes the details and opens another lead before the browser has navigated back.
  await page.evaluate((id) => {
    document.querySelector(".details-pane .close").click();
    document.querySelector(`[data-lead-id="${id}"] .sub`).click();
  }, ids[5]);
  await pane.shows(await nameOf(service, ids[5]));
  await expectEventually("the URL of the other lead", () => pane.openId() === ids[5]);
  await page.goBack();
  await pane.closed();
  assert.equal(page.url(), list);
});

test("a deep link opens a lead that is not in the list", async (t) => {
  const service = await Service.start(t, { demo: 120 });
  const filters = [{ field: "approval_status", operator: "eq", value: "approved" }];
  const { body } = await service.call("POST", "/api/leads/query", { filters });
  const [{ lead_id: id, name }] = body.data;
  const page = await openPage(t);
  const pane = new DetailsPane(page);
  await page.goto(deepLink(service, id));
  await pane.shows(name);
  const leads = new LeadsPage(page);
  await leads.settled();
  assert.equal(await leads.row(id).count(), 0, "the list shows pending leads");
  await pane.status("Approved").waitFor();

  // It can still be decided, also by keys, and no other lead is affected.
  await pane.heading.focus();
  await page.keyboard.press("f");
  await pane.status("Filtered").waitFor();
  await pane.button("Reject").click();
  await pane.status("Rejected").waitFor();
  await expectEventually("the decision in the service", async () => {
    const lead = await service.call("GET", `/api/leads/${id}`);
    return lead.body.approval_status === "rejected";
  });
  await pane.button("Close").click();
  await pane.closed();
  assert.equal(pane.openId(), null);
  await leads.settled();
});

test("row and details show each other's decisions", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  const id = ids[1];
  await click(leads, id);
  await pane.shows(await nameOf(service, id));
  await pane.button("Approve").click();
  await leads.waitForStatus(id, "approved");
  await pane.status("Approved").waitFor();
  assert.equal(await pane.button("Approve").getAttribute("aria-disabled"), "true");

  // The row has no buttons beside the details.
  await page.keyboard.press("Escape");
  await pane.panel.waitFor({ state: "detached" });
  await leads.decide(leads.row(id), "Reject");
  await click(leads, id);
  await pane.status("Rejected").waitFor();

  await pane.button("More").click();
  await pane.button("Filter out").click();
  await leads.waitForStatus(id, "filtered");
  assert.equal(await pane.button("Filter out").count(), 0, "the menu is closed");
  await pane.button("More").click();
  await pane.button("Move back to pending").click();
  await leads.waitForStatus(id, "pending_approval");
  await expectEventually("the decision in the service", async () => {
    const lead = await service.call("GET", `/api/leads/${id}`);
    return lead.body.approval_status === "pending_approval";
  });
});

test("a lead is deleted from its details after a confirmation", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  const name = await nameOf(service, ids[1]);
  await click(leads, ids[1]);
  await pane.shows(name);
  await pane.button("More").click();
  await pane.button("Delete").click();
  const dialog = page.getByRole("alertdialog", { name: `Delete ${name}?` });
  await dialog.getByRole("button", { name: "Delete" }).click();
  await leads.row(ids[1]).waitFor({ state: "detached" });
  await expectEventually("the lead to be deleted", async () =>
    (await service.call("GET", `/api/leads/${ids[1]}`)).status === 404,
  );
});

test("the details show that a decision failed", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t, { expected: [/422/] });
  const id = ids[0];
  const refuse = (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 422, json: { detail: [{ loc: ["body"], msg: "not now", type: "x" }] } })
      : route.fallback();
  await page.route("**/api/leads**", refuse);
  await click(leads, id);
  await pane.shows(await nameOf(service, id));
  await pane.button("Approve").click();
  const alert = pane.panel.getByRole("alert").filter({ hasText: "Not saved" });
  await alert.waitFor();
  await page.unroute("**/api/leads**", refuse);
  await alert.getByRole("button", { name: "Retry" }).click();
  await leads.waitForStatus(id, "approved");
  await alert.waitFor({ state: "detached" });
});

test("the link to a lead is copied", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await click(leads, ids[0]);
  await pane.shows(await nameOf(service, ids[0]));
  await pane.button("Copy link").click();
  await pane.panel.getByRole("status").filter({ hasText: "Link copied" }).waitFor();
  // The page itself may not read the clipboard.
  const search = page.locator("input[type=search]").first();
  await search.focus();
  await page.keyboard.press("ControlOrMeta+V");
  const copied = await search.inputValue();
  assert.equal(copied, `${new URL(service.url).origin}/leads?lead=${ids[0]}`);
  await page.goto(copied);
  await pane.shows(await nameOf(service, ids[0]));
});

test("the details of a deleted lead show a message", async (t) => {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t, { expected: [/404/] });
  const pane = new DetailsPane(page);
  // A gateway rejects ids with a slash.
  await page.goto(deepLink(service, THROUGH_GATEWAY ? "no such lead" : "no such/lead"));
  await pane.panel.getByText("This lead is gone").waitFor();
  assert.equal(await pane.button("Approve").count(), 0);
  await pane.button("Back to the list").click();
  await pane.closed();
  await new LeadsPage(page).settled();
});

test("a dialog asks for a new key if the key is no longer accepted", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t, { expected: [/401/] });
  await page.route(isDetail(ids[0]), (route) =>
    route.fulfill({ status: 401, json: { detail: "no such key" } }),
  );
  await click(leads, ids[0]);
  const dialog = page.getByRole("dialog", { name: "Workspace key" });
  await dialog.waitFor();
  await page.unroute(isDetail(ids[0]));
  await dialog.getByRole("textbox").or(dialog.locator("input")).first().fill(service.key);
  await dialog.getByRole("button", { name: "Use this key" }).click();
  await pane.shows(await nameOf(service, ids[0]));
});
