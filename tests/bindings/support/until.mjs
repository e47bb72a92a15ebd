// Waits for conditions by turns of the event loop, so that timers can be simulated.

const TURNS = 200;

/** Lets everything run that waits for a turn: renders, effects, promises. */
export async function pass() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

/** Waits until an assertion holds. */
export async function until(assertion) {
  for (let turn = 0; turn < TURNS; turn += 1) {
    try {
      return assertion();
    } catch {
      await new Promise(setImmediate);
    }
  }
  return assertion();
}
