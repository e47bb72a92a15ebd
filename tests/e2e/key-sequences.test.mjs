// Keys that are pressed one after the other, such as g and then a, and the hint while the next one is awaited.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { colorViolations, violations } from "./support/axe.mjs";
import { DESKTOP, PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { gone, help } from "./support/commands.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const hint = (page) => page.locator(".key-hint");
const keyOf = (page, command) => help(page).getByRole("button", { name: new RegExp(`^${command}: (?!add)`) });

// Opens the leads. Without `ends`, the wait for the next key is never ended by a pause, so that no test depends on the
// speed of the machine.
async function open(t, { ends = false, viewport = DESKTOP, keys } = {}) {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { viewport, keys });
  if (!ends) {
    await page.addInitScript(() => {
      const start = globalThis.setTimeout;
      globalThis.setTimeout = (run, delay, ...rest) => (delay === 2000 ? 0 : start(run, delay, ...rest));
    });
  }
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

test("g and then a letter opens a page", async (t) => {
  const { page, leads } = await open(t);
  for (const [key, path] of [
    ["a", "/accounts"],
    ["p", "/portfolio"],
    ["s", "/settings"],
    ["l", "/leads"],
  ]) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await page.waitForURL((url) => url.pathname === path);
    await gone(hint(page));
  }
  await leads.settled();
  assert.equal(await leads.grid.locator('[data-phase]:not([data-phase="idle"])').count(), 0, "nothing was decided");
});

test("a hint lists what can follow, also for screen readers", async (t) => {
  const { page } = await open(t);
  // The live region must exist before it gets text, or screen readers ignore it.
  const region = page.locator(".key-hints[role=status]");
  await region.waitFor({ state: "attached" });
  assert.equal(await region.innerText(), "");
  await page.keyboard.press("g");
  await hint(page).waitFor();
  const lines = () => hint(page).getByRole("listitem").allInnerTexts();
  const flat = (texts) => texts.map((text) => text.replaceAll(/\s+/g, " ").trim());
  const shown = flat(await lines());
  for (const line of ["a Go to accounts", "p Go to portfolio", "s Go to settings"]) assert.ok(shown.includes(line), line);
  assert.ok(!shown.some((line) => line.includes("Go to leads")), "the page that is open");
  assert.match(flat([await region.innerText()])[0], /^g then a Go to accounts/);
});

test("Escape, another key or a pause ends the wait, and the key does nothing else", async (t) => {
  const { page, leads } = await open(t);
  const [first] = await leads.ids();
  await leads.grid.focus();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  const details = page.getByRole("complementary", { name: "Lead details" });
  await details.getByRole("heading", { level: 2 }).waitFor();
  const waits = async () => {
    await page.keyboard.press("g");
    await hint(page).waitFor();
  };
  await waits();
  await page.keyboard.press("Escape");
  await gone(hint(page));
  assert.equal(await details.count(), 1, "the details stay open");
  await waits();
  // A modifier alone and the repeats of the key do not end it.
  await page.keyboard.press("Shift");
  await page.keyboard.down("g");
  await page.keyboard.down("g");
  await page.keyboard.up("g");
  await gone(hint(page));
  await waits();
  await page.keyboard.press("r");
  await gone(hint(page));
  await waits();
  await page.keyboard.press("ArrowDown");
  await gone(hint(page));
  await page.keyboard.press("ArrowUp");
  assert.equal(await leads.row(first).getAttribute("data-status"), "pending_approval", "r rejected nothing");
  await page.keyboard.press("r");
  await leads.waitForStatus(first, "rejected");
});

test("after a pause the next key has its own meaning", async (t) => {
  const { page, leads } = await open(t, { ends: true });
  await leads.grid.focus();
  await page.keyboard.press("g");
  await hint(page).waitFor();
  await gone(hint(page));
  await page.keyboard.press("/");
  await expectEventually("the search", () => leads.search.evaluate((input) => input === document.activeElement));
  assert.equal(new URL(page.url()).pathname, "/leads");
});

test("a key that begins a sequence is taken over only after confirmation, and reset", async (t) => {
  const { page } = await open(t);
  await page.keyboard.press("?");
  const accounts = keyOf(page, "Go to accounts");
  assert.equal(await accounts.getAttribute("aria-label"), "Go to accounts: g then a. Change the key");
  await keyOf(page, "Select all leads of the company").click();
  await page.keyboard.press("g");
  await help(page).getByText(/^g is already used for “Go to leads”, .*“Go to accounts”.* and “Go to settings”\. Press it again/).waitFor();
  assert.equal(await accounts.count(), 1, "nothing has changed");
  await page.keyboard.press("g");
  await help(page).getByText("“Select all leads of the company” is now g.").waitFor();
  await gone(accounts);

  await help(page).getByRole("button", { name: "Reset to defaults" }).click();
  await accounts.waitFor();
  // A sequence is replaced by a single key.
  await accounts.click();
  await page.keyboard.press("y");
  await help(page).getByText("“Go to accounts” is now y.").waitFor();
  await page.keyboard.press("Escape");
  await gone(help(page));
  await page.keyboard.press("g");
  await hint(page).waitFor();
  assert.equal(await hint(page).getByText("Go to accounts").count(), 0);
  await page.keyboard.press("Escape");
  await page.keyboard.press("y");
  await page.waitForURL(/\/accounts/);
});

for (const [name, viewport] of [["desktop", DESKTOP], ["phone", PHONE]]) {
  test(`the hint is accessible and within the page on a ${name}`, async (t) => {
    const { page } = await open(t, { viewport });
    await page.keyboard.press("g");
    await hint(page).waitFor();
    const box = await hint(page).boundingBox();
    assert.ok(box.x >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height);
    assert.deepEqual(await violations(page), []);
    // The elements are the same in every scheme.
    for (const media of [{ colorScheme: "dark" }, { forcedColors: "active" }]) {
      await page.emulateMedia(media);
      assert.deepEqual(await colorViolations(page, new Set()), []);
    }
  });
}
