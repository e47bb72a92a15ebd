// axe finds nothing to object to in any state of the leads page, light, dark and in forced colors; and
// in each of them something has the focus.

import { after, test } from "node:test";

import { DESKTOP, closeBrowser } from "./support/browser.mjs";
import { walk } from "./support/walk.mjs";

after(closeBrowser);

test("every state on a desktop", (t) => walk(t, "desktop", DESKTOP));
