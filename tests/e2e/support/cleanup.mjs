// Tidying up in the reverse order: pages close before the service they talk to
// stops, and the service stops before its folder goes.

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
      // Every step gets its turn: a page with problems must not leave a service behind.
      await fresh.pop()().catch((error) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  });
}
