// Runs the same schedules with each side, and formats the results.

import { schedule } from "./schedule.mjs";
import { simulate } from "./simulate.mjs";

/** What the table shows: the text of each row, and its number from the totals. docs/decisions.md explains them. */
const ROWS = [
  ["schedules that end wrong", (total) => total.wrong.length],
  ["schedules with a lost decision", (total) => total.schedulesLost],
  ["schedules with a wrong screen at the end", (total) => total.schedulesWrongScreen],
  ["decisions", (total) => total.decisions],
  ["lost decisions", (total) => total.lost],
  ["rows with a wrong status at the end", (total) => total.wrongRows],
  ["decisions reported as not saved", (total) => total.told],
  ["decisions that flickered", (total) => total.flickers],
  ["simultaneous requests for one lead", (total) => total.duplicates],
  ["requests that change leads", (total) => total.requests],
];

/**
 * @param {object[]} sides From `loadSides`.
 * @param {{ count: number, first: number, onProgress?: (text: string) => void }} options `first` is the first seed.
 * @returns {Promise<object[]>} The totals of each side; `wrong` has the seeds of the schedules that end wrong.
 */
export async function compare(sides, { count, first, onProgress = () => {} }) {
  const totals = [];
  for (const side of sides) {
    const total = { name: side.name, wrong: [], schedulesLost: 0, schedulesWrongScreen: 0 };
    for (let seed = first; seed < first + count; seed += 1) {
      const { log: _, ...counts } = await simulate(side, schedule(seed));
      for (const [name, value] of Object.entries(counts)) total[name] = (total[name] ?? 0) + value;
      if (counts.lost > 0) total.schedulesLost += 1;
      if (counts.wrongRows > 0) total.schedulesWrongScreen += 1;
      if (counts.lost > 0 || counts.wrongRows > 0) total.wrong.push(seed);
      if ((seed - first + 1) % 1_000 === 0) onProgress(`${side.name}: ${seed - first + 1} of ${count}`);
    }
    totals.push(total);
  }
  return totals;
}

/** Returns the totals as a Markdown table. */
export function table(totals) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  const rows = ROWS.map(([text, number]) => line([text, ...totals.map((total) => number(total).toLocaleString("en"))]));
  return [line(["", ...totals.map(({ name }) => name)]), line(["---", ...totals.map(() => "---:")]), ...rows].join("\n");
}
