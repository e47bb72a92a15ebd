// Mounting and unmounting a review does not leak memory.

import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { expectFlat, watchMemory } from "../e2e/support/memory.mjs";
import { mounted, openReview, plainPage } from "./support/review.mjs";

after(closeBrowser);

test("10 mounts and unmounts", async (t) => {
  const { origin } = await plainPage(t);
  const { page } = await openReview(t, origin, { prepare: watchMemory });
  await mounted(page);
  const remount = async (times) => {
    for (let count = 0; count < times; count += 1) {
      await page.evaluate(() => {
        globalThis.mounted.pop().unmount();
        globalThis.mounted.push(globalThis.mountAgain());
      });
      await mounted(page);
    }
  };
  await expectFlat(t, page, () => remount(3), () => remount(10), { wasm: 128 << 10, heap: 256 << 10 });
});
