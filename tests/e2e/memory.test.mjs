// Using the list does not leak memory: the Wasm memory and the JavaScript heap do not grow.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { expectFlat, watchMemory } from "./support/memory.mjs";
import { Service } from "./support/service.mjs";
import { allSaved } from "./support/wait.mjs";

after(closeBrowser);

async function open(t, demo) {
  const service = await Service.start(t, { demo });
  const page = await openPage(t);
  await watchMemory(page);
  const leads = await LeadsPage.open(page, service.url);
  await leads.showAll();
  return { page, leads };
}

test("500 page changes", async (t) => {
  const { page, leads } = await open(t, 4_000);
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
  // The allocator needs a few thousand changes until it has room for every order of responses. A leak of two rows per
  // change would exceed this limit.
  await expectFlat(t, page, () => changes(300), () => changes(500), { wasm: 512 << 10, heap: 256 << 10 });
});

test("200 decisions", async (t) => {
  const { page, leads } = await open(t, 300);
  const ids = (await leads.ids()).slice(0, 20);
  await leads.grid.focus();
  // Waits for each decision before the next one, so that each is a request of its own. In one call: most of the time of
  // hundreds would be Playwright's.
  const decide = async (times) => {
    await leads.grid.evaluate(async (grid, [times, ids]) => {
      const press = (key, ctrlKey = false) => {
        const options = { key, code: key, ctrlKey, bubbles: true, cancelable: true, composed: true };
        grid.dispatchEvent(new KeyboardEvent("keydown", options));
      };
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      for (let count = 0; count < times; count += 1) {
        const at = count % ids.length;
        const isApproval = Math.floor(count / ids.length) % 2 === 0;
        if (at === 0) press("Home", true);
        press(isApproval ? "a" : "r");
        const status = isApproval ? "approved" : "rejected";
        // Some leads had this status before the first decision.
        const saved = ':is([data-phase="confirmed"], [data-phase="idle"])';
        const decided = `[role=row][data-lead-id="${ids[at]}"][data-status="${status}"]${saved}`;
        for (let frames = 0; !grid.querySelector(decided); frames += 1) {
          if (frames > 1_000) throw new Error(`decision ${count} is not saved`);
          await frame();
        }
      }
    }, [times, ids]);
    await allSaved(page);
  };
  await expectFlat(t, page, () => decide(60), () => decide(200), { wasm: 128 << 10, heap: 256 << 10 });
});
