// Cleans up in reverse order: pages close before their service stops, and the service stops before its folder is
// removed.

const stacks = new WeakMap();

export function afterTest(t, tidy) {
  const stack = stacks.get(t);
  if (stack) {
    stack.push(tidy);
    return;
  }
  const fresh = [tidy];
  stacks.set(t, fresh);
  t.after(async () => {
    const failures = [];
    while (fresh.length > 0) {
      // Every step runs even if one fails: a page with errors must not leave a service running.
      await fresh.pop()().catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  });
}
