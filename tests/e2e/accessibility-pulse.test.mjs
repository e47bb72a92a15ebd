// axe checks of every state of an account's pulse, in the account details and on its own page, in light, dark and
// forced colors.

import { after, test } from "node:test";

import { DESKTOP, PHONE, closeBrowser } from "./support/browser.mjs";
import { PULSE_STATES, PULSE_UNTOUCHED } from "./support/pulse-states.mjs";
import { walk } from "./support/walk.mjs";

after(closeBrowser);

for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test(`every state of the pulse, ${name}`, (t) => walk(t, name, viewport, PULSE_STATES, PULSE_UNTOUCHED));
}
