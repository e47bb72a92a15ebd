// Rows one by one, page after page.

import * as guard from "./guard.js";
import { blame } from "./trace.js";

/**
 * The rows of a query. Whoever stops early (`break`, `return`) ends the page that is being fetched
 * ahead.
 * @param {import("./calls.js").Calls} calls
 * @param {string} operation
 * @param {object | undefined} options
 * @param {(walk: object, options: object) => object} start Gives the module's pages.
 * @param {object} caller See `trace`.
 */
export async function* iterate(calls, operation, options, start, caller) {
  const { maxItems, onDrift, onRowError, ...callOptions } = options ?? {};
  let call;
  let pages;
  let epoch;
  // What the page's own functions throw is the page's.
  const ours = async (start) => {
    try {
      return await start();
    } catch (error) {
      throw blame(error, caller, operation, call?.options.signal);
    }
  };
  try {
    pages = await ours(() => {
      call = calls.open(operation, callOptions);
      return calls.run(() => start({ maxItems }, call.options));
    });
    epoch = guard.epoch;
    for (;;) {
      // The pages went with the instance that they were of.
      if (epoch !== guard.epoch) throw guard.stopped(null);
      const step = await ours(() => calls.run(() => pages.next()));
      if (step === undefined) return;
      for (const problem of step.rowErrors) onRowError?.(problem);
      for (const drift of step.drift) onDrift?.(drift);
      yield* step.rows;
    }
  } finally {
    call?.abort();
    call?.close();
    if (epoch === guard.epoch) pages?.free();
  }
}
