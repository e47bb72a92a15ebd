// One run of one side: a page in a new browser context goes through the phases.

import { growth } from "./phases/growth.mjs";
import { approve, detail, detailFirst, facet, interactions, reject, search, sort } from "./phases/interact.mjs";
import { busyUntilRows, bytes, firstPaint, secondVisit } from "./phases/load.mjs";
import { byTheBrowser, heaps } from "./phases/memory.mjs";
import { frames, jump, script } from "./phases/scroll.mjs";
import { Screen, UNLIMITED } from "./screen.mjs";

export const PHASES = ["load", "memory", "interact", "scroll", "growth"];

const VIEWPORT = { width: 1440, height: 900 };

// Writes metrics to `measured` as it goes, so that those from before a failure are saved. Calls `onProblem` when a
// measurement fails, and throws when the run cannot continue.
export async function visit(browser, side, { phases, throttle, network, measured, onProblem }) {
  const context = await browser.newContext({ viewport: VIEWPORT });
  const open = (conditions) => {
    const onError = (error) => onProblem("error in the page", error);
    return Screen.open(context, side, { ...conditions, slowdown: throttle, onError });
  };
  const measure = async (screen, measurements) => {
    for (const [name, take] of Object.entries(measurements)) {
      try {
        Object.assign(measured, await take(screen, side));
      } catch (error) {
        onProblem(name, error);
      }
    }
  };
  try {
    const screen = await open({ throttle, network });
    if (phases.includes("load")) await measure(screen, { busyUntilRows });
    await screen.settle();
    if (phases.includes("load")) await measure(screen, { firstPaint, bytes });
    if (network) await screen.limitNetwork(UNLIMITED);
    if (screen.first20 === null) throw new Error("20 rows with data never appeared");

    if (phases.includes("memory")) await measure(screen, { heaps, byTheBrowser });
    if (phases.includes("interact")) {
      await screen.call("forgetInteractions");
      await measure(screen, { approve, reject, sort, search, facet, detailFirst, detail, interactions });
    }
    if (phases.includes("scroll")) await measure(screen, { frames, script, jump });
    await screen.page.close();

    if (phases.includes("load")) await measure(await open({ throttle, network }), { secondVisit });

    // On a new page and at full speed: memory is measured here, not time.
    if (phases.includes("growth")) await measure(await open({ throttle: 1 }), { growth });
  } finally {
    await context.close();
  }
}
