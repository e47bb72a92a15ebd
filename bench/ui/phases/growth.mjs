// Memory growth over many sorts.

import { median } from "../statistics.mjs";

const COLUMNS = ["Company", "Name"];
// Both columns in both directions, before memory is measured for the first time.
const WARM_UP = 4;
const SORTS = 50;

export async function growth(screen) {
  await screen.page.waitForTimeout(500);
  await sort(screen, WARM_UP);
  const before = await screen.memory();
  const times = await sort(screen, SORTS);
  const after = await screen.memory();
  return { growth: after.sum - before.sum, cycle_sort: median(times) };
}

async function sort(screen, count) {
  const times = [];
  for (let at = 0; at < count; at += 1) {
    const click = await screen.pointAt("header", COLUMNS[at % COLUMNS.length]);
    const old = await screen.call("firstId");
    const time = await screen.time("click", "sorted", { old, expected: null }, click);
    if (time !== null) times.push(time);
  }
  return times;
}
