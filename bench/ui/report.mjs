// Computes the results, and formats them as a Markdown table.

import { METRICS } from "./metrics.mjs";
import { interval, median, ratio } from "./statistics.mjs";

// Returns one entry per metric. `pairs` has the metrics of [ours, the other side] for each pair of runs.
export function results(pairs) {
  return METRICS.map(([name, unit, meaning]) => {
    const samples = pairs.map((pair) => pair.map((measured) => measured[name] ?? null));
    const whole = samples.filter((pair) => pair.every((value) => value !== null));
    const medians = [0, 1].map((at) => median(samples.map((pair) => pair[at]).filter((value) => value !== null)));
    return {
      name,
      unit,
      meaning,
      medians,
      ratio: ratio(whole),
      interval: ratio(whole) === null ? [null, null] : interval(whole),
      samples,
    };
  });
}

// Returns the table, without metrics that were measured on no side.
export function table(results, sides) {
  const measured = results.filter(({ medians }) => medians.some((value) => value !== null));
  const rows = measured.map(({ name, unit, medians, ratio, interval }) => [
    name,
    ...medians.map((value) => figure(value, unit)),
    unit,
    ratio === null ? "n/a" : ratio.toFixed(3),
    ratio === null ? "" : interval.map((end) => end.toFixed(3)).join(" to "),
  ]);
  const header = ["metric", ...sides, "unit", sides.join(" / "), "95 % interval"];
  const widths = header.map((_, at) => Math.max(...[header, ...rows].map((row) => row[at].length)));
  // Numbers are aligned right.
  const right = [false, true, true, false, true, true];
  const line = (cells) => {
    const padded = cells.map((cell, at) => (right[at] ? cell.padStart(widths[at]) : cell.padEnd(widths[at])));
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, at) => (right[at] ? `${"-".repeat(width - 1)}:` : "-".repeat(width)));
  return [line(header), line(rule), ...rows.map(line)].join("\n");
}

function figure(value, unit) {
  if (value === null) return "n/a";
  if (unit === "B" || unit === "n") return String(Math.round(value));
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}
