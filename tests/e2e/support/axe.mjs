// What axe objects to in a page.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Each violation as its rule and the elements it is about.
export async function violations(page) {
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
