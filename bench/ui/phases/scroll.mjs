// Frames and jumps while scrolling over the whole list.

import { mean, quantile } from "../statistics.mjs";
import { CATEGORIES, scriptTime } from "../trace.mjs";

const STEPS = 200;
// Tracing slows the page, so script time is measured in a separate, short sweep.
const TRACED_STEPS = 60;
const LONG_MS = 32;
const JUMPS = { jumps: 20, pause: 60, within: 8_000 };

export async function frames(screen) {
  const before = await screen.counters();
  const times = await screen.call("sweep", { steps: STEPS, offset: 0 });
  const after = await screen.counters();
  await screen.settle();
  return {
    scroll_long: times.filter((time) => time > LONG_MS).length,
    scroll_frame: mean(times),
    scroll_p95: quantile(times, 0.95),
    scroll_task: ((after.TaskDuration - before.TaskDuration) * 1000) / times.length,
  };
}

export async function script(screen) {
  const browser = screen.page.context().browser();
  await browser.startTracing(screen.page, { categories: CATEGORIES });
  let times;
  let trace;
  try {
    // An offset, so that most rows are not cached from the previous sweep.
    times = await screen.call("sweep", { steps: TRACED_STEPS, offset: 0.5 });
  } finally {
    trace = await browser.stopTracing();
  }
  await screen.settle();
  return { scroll_script: scriptTime(JSON.parse(trace.toString()).traceEvents) / times.length };
}

export const jump = async (screen) => ({ jump_data: mean(await screen.call("jump", JUMPS)) });
