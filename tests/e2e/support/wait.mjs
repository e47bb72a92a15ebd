// Waits for a condition instead of a fixed time. Resolves with the condition's result.

const WITHIN_MS = 15_000;
const POLL_MS = 50;

export async function expectEventually(what, condition) {
  const end = Date.now() + WITHIN_MS;
  let last;
  while (Date.now() < end) {
    try {
      const value = await condition();
      if (value) return value;
      last = undefined;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`timed out waiting for ${what}`, { cause: last });
}
