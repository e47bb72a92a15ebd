// Waits for conditions instead of a fixed time.

const WITHIN_MS = Number(process.env.LEAD_WORKSPACE_TEST_WITHIN_MS ?? 15_000);
const POLL_MS = 50;

// Waits until the footer says that all decisions are saved, and nothing is in flight that it does not mention yet.
export async function allSaved(page) {
  await page.locator('footer [role="status"][aria-busy="false"]').getByText("All saved").waitFor({ state: "attached" });
}

// Resolves with the condition's result.
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
