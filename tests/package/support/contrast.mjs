// Checks with axe that every text of a page can be read, those in shadow trees included.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

import { LATER_ROWS } from "../../e2e/support/axe.mjs";

const AXE = await readFile(
  createRequire(new URL("../../e2e/package.json", import.meta.url)).resolve("axe-core/axe.min.js"),
  "utf8",
);

// Returns what is hard to read, and the number of texts that were checked. Of the rows of a review only the first ones
// are checked.
export async function contrastOf(page) {
  // Evaluated through DevTools, which the page's Content-Security-Policy does not block.
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(AXE);
  return page.evaluate(async (laterRows) => {
    const { violations, passes } = await globalThis.axe.run(
      { exclude: [{ fromShadowDom: ["lead-review", laterRows] }] },
      { runOnly: { type: "rule", values: ["color-contrast"] } },
    );
    const nodes = (results) => results.flatMap((result) => result.nodes);
    return {
      unreadable: nodes(violations).map(({ html, failureSummary }) => `${html.slice(0, 120)} ${failureSummary.slice(0, 250)}`),
      readable: nodes(passes).length,
    };
  }, LATER_ROWS);
}
