// Reviewing by keyboard: no decision is lost or duplicated. review-long.test.mjs has the lists of several pages.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { imported, isDecision, total } from "./support/review.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("fast key presses lose and duplicate nothing, and a held key decides once", async (t) => {
  const { service, page, leads } = await imported(t, 100);
  const sent = [];
  page.on("request", (request) => {
    if (isDecision(request)) sent.push(request.postDataJSON());
  });
  // The server takes longer to respond than the user to press the next key.
  await page.route("**/api/leads**", async (route) => {
    if (isDecision(route.request())) await new Promise((go) => setTimeout(go, 120));
    await route.fallback();
  });
  await leads.grid.focus();
  await page.keyboard.press("j");
  // As fast as the driver can.
  for (let n = 0; n < 30; n += 1) await page.keyboard.press("a");
  await allSaved(page);
  assert.equal(await total(service, "approved"), 30);
  const decisions = sent.reduce((sum, body) => sum + (body.lead_ids?.length ?? 1), 0);
  assert.equal(decisions, 30, "each decision is sent once");
  assert.ok(sent.length < 30, "some requests have several decisions");

  await page.keyboard.down("r");
  for (let n = 0; n < 20; n += 1) await page.keyboard.down("r");
  await page.keyboard.up("r");
  await allSaved(page);
  assert.equal(await total(service, "rejected"), 1);
});

test("undo and redo work across pages and views, with one step for many leads", async (t) => {
  const { service, page, leads } = await imported(t, 80);
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await page.keyboard.press("x");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await page.getByText("3 selected").waitFor();
  await page.keyboard.press("Shift+R");
  await page.getByText("Rejected 3 leads").waitFor();
  await expectEventually("three rejected leads", async () => (await total(service, "rejected")) === 3);

  await leads.tab("All").click();
  await leads.settled();
  await leads.grid.focus();
  await page.keyboard.press("u");
  await page.getByText("Undone: 3 leads restored").waitFor();
  await expectEventually("no rejected leads", async () => (await total(service, "rejected")) === 0);
  await page.keyboard.press("Control+z");
  await expectEventually("no approved leads", async () => (await total(service, "approved")) === 0);
  await page.keyboard.press("Control+Shift+Z");
  await expectEventually("one approved lead", async () => (await total(service, "approved")) === 1);
});

test("unsent decisions are sent after a reload and after a crash of the tab", async (t) => {
  const { service, page, leads } = await imported(t, 60);
  let hangs = true;
  await page.route("**/api/leads**", async (route) => {
    // Never responds, like a connection that hangs. To remove the route would let the requests through.
    if (!hangs || !isDecision(route.request())) await route.fallback();
  });
  await leads.grid.focus();
  await page.keyboard.press("j");
  for (let n = 0; n < 3; n += 1) await page.keyboard.press("a");
  await page.getByText("Saving 3 decisions").waitFor();
  hangs = false;
  await page.reload();
  await leads.settled();
  await expectEventually("all three decisions", async () => (await total(service, "approved")) === 3);
  await allSaved(page);

  hangs = true;
  await leads.grid.focus();
  await page.keyboard.press("j");
  for (let n = 0; n < 2; n += 1) await page.keyboard.press("r");
  await page.getByText("Saving 2 decisions").waitFor();
  const context = page.context();
  // The tab closes without any event; another tab of the same browser finds its stored decisions.
  const crashed = page.close({ runBeforeUnload: false });
  await crashed;
  const again = await context.newPage();
  await again.goto(service.url);
  await expectEventually("both decisions", async () => (await total(service, "rejected")) === 2);
});

test("an open tab sends the decisions of a tab that is closed", async (t) => {
  const { service, page, leads } = await imported(t, 60);
  await page.route("**/api/leads**", async (route) => {
    if (!isDecision(route.request())) await route.fallback();
  });
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("r");
  await page.getByText("Saving 1 decision").waitFor();
  // It looks for the decisions of closed tabs when it is opened, and finds none.
  const other = await page.context().newPage();
  await LeadsPage.open(other, service.url);
  await page.close({ runBeforeUnload: false });
  await expectEventually("the decision", async () => (await total(service, "rejected")) === 1);
});

test("a late read never overwrites a decision", async (t) => {
  const { page, leads } = await imported(t, 60);
  let held;
  await page.route("**/api/leads/query", async (route) => {
    if (held) return route.fallback();
    const response = await route.fetch();
    held = () => route.fulfill({ response });
    return undefined;
  });
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectEventually("the delayed read", () => Boolean(held));
  const [id] = await leads.ids();
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("a");
  await allSaved(page);
  await held();
  await leads.settled();
  await page.waitForTimeout(100);
  const row = leads.row(id);
  if ((await row.count()) > 0) assert.equal(await row.getAttribute("data-status"), "approved");
});
