// Lead details that are still loading, late, or cannot be loaded.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "./support/browser.mjs";
import { click, isDetail, nameOf, stage } from "./support/details-pane.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("a slow response never replaces a newer one", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(isDetail(ids[0]), async (route) => {
    await held;
    // The page may have aborted the request.
    await route.continue().catch(() => {});
  });
  await click(leads, ids[0]);
  await pane.heading.filter({ hasText: await nameOf(service, ids[0]) }).waitFor();
  await click(leads, ids[1]);
  const name = await nameOf(service, ids[1]);
  await pane.shows(name);
  release();
  await page.waitForTimeout(300);
  assert.equal(await pane.heading.innerText(), name);
});

test("until the details are loaded, the data of the list stand in for them and can be decided", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  await click(leads, ids[0]);
  await pane.shows(await nameOf(service, ids[0]));
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(isDetail(ids[1]), async (route) => {
    await held;
    await route.continue();
  });
  await pane.button("Next lead").click();
  const { body: lead } = await service.call("GET", `/api/leads/${encodeURIComponent(ids[1])}`);
  await pane.heading.filter({ hasText: lead.name }).waitFor();
  assert.equal(await pane.panel.getAttribute("aria-busy"), "true");
  const text = await pane.panel.innerText();
  const score = Math.round(Math.max(...lead.list_scores.map((one) => one.icp_score)));
  for (const shown of [lead.current_account.name, `${score}`, "Why now", "Pending"]) {
    assert.ok(text.includes(shown), `${shown} in ${text}`);
  }
  assert.equal(await pane.panel.getByText("More: ", { exact: false }).count(), 0, "no sections that are not loaded");
  const places = () => Promise.all([pane.heading, pane.section("Why now")].map(async (part) => (await part.boundingBox()).y));
  const before = await places();
  await pane.button("Approve").click();
  await pane.status("Approved").waitFor();
  release();
  await pane.shows(lead.name);
  await pane.status("Approved").waitFor();
  assert.deepEqual(await places(), before, "the header does not move when the details arrive");
  assert.equal(await leads.row(ids[0]).getAttribute("data-status"), "pending_approval");

  // Details that were loaded before show at once, even while a new response is pending.
  await page.route(isDetail(ids[0]), () => {});
  await pane.button("Previous lead").click();
  await pane.heading.filter({ hasText: await nameOf(service, ids[0]) }).waitFor();
});

test("nothing can be decided while a lead loads that is not in the list", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  // A lead with a colleague that a search for its name does not find.
  const find = async () => {
    for (const id of ids) {
      const { body: lead } = await service.call("GET", `/api/leads/${encodeURIComponent(id)}`);
      const account = lead.current_account.account_id;
      const { body } = await service.call("GET", `/api/accounts/${encodeURIComponent(account)}`);
      const other = body.leads.find((other) => other.lead_id !== id && !other.name.includes(lead.name));
      if (other) return { lead, other };
    }
    throw new Error("no lead has a colleague");
  };
  const { lead, other } = await find();
  await leads.search.fill(lead.name);
  await expectEventually("only that lead", async () => (await leads.rows.count()) === 1);
  await click(leads, lead.id);
  await pane.shows(lead.name);
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await page.route(isDetail(other.lead_id), async (route) => {
    await held;
    await route.continue();
  });
  await pane.panel.locator(".colleagues").getByText(other.name, { exact: true }).click();
  await expectEventually("the details to be busy", async () => (await pane.panel.getAttribute("aria-busy")) === "true");
  assert.equal(await pane.heading.innerText(), lead.name, "the old details stay");
  assert.equal(await pane.button("Approve").getAttribute("aria-disabled"), "true");
  await pane.button("Approve").click({ force: true });
  release();
  await pane.shows(other.name);
  assert.equal(await leads.row(lead.id).getAttribute("data-status"), "pending_approval");
});

test("a broken connection shows an error, and Retry loads the details", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t, {
    expected: [/net::ERR_FAILED/, /Failed to fetch/],
  });
  await page.route(isDetail(ids[0]), (route) => route.abort());
  await click(leads, ids[0]);
  const retry = pane.button("Retry");
  await retry.waitFor();
  await page.unroute(isDetail(ids[0]));
  await retry.click();
  await pane.shows(await nameOf(service, ids[0]));
  assert.equal(await retry.count(), 0);
});
