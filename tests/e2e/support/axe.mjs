// What axe objects to in a page.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Only the rules about colours.
export const COLOURS = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };

// Each violation as its rule and the elements it is about.
export async function violations(page, options = {}) {
  // Evaluated by the debugger, which the page's content security policy lets through.
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(AXE);
  return page.evaluate(async (options) => {
    // axe leaves the size of touch targets out unless asked.
    const rules = options.runOnly ? {} : { "target-size": { enabled: true } };
    // All rows are made alike: the first ones stand for the others, which would take long.
    const exclude = [".grid .rows > [role=row]:nth-of-type(n + 6)"];
    const { violations } = await globalThis.axe.run({ exclude }, { rules, resultTypes: ["violations"], ...options });
    return violations.map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      nodes: nodes.slice(0, 5).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`),
    }));
  }, options);
}
