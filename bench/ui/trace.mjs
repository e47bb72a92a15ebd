// Computes the script time from a Chromium trace of a sweep.

const SCRIPT = new Set([
  "FunctionCall",
  "EvaluateScript",
  "RunMicrotasks",
  "V8.RunMicrotasks",
  "FireAnimationFrame",
  "TimerFire",
  "EventDispatch",
  "v8.callFunction",
  "MajorGC",
  "MinorGC",
  "V8.GCScavenger",
]);

export const CATEGORIES = ["-*", "devtools.timeline", "blink.user_timing", "v8"];

// Returns the milliseconds of script on the page's main thread between the two marks.
export function scriptTime(events) {
  const start = events.find(({ name }) => name === "bench-scroll-start");
  const end = events.find(({ name }) => name === "bench-scroll-end");
  if (!start || !end) throw new Error("the marks of the sweep are not in the trace");
  const counts = ({ name, ph, pid, tid, ts }) => {
    const here = pid === start.pid && tid === start.tid && ts >= start.ts && ts <= end.ts;
    return here && ph === "X" && SCRIPT.has(name);
  };
  const spans = events.filter(counts).sort((a, b) => a.ts - b.ts);
  // Spans may be nested; the same time must not count twice.
  let covered = 0;
  let until = 0;
  for (const { ts, dur = 0 } of spans) {
    covered += Math.max(0, ts + dur - Math.max(ts, until));
    until = Math.max(until, ts + dur);
  }
  return covered / 1000;
}
