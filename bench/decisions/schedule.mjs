// What happens in a schedule: what the user does, and the faults of the network and the server. It only depends on the
// seed. Times are in milliseconds.

import { Random } from "./random.mjs";

export const LEADS = Array.from({ length: 8 }, (_, number) => `lead-${number}`);

/** The faults, each for a while. `server.mjs` has what they do. */
export const FAULTS = ["limited", "unavailable", "lost", "slow", "disordered", "offline"];

/** After this pause the user goes on in the other tab at the earliest. */
const SWITCH_MS = 300;

/**
 * @returns {{ seed: number, actions: object[], faults: object[], end: number }} `end` is when the last fault is over.
 */
export function schedule(seed) {
  const random = new Random(seed, 1);
  const actions = [];
  let at = 2_000;
  let tab = 0;
  const count = random.between(6, 24);
  while (actions.length < count) {
    at += pause(random);
    if (random.chance(0.2)) {
      tab = 1 - tab;
      at += SWITCH_MS;
    }
    actions.push({ at, tab, ...action(random) });
  }
  const faults = Array.from({ length: random.between(1, 5) }, () => {
    const from = random.between(0, at);
    return { kind: random.pick(FAULTS), from, to: from + random.between(500, 12_000) };
  });
  return { seed, actions, faults, end: Math.max(at, ...faults.map(({ to }) => to)) };
}

/** Quick decisions, or some thought. */
function pause(random) {
  return random.chance(0.6) ? random.between(60, 600) : random.between(600, 5_000);
}

function action(random) {
  const status = random.pick(["approved", "rejected"]);
  const chosen = random.next();
  if (chosen < 0.4) return { do: "decide", leads: [random.pick(LEADS)], status };
  if (chosen < 0.55) return { do: "decide", leads: several(random), status };
  if (chosen < 0.68) return { do: "decide again" };
  if (chosen < 0.78) return { do: "undo" };
  if (chosen < 0.86) return { do: "reload", for: random.between(150, 800), isCrash: random.chance(0.3) };
  if (chosen < 0.91) return { do: "replace", for: random.between(400, 3_000), isCrash: false };
  return { do: "refetch" };
}

function several(random) {
  const leads = new Set();
  while (leads.size < 3) leads.add(random.pick(LEADS));
  return [...leads];
}
