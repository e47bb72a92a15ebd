// axe checks of every state of the leads page, in light, dark and forced colors. In each state an element must have
// the focus.

import { after, test } from "node:test";

import { DESKTOP, closeBrowser } from "./support/browser.mjs";
import { walk } from "./support/walk.mjs";

after(closeBrowser);

test("every state on a desktop", (t) => walk(t, "desktop", DESKTOP));
