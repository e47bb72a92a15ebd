// What a browser shows that lacks something the app needs.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { Service } from "./support/service.mjs";

after(closeBrowser);

const LACKING = {
  "colors that derive from others": [
    () => {
      const { supports } = CSS;
      CSS.supports = (...query) => !query.join().includes("from red") && supports.apply(CSS, query);
    },
    /^This browser is too old.*Chrome or Edge 125, Firefox 128, Safari 18/,
  ],
  WebAssembly: [() => delete globalThis.WebAssembly, /^This browser cannot run the app.*WebAssembly is missing/],
};

for (const [what, [lack, says]] of Object.entries(LACKING)) {
  test(`without ${what}, the page says what to do`, async (t) => {
    const service = await Service.start(t, { demo: 5 });
    const page = await openPage(t);
    await page.addInitScript(lack);
    await page.goto(service.url);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    assert.match((await alert.innerText()).replaceAll(/\s+/g, " "), says);
    assert.equal(await page.getByRole("grid").count(), 0);
  });
}
