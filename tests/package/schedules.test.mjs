// The schedules of `cargo xtask bench decisions`, fewer of them: with this package, none ends wrong.

import assert from "node:assert/strict";
import { before, test } from "node:test";

import { compare, table } from "../../bench/decisions/compare.mjs";
import { schedule } from "../../bench/decisions/schedule.mjs";
import { loadSides } from "../../bench/decisions/sides.mjs";
import { simulate } from "../../bench/decisions/simulate.mjs";

const OPTIONS = { count: 100, first: 1 };

let ours, documented, careful;
before(async () => ([ours, documented, careful] = await loadSides(process.env.LEAD_WORKSPACE_PACKAGE)));

test("no schedule ends wrong, and no lead is in two requests of a tab at once", async () => {
  const [total] = await compare([ours], OPTIONS);
  assert.ok(total.decisions > 5 * OPTIONS.count, table([total]));
  const { wrong, lost, wrongRows, told, duplicates } = total;
  assert.deepEqual({ wrong, lost, wrongRows, told, duplicates }, { wrong: [], lost: 0, wrongRows: 0, told: 0, duplicates: 0 });
});

test("the same schedules find what goes wrong with a hand-written optimistic update", async () => {
  const [plain, better] = await compare([documented, careful], OPTIONS);
  for (const total of [plain, better]) {
    assert.ok(total.lost > 0 && total.wrongRows > 0 && total.flickers > 0, table([total]));
  }
  assert.ok(plain.duplicates > 0 && plain.told > 0, table([plain]));
  assert.equal(better.duplicates, 0);
});

// The examples in docs/decisions.md.
const decide = (at, tab, status) => ({ at, tab, do: "decide", leads: ["lead-3"], status });
const EXAMPLES = {
  "a decision is overtaken": {
    seed: 3,
    actions: [decide(2_000, 0, "approved"), decide(3_000, 0, "rejected")],
    faults: [{ kind: "disordered", from: 1_500, to: 2_500 }],
  },
  "the page is reloaded during a rate limit": {
    seed: 1,
    actions: [decide(2_000, 0, "approved"), { at: 3_000, tab: 0, do: "reload", for: 500, isCrash: false }],
    faults: [{ kind: "limited", from: 1_500, to: 6_000 }],
  },
  "two tabs decide during a rate limit": {
    seed: 1,
    actions: [{ at: 1_000, tab: 1, do: "refetch" }, decide(3_000, 0, "approved"), decide(5_000, 1, "rejected")],
    faults: [{ kind: "limited", from: 2_500, to: 8_000 }],
  },
};

for (const [name, example] of Object.entries(EXAMPLES)) {
  test(`${name}: the documented update loses the decision, the review does not`, async () => {
    const lost = async (side) => (await simulate(side, { ...example, end: 10_000 })).lost;
    assert.deepEqual([await lost(documented), await lost(ours)], [1, 0]);
  });
}

test("a schedule only depends on its seed", async () => {
  assert.deepEqual(schedule(7), schedule(7));
  assert.notDeepEqual(schedule(7), schedule(8));
  for (const side of [ours, documented]) {
    assert.deepEqual(await simulate(side, schedule(7), true), await simulate(side, schedule(7), true));
  }
});

test("a page that forgets a decision, shows another status or denies one is found out", async () => {
  const once = { seed: 1, actions: [{ at: 2_000, tab: 0, do: "decide", leads: ["lead-1"], status: "approved" }], faults: [], end: 3_000 };
  const row = (lead_id, approval_status = "pending_approval") => ({ lead_id, approval_status });
  const list = (shown) => Array.from({ length: 8 }, (_, number) => row(`lead-${number}`, number === 1 ? shown : undefined));
  const page = (decided, isToldUnsaved) => {
    let shown = "pending_approval";
    const decide = () => void (shown = decided);
    return { open: async () => ({ rows: () => list(shown), decide, undo: () => [], isToldUnsaved: () => isToldUnsaved }) };
  };
  const counts = async (side) => {
    const { lost, wrongRows, flickers, told } = await simulate(side, once);
    return { lost, wrongRows, flickers, told };
  };
  assert.deepEqual(await counts(page("approved", false)), { lost: 1, wrongRows: 1, flickers: 0, told: 0 });
  assert.deepEqual(await counts(page("pending_approval", false)), { lost: 1, wrongRows: 0, flickers: 1, told: 0 });
  assert.deepEqual(await counts(page("pending_approval", true)), { lost: 0, wrongRows: 0, flickers: 0, told: 1 });
});
