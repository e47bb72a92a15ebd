// The content of lead details: complete, escaped, in sections, on all screen sizes, accessible.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { PHONE, closeBrowser } from "./support/browser.mjs";
import { answerLead, click, nameOf, stage, wholeLead } from "./support/details-pane.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("all data is shown, and markup in it is escaped", async (t) => {
  const { page, leads, pane, ids } = await stage(t);
  const lead = wholeLead(ids[0]);
  await answerLead(page, ids[0], lead);
  await click(leads, ids[0]);
  await pane.shows(lead.name);

  // Opens every collapsed section.
  await expectEventually("all sections to be open", async () => {
    const shut = pane.panel.locator("details:not([open]) > summary");
    if ((await shut.count()) > 0) await shut.first().click();
    return (await shut.count()) === 0;
  });
  await pane.button("Show all").click();
  const text = await pane.panel.innerText();
  const shown = [
    "VP Operations, Halvorsen Marine", "Ports, mostly", "Paid profile",
    "Intent, 6 points missing: job change 3 weeks ago", "Nordic operators", "3 days ago",
    "1 other score", "Q4 targets", "Said otherwise.",
    "Head of Operations", "Maritime logistics", "201-500 people, founded 1987", "Bergen, Norway",
    "Oslo, Norway", "1,812 connections · 64 followers", "chat-6", "No reply yet", "Port automation, by Bo Sender",
    "Six open roles", "Started as VP Operations", "An odd one", "Open roles", "signal-4", "run-4", "sign-1",
    "Port automation", "Active", "In progress", "Connected", "No reply", "by Bo Sender",
    "Active", "Every post", "3 Mar 2025",
    "ada@example.com", "https://ada.example/", "javascript:globalThis.hurt=1", "4 Mar 2025", "the end of it",
    "Forecasting, Berth planning", "since 2021", "We move ships", "The last of them.",
    "provider-77", "account-5", "halvorsen-marine", "list-1", "item-1", "campaign-3", "place-9", "tracker-8",
  ];
  for (const part of shown) assert.ok(text.includes(part), `${part} is shown`);
  assert.ok(text.indexOf("Started as VP Operations") < text.indexOf("Six open roles"), "newest first");
  assert.equal(text.split("Bergen, Norway").length, 2, "the location is shown once");
  for (const grade of ["Tier A, 91 of 100", "Tier D, 44 of 100"]) {
    await pane.panel.getByRole("img", { name: grade, exact: true }).waitFor();
  }

  // Parts with all their points have no words, until the user wants them.
  const industry = pane.section("Fit").getByText("is a target industry");
  assert.equal(await industry.isVisible(), false);
  await pane.button("All reasons").click();
  await industry.waitFor();
  const lines = await pane.section("Fit").locator(".reasons").first().getByRole("listitem").allInnerTexts();
  assert.deepEqual(lines.map((line) => /^\w+/.exec(line)[0]), ["Industry", "Intent"]);

  assert.equal(await page.evaluate(() => globalThis.hurt), undefined);
  assert.equal(await pane.panel.locator("img[src='x'], img[src^='javascript'], img[src^='data']").count(), 0);
  const links = await pane.panel.locator("a").evaluateAll((links) =>
    links.map(({ href, rel, target }) => ({ href, rel, target })),
  );
  assert.ok(links.length >= 4);
  const { origin } = new URL(page.url());
  for (const { href, rel, target } of links) {
    assert.match(href, /^https?:\/\//);
    const away = new URL(href).origin !== origin;
    assert.deepEqual([rel, target], away ? ["noopener noreferrer", "_blank"] : ["", ""]);
  }
  const sideways = await pane.panel.locator(".middle").evaluate((node) => node.scrollWidth - node.clientWidth);
  assert.equal(sideways, 0, "nothing scrolls sideways");
});

test("large amounts of data are shown in steps", async (t) => {
  const { page, leads, pane, ids } = await stage(t);
  const lead = wholeLead(ids[0]);
  lead.name = "Ada Novak";
  lead.custom_data = { wide: Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key_${n}`, n])) };
  lead.intents = Array.from({ length: 500 }, (_, n) => ({ event_type: `sign_${n}` }));
  lead.list_scores = Array.from({ length: 300 }, (_, n) => ({ list_name: `List ${n}`, icp_score: n % 100 }));
  await answerLead(page, ids[0], lead);
  await click(leads, ids[0]);
  await pane.shows("Ada Novak");
  assert.ok((await pane.panel.locator("*").count()) < 1_000);
  await pane.expand(/^More: /);
  const custom = pane.section("Custom data");
  await custom.locator("summary").first().click();
  await custom.getByText("Key 39", { exact: true }).waitFor();
  assert.equal(await custom.getByText("Key 40", { exact: true }).count(), 0);
  await custom.getByRole("button", { name: "Show more (4,960)" }).click();
  await custom.getByText("Key 79", { exact: true }).waitFor();

  // The next lead shows more, too.
  await page.keyboard.press("Escape");
  await click(leads, ids[0]);
  await pane.button("Next lead").click();
  await pane.expand(/^More: /);
  await pane.button("Next lead").click();
  await pane.section("Ids").waitFor();
});

test("the first sections are painted before the list gets narrower", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t);
  await page.evaluate(() => {
    const held = [];
    const original = globalThis.requestIdleCallback;
    globalThis.requestIdleCallback = (callback) => held.push(callback);
    globalThis.release = () => {
      globalThis.requestIdleCallback = original;
      for (const callback of held) callback();
    };
  });
  const { width } = await leads.grid.boundingBox();
  await click(leads, ids[0]);
  await pane.shows(await nameOf(service, ids[0]));
  await pane.section("Fit").waitFor();
  const panel = await pane.panel.boundingBox();
  const grid = await leads.grid.boundingBox();
  assert.equal(grid.width, width, "the list keeps its width");
  assert.ok(panel.x < grid.x + grid.width && panel.x + panel.width === grid.x + width, "the pane lies over the list");
  assert.equal(await pane.section("Company").count(), 0);

  await page.evaluate(() => globalThis.release());
  await pane.section("Company").waitFor();
  await expectEventually("the list next to the pane", async () => {
    const [panel, grid] = [await pane.panel.boundingBox(), await leads.grid.boundingBox()];
    return grid.x + grid.width <= panel.x;
  });
});

test("on a phone the details fill the screen, and Back closes them", async (t) => {
  const { service, page, leads, pane, ids } = await stage(t, { viewport: PHONE, hasTouch: true });
  const name = await nameOf(service, ids[0]);
  await leads.row(ids[0]).getByText(name).first().tap();
  await pane.shows(name);
  const box = await pane.panel.boundingBox();
  assert.deepEqual([box.x, box.y, box.width, box.height], [0, 0, PHONE.width, PHONE.height]);
  assert.equal(await leads.tab("All").isVisible(), false, "nothing behind it can be reached");
  const approve = await pane.button("Approve").boundingBox();
  assert.ok(approve.height >= 48 && approve.y + approve.height <= PHONE.height);
  await pane.button("Back").click();
  await pane.closed();
  await leads.row(ids[0]).getByText(name).first().waitFor();
});

test("on a tablet the details cover part of the list", async (t) => {
  const { service, leads, pane, ids } = await stage(t, { viewport: { width: 900, height: 700 } });
  await click(leads, ids[0]);
  await pane.shows(await nameOf(service, ids[0]));
  const [panel, grid] = [await pane.panel.boundingBox(), await leads.grid.boundingBox()];
  assert.equal(panel.x + panel.width, 900);
  assert.equal(grid.width, 900, "the list keeps its width");
});

test("the decision buttons show the user's keys", async (t) => {
  const { page, leads, ids } = await stage(t, { keys: "approve=Shift+Y\nreject=\n" });
  await click(leads, ids[0]);
  const bar = page.getByRole("group", { name: /^Decision on/ });
  const keys = (name) => bar.getByRole("button", { name, exact: true }).locator("kbd").allInnerTexts();
  await expectEventually("the keys", async () => (await keys("Approve")).length === 2);
  assert.deepEqual(await keys("Approve"), ["Shift", "Y"]);
  assert.deepEqual(await keys("Reject"), []);
  assert.deepEqual(await keys("Skip"), ["n"]);
});
