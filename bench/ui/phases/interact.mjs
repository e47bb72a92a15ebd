// Decisions, sorting, search, facets and details: each several times, with real input.

import { expected, restore } from "../api.mjs";
import { mean, median, quantile } from "../statistics.mjs";

const DECISIONS = 5;
// The vertical range of the window, in pixels, in which rows are fully visible.
const VISIBLE = { from: 60, to: 850 };
const SORTS = [
  ["Name", "name"],
  ["Company", "company"],
  ["Title", "title"],
  ["Name", "name"],
  ["Company", "company"],
];
const SEARCHES = ["k", "z", "w"];
const TIERS = ["D", "C", "B"];
// The rows to open, counted from 0: for what decides, and for all details.
const FIRST_DETAILS = [3, 4, 5];
const DETAILS = [7, 8, 9];

// Ignores timeouts, which are null.
const medianOf = (times) => median(times.filter((time) => time !== null));

export const approve = async (screen, side) => ({ approve: await decide(screen, side, "Approve", "approved") });
export const reject = async (screen, side) => ({ reject: await decide(screen, side, "Reject", "rejected") });

async function decide(screen, side, verb, status) {
  const times = [];
  for (let count = 0; count < DECISIONS; count += 1) {
    const row = await screen.call("undecided", { status, ...VISIBLE });
    if (!row) throw new Error("no visible row is undecided");
    // Only the row under the pointer may have buttons.
    const button = { id: row.id, verb };
    await screen.page.mouse.move(row.x, row.y);
    await screen.page.waitForFunction((button) => window.bench.button(button), button, { timeout: 5_000 });
    await screen.settle(120);
    const click = await screen.pointAt("button", button);
    times.push(await screen.time("click", "decided", { id: row.id, status }, click));
    await screen.settle(120);
    await restore(side.origin, row);
  }
  return medianOf(times);
}

export async function sort(screen, side) {
  const times = [];
  for (const [label, column] of SORTS) {
    const first = (direction) => expected(side.origin, { sort_by: column, sort_dir: direction });
    const ends = await Promise.all(["asc", "desc"].map(first));
    const old = await screen.call("firstId");
    const click = await screen.pointAt("header", label);
    const ids = ends.every(Boolean) ? ends.map(({ id }) => id) : null;
    times.push(await screen.time("click", "sorted", { old, expected: ids }, click));
    await screen.settle(150);
  }
  return { sort: medianOf(times) };
}

export async function search(screen, side) {
  const times = [];
  const { page } = screen;
  await page.getByRole("searchbox", { name: "Search leads" }).click();
  for (const text of SEARCHES) {
    // Only the total: the two sides may be sorted differently by now.
    const total = (await expected(side.origin, { search: text }))?.total ?? null;
    const old = await screen.call("rowCount");
    times.push(await screen.time("keydown", "found", { old, total }, () => page.keyboard.press(text)));
    await screen.settle(150);
    await screen.time("keydown", "foundAgain", { count: old }, () => page.keyboard.press("Backspace"));
    await screen.settle(150);
  }
  return { search: medianOf(times) };
}

export async function facet(screen) {
  const times = [];
  for (const tier of TIERS) {
    for (const selected of [true, false]) {
      const old = await screen.call("rowCount");
      const click = await screen.pointAt("checkbox", tier);
      const time = await screen.time("click", "found", { old, total: null }, click);
      if (selected) times.push(time);
      await screen.settle(150);
    }
  }
  return { facet: medianOf(times) };
}

export const detailFirst = async (screen) => ({ detail_first: await open(screen, FIRST_DETAILS, "decidable") });
export const detail = async (screen) => ({ detail: await open(screen, DETAILS, "opened") });

async function open(screen, rows, condition) {
  const times = [];
  for (const at of rows) {
    const click = await screen.pointAt("titleOf", at);
    const [name, company] = [await screen.call("nameOf", at), await screen.call("companyOf", at)];
    times.push(await screen.time("click", condition, { name, company }, click));
    await screen.page.keyboard.press("Escape");
    await screen.settle(150);
  }
  return medianOf(times);
}

// All interactions above, according to the browser.
export async function interactions(screen) {
  const durations = await screen.call("interactions");
  return { event_p98: quantile(durations, 0.98), event_mean: mean(durations) };
}
