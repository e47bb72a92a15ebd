// Rows one by one, page after page.

import * as guard from "./guard.js";

/**
 * The rows of a query. Whoever stops early (`break`, `return`) ends the page that is being fetched
 * ahead.
 * @param {import("./calls.js").Calls} calls
 * @param {string} operation
 * @param {object | undefined} options
 * @param {(walk: object, options: object) => object} start Gives the module's pages.
 */
export async function* iterate(calls, operation, options, start) {
  const { maxItems, onDrift, onRowError, ...callOptions } = options ?? {};
  const call = calls.open(operation, callOptions);
  let pages;
  let epoch;
  try {
    pages = await calls.run(() => start({ maxItems }, call.options));
    epoch = guard.epoch;
    for (;;) {
      // The pages went with the instance that they were of.
      if (epoch !== guard.epoch) throw guard.stopped(null);
      const step = await calls.run(() => pages.next());
      if (step === undefined) return;
      for (const problem of step.rowErrors) onRowError?.(problem);
      for (const drift of step.drift) onDrift?.(drift);
      yield* step.rows;
    }
  } finally {
    call.abort();
    call.close();
    if (epoch === guard.epoch) pages?.free();
  }
}
