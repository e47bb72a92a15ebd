// axe checks of every state of the other pages, in light, dark and forced colors.

import { after, test } from "node:test";

import { AREA_STATES, AREA_UNTOUCHED } from "./support/area-states.mjs";
import { DESKTOP, PHONE, closeBrowser } from "./support/browser.mjs";
import { walk } from "./support/walk.mjs";

after(closeBrowser);

for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test(`every state of the other pages, ${name}`, (t) => walk(t, name, viewport, AREA_STATES, AREA_UNTOUCHED));
}
