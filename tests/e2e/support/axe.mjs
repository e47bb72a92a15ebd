// Runs axe on a page.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Only the rules about colors.
export const COLOURS = { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } };

// Returns each violation as its rule and the affected elements.
export async function violations(page, options = {}) {
  // Evaluated through DevTools, which the page's Content-Security-Policy does not block.
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(AXE);
  return page.evaluate(async (options) => {
    // axe checks the size of touch targets only on request.
    const rules = options.runOnly ? {} : { "target-size": { enabled: true } };
    // All rows have the same markup: only the first ones are checked, to save time.
    const exclude = [".grid .rows > [role=row]:nth-of-type(n + 6)"];
    const { violations } = await globalThis.axe.run({ exclude }, { rules, resultTypes: ["violations"], ...options });
    return violations.map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      nodes: nodes.slice(0, 5).map((node) => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 200)}`),
    }));
  }, options);
}
