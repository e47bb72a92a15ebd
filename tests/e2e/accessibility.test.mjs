// axe finds nothing to object to, on a desktop and on a phone, light and dark.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, test } from "node:test";

import { DESKTOP, PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";

after(closeBrowser);

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe, ${name}, ${colorScheme}`, async (t) => {
      const service = await Service.start(t, { demo: 50 });
      const page = await openPage(t, { viewport, colorScheme });
      await LeadsPage.open(page, service.url);
      assert.deepEqual(await violations(page), []);
    });
  }
}

// Each violation as its rule and the elements it is about.
async function violations(page) {
  // Evaluated by the debugger, which the page's content security policy lets through.
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // axe leaves the size of touch targets out unless asked.
    const rules = { "target-size": { enabled: true } };
    const { violations } = await globalThis.axe.run(document, { rules });
    return violations.map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      nodes: nodes.slice(0, 5).map((node) => node.html.slice(0, 160)),
    }));
  });
}
