// Runs every candidate in every round, in another order each time, so that whatever the machine does
// meanwhile meets all of them. `again` is the baseline under another name: what the two differ by is
// noise.

import init, * as module from "./handoff.js";
import { fixture } from "./fixture.js";
import { parse } from "./plain.js";
import { read } from "./shapes.js";

const CANDIDATES = {
  baseline: parse,
  again: (body) => parse(body),
  shapes_alone: (body) => read("query_leads", body),
  shapes: module.by_shapes,
  serde_wasm_bindgen: module.by_serde_wasm_bindgen,
  json_text: module.by_json_text,
  checked_then_parsed: module.checked_then_parsed,
};

/** Milliseconds for each page, one row of numbers for each candidate. */
export async function measure(kind, { rounds, pages }) {
  await init({ module_or_path: new URL("./handoff_bg.wasm", import.meta.url) });
  const body = fixture(kind);
  const names = Object.keys(CANDIDATES);
  const times = Object.fromEntries(names.map((name) => [name, []]));
  // The first rounds are for the compilers of the engine.
  for (let round = -10; round < rounds; round += 1) {
    for (const name of shuffled(names)) {
      const candidate = CANDIDATES[name];
      const start = performance.now();
      for (let page = 0; page < pages; page += 1) {
        if (candidate(body).data.length !== 100) throw new Error(`${name} lost rows`);
      }
      if (round >= 0) times[name].push((performance.now() - start) / pages);
    }
    // Leaves the page its turn, and the collector.
    await new Promise((done) => setTimeout(done));
  }
  return { bytes: body.length, times };
}

function shuffled(names) {
  const order = [...names];
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(Math.random() * (index + 1));
    [order[index], order[other]] = [order[other], order[index]];
  }
  return order;
}
