// axe finds nothing to object to, on a desktop and on a phone, light and dark.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { violations } from "./support/axe.mjs";
import { DESKTOP, PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";

after(closeBrowser);

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
