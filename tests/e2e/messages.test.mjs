// Of a list of messages, as long as the server makes it, the page shows the first that differ and how many more there
// are, and copies them all.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const MANY = 10_000;

// A refusal with many entries.
const refusal = {
  status: 422,
  json: {
    detail: Array.from({ length: MANY }, (_, index) => ({ loc: ["body"], msg: `no value ${index}`, type: "x" })),
  },
};

async function opened(t) {
  const service = await Service.start(t, { demo: 50 });
  const page = await openPage(t, { expected: [/422/] });
  await page.addInitScript(() => {
    navigator.clipboard.writeText = async (text) => {
      globalThis.copied = text;
    };
  });
  return { service, page };
}

async function copiesAll(page, place) {
  await page.evaluate(() => {
    globalThis.copied = undefined;
  });
  await place.getByRole("button", { name: "Copy all messages" }).click();
  const copied = await expectEventually("the copy", () => page.evaluate(() => globalThis.copied));
  const lines = copied.split("\n");
  assert.deepEqual([lines.length, lines.at(-1)], [MANY, `no value ${MANY - 1}`]);
}

async function showsFive(place) {
  await place.getByText("no value 4, and 9,995 more").waitFor();
  const text = await place.innerText();
  for (const index of [0, 1, 2, 3]) assert.ok(text.includes(`no value ${index}`), text);
  assert.doesNotMatch(text, /no value 5/);
}

test("a refused list", async (t) => {
  const { service, page } = await opened(t);
  await page.route("**/api/leads/query", (route) => route.fulfill(refusal));
  await page.goto(service.url);
  const state = page.getByRole("alert").filter({ hasText: "no value 0" });
  await showsFive(state);
  await copiesAll(page, state);
  await page.getByRole("status").getByText("Messages copied").waitFor();
});

test("a list that is refused after it was shown", async (t) => {
  const { service, page } = await opened(t);
  const leads = await LeadsPage.open(page, service.url);
  await page.route("**/api/leads/query", (route) => route.fulfill(refusal));
  await leads.header("Name").getByRole("button").first().click();
  const banner = page.getByRole("alert").filter({ hasText: "no value 0" });
  await showsFive(banner);
  await copiesAll(page, banner);
});

test("a toast", async (t) => {
  const { service, page } = await opened(t);
  await page.clock.install();
  const leads = await LeadsPage.open(page, service.url);
  await page.route("**/api/leads/*", (route) =>
    route.request().method() === "DELETE" ? route.fulfill(refusal) : route.fallback());
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Delete");
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete" }).click();
  await page.clock.runFor(6_000);
  const toast = page.getByRole("status").filter({ hasText: "was not deleted" });
  await showsFive(toast);
  await copiesAll(page, toast);
});

test("the reason of a decision that was not saved", async (t) => {
  const { service, page } = await opened(t);
  const leads = await LeadsPage.open(page, service.url);
  await page.route("**/api/leads/*", (route) =>
    route.request().method() === "PATCH" ? route.fulfill(refusal) : route.fallback());
  await leads.decide(leads.rows.first(), "Approve");
  await page.getByText("no value 4, and 9,995 more").first().waitFor();
  assert.equal(await page.getByText("no value 5").count(), 0);
});
