// Decisions in simulated schedules, with this package and with a hand-written optimistic update: the script behind
// `cargo xtask bench decisions`.

import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseArgs } from "node:util";

import { compare, table } from "./compare.mjs";
import { schedule } from "./schedule.mjs";
import { loadSides } from "./sides.mjs";
import { simulate } from "./simulate.mjs";

const { values: options } = parseArgs({
  options: {
    // The folder of the built package.
    package: { type: "string" },
    // The file for the totals, with the seeds that end wrong.
    out: { type: "string" },
    schedules: { type: "string", default: "10000" },
    // The first seed. The others follow it.
    seed: { type: "string", default: "1" },
    // Prints what happens in a single schedule instead, on each side.
    show: { type: "boolean" },
  },
});

const [count, first] = ["schedules", "seed"].map((name) => {
  const number = Number(options[name]);
  if (Number.isSafeInteger(number) && number > 0) return number;
  console.error(`--${name} must be a whole number above 0, not "${options[name]}".`);
  process.exit(2);
});

const sides = await loadSides(options.package);
if (options.show) {
  for (const side of sides) {
    const { log } = await simulate(side, schedule(first), true);
    console.log(`${side.name}, seed ${first}, in milliseconds:\n  ${log.join("\n  ")}\n`);
  }
} else {
  const totals = await compare(sides, { count, first, onProgress: (text) => console.error(text) });
  await mkdir(dirname(options.out), { recursive: true });
  await writeFile(options.out, JSON.stringify({ first, count, totals }, null, 2));
  console.log(table(totals));
  for (const { name, wrong } of totals) {
    if (wrong.length > 0) console.log(`\n${name}: the first seeds that end wrong are ${wrong.slice(0, 10).join(", ")}`);
  }
}
