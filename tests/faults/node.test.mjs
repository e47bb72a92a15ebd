// Every fault on every operation in Node, where `fetch` hides no headers.

import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { FAULTS } from "./support/faults.mjs";
import { playFault } from "./support/matrix.mjs";
import { PACKAGE } from "./support/page.mjs";
import { playAll } from "./support/play.mjs";

for (const [name, { hides }] of Object.entries(FAULTS)) {
  if (hides) continue;
  test(name, async (t) => {
    const face = await import(pathToFileURL(join(PACKAGE, "index.js")).href);
    await playFault(t, name, { run: (orders) => playAll(face, orders) });
  });
}
