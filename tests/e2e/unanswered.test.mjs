// An unreachable server while the user decides: decisions are sent automatically once it is back, and the footer says
// so, with the one button that helps.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { total } from "./support/review.mjs";
import { Service } from "./support/service.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const AWAY = [/ERR_CONNECTION/, /ERR_FAILED/, /409/];

async function opened(t) {
  const service = await Service.start(t, { demo: 80 });
  const page = await openPage(t, { expected: AWAY });
  await page.clock.install();
  const leads = await LeadsPage.open(page, service.url);
  return { page, leads, approved: () => total(service, "approved") };
}

async function decide(page, leads, keys) {
  await leads.grid.focus();
  await page.keyboard.press("j");
  for (const key of keys) await page.keyboard.press(key);
}

// Decides while the server cannot be reached, until the footer says so. From here on, only the test moves the clock.
async function decideUnanswered(page, leads, keys, text) {
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
  await decide(page, leads, keys);
  await expectEventually(text, async () => {
    await idle(page);
    return (await footer(page).getByText(text).count()) > 0;
  });
  await page.unroute("**/api/**");
}

// Lets idle callbacks run, which send decisions.
async function idle(page) {
  await page.clock.runFor(50);
}

// Expects the decisions to be saved before the shortest backoff, 2 s, is over.
async function expectSaved(page, approved, count) {
  let turns = 0;
  await expectEventually(`${count} approved leads`, async () => {
    if (turns < 30) await idle(page);
    turns += 1;
    return (await approved()) === count;
  });
}

const footer = (page) => page.locator("footer");
const phase = (row) => row.getAttribute("data-phase");

test("any response of the server triggers unsent decisions before their backoff ends", async (t) => {
  const { page, leads, approved } = await opened(t);
  const before = await approved();
  await decideUnanswered(page, leads, "a", "1 decision not saved yet");
  assert.equal(await approved(), before);
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectSaved(page, approved, before + 1);
});

test("unsent decisions are sent when the page becomes visible again", async (t) => {
  const { page, leads, approved } = await opened(t);
  const before = await approved();
  await decideUnanswered(page, leads, "a", "1 decision not saved yet");
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expectSaved(page, approved, before + 1);
});

test("Retry now sends unconfirmed decisions before their backoff ends", async (t) => {
  const { page, leads, approved } = await opened(t);
  const before = await approved();
  await decideUnanswered(page, leads, "aa", "2 decisions not saved yet");
  await footer(page).getByRole("button", { name: "Retry now" }).click();
  assert.ok(await leads.grid.evaluate((grid) => grid === document.activeElement), "the list has the focus");
  await expectSaved(page, approved, before + 2);
});

test("unconfirmed decisions are undone at once, and on the server once it is back", async (t) => {
  const { page, leads, approved } = await opened(t);
  const before = await approved();
  await page.route("**/api/**", (route) => route.abort("connectionrefused"));
  const ids = (await leads.ids()).slice(0, 2);
  await decide(page, leads, "aa");
  await footer(page).getByText("2 decisions not saved yet").waitFor();
  await page.keyboard.press("u");
  await page.keyboard.press("u");
  for (const id of ids) await leads.waitForStatus(id, "pending_approval");
  await page.unroute("**/api/**");
  await expectEventually("the row to be idle", async () => (await phase(leads.row(ids[0]))) === "idle");
  await allSaved(page);
  assert.equal(await approved(), before);
});

test("the footer counts refused decisions, and shows the way to send them again", async (t) => {
  const { page, leads, approved } = await opened(t);
  const before = await approved();
  const refuse = async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    await route.fulfill({ status: 409, contentType: "application/json", body: '{"detail": "not now"}' });
  };
  await page.route("**/api/leads**", refuse);
  await page.route("**/api/leads/*", refuse);
  await decide(page, leads, "aaa");
  await footer(page).getByText("3 decisions weren't accepted").waitFor();
  const row = leads.rows.first();
  await row.locator("[data-column=status][data-mark=failed]").getByText(/^Not saved/).waitFor();
  assert.equal(await row.getAttribute("data-status"), "pending_approval");
  await page.unrouteAll();
  await row.getByRole("button", { name: "Retry" }).click();
  await footer(page).getByText("2 decisions weren't accepted").waitFor();
  await footer(page).getByRole("button", { name: "Show them" }).click();
  const retry = page.getByRole("dialog", { name: "Recent decisions" }).getByRole("button", { name: /^Retry/ });
  await retry.first().click();
  await retry.first().click();
  await page.keyboard.press("Escape");
  await allSaved(page);
  assert.equal(await approved(), before + 3);
});
