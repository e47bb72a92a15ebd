// axe checks of every state of the leads page on a phone.

import { after, test } from "node:test";

import { PHONE, closeBrowser } from "./support/browser.mjs";
import { walk } from "./support/walk.mjs";

after(closeBrowser);

test("every state on a phone", (t) => walk(t, "phone", PHONE));
