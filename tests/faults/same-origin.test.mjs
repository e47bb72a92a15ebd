// Every fault on every operation from a page of the API's own origin, which sees every header. Chromium opens at most
// six connections per origin, so the calls are sent in batches: none may wait for a connection.

import { after, test } from "node:test";

import { closeBrowser } from "../e2e/support/browser.mjs";
import { FAULTS } from "./support/faults.mjs";
import { playFault } from "./support/matrix.mjs";
import { openClient, playIn, serveSite } from "./support/page.mjs";
import { listen } from "./support/server.mjs";

after(closeBrowser);

const BATCH = 6;

test("every fault", async (t) => {
  const cells = [];
  const origin = await listen(t, (exchange) => {
    const [, place, number] = exchange.path.split("/");
    return place === "cell" ? cells[number].answer(exchange) : serveSite(exchange);
  });
  const page = await openClient(t, { origin });
  const serve = (_, cell) => `${origin}/cell/${cells.push(cell) - 1}`;
  const run = async (orders) => {
    const results = [];
    for (let from = 0; from < orders.length; from += BATCH) {
      results.push(...(await playIn(page, orders.slice(from, from + BATCH))));
    }
    return results;
  };
  for (const [name, { connect, hides }] of Object.entries(FAULTS)) {
    // No headers are hidden here, and a connection reset before the request belongs to no cell.
    if (connect || hides) continue;
    await t.test(name, (t) => playFault(t, name, { run, serve }));
  }
});
