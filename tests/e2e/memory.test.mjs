// Using the list does not leak memory: the Wasm memory and the JavaScript heap do not grow.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { expectFlat, watchMemory } from "./support/memory.mjs";
import { Service } from "./support/service.mjs";
import { allSaved } from "./support/wait.mjs";

after(closeBrowser);

const LEADS = 4_000;

async function open(t) {
  const service = await Service.start(t, { demo: LEADS });
  const page = await openPage(t);
  await watchMemory(page);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  return { page, leads };
}

test("2,000 page changes", async (t) => {
  const { page, leads } = await open(t);
  // Jumps between 40 scroll positions, so that every row changes each time.
  const jump = (times) =>
    leads.grid.evaluate(async (grid, times) => {
      const shown = () => grid.querySelector(".rows > [data-lead-id]")?.getAttribute("aria-rowindex");
      const places = 40;
      for (let count = 0; count < times; count += 1) {
        const before = shown();
        grid.scrollTop = (grid.scrollHeight / (places + 2)) * (((count * 7) % places) + 1);
        while (shown() === before) await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    }, times);
  const changes = async (times) => {
    await jump(times);
    await leads.settled();
  };
  // The allocator needs a few thousand changes until it has room for every order of responses. A leak of one row per
  // change would exceed this limit.
  await expectFlat(t, page, () => changes(1_200), () => changes(2_000), 1024 << 10);
});

test("1,000 decisions", async (t) => {
  const { page, leads } = await open(t);
  const ids = (await leads.ids()).slice(0, 20);
  await leads.grid.focus();
  const decide = async (times) => {
    for (let count = 0; count < times; count += 1) {
      const at = count % ids.length;
      const key = Math.floor(count / ids.length) % 2 === 0 ? "a" : "r";
      if (at === 0) await page.keyboard.press("Control+Home");
      await page.keyboard.press(key);
      await leads.waitForStatus(ids[at], key === "a" ? "approved" : "rejected");
    }
    await allSaved(page);
  };
  await expectFlat(t, page, () => decide(120), () => decide(1_000));
});
