// The environments of a test: a page in Chromium, or Node itself. Both run functions next to the client, which use
// its helpers as `lw` (see client.mjs).

import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expectEventually } from "../../e2e/support/wait.mjs";
import { startApi } from "./api.mjs";
import { prepare } from "./client.mjs";
import { PACKAGE, openClient } from "./page.mjs";

// Opens a page in the same browser profile as `sibling`, or in a new one.
export async function inChromium(t, { sibling, ...options } = {}) {
  const page = await openClient(t, { page: await sibling?.page.context().newPage(), ...options });
  await page.evaluate(async () => {
    const { prepare } = await import("/support/client.mjs");
    await prepare("/package/index.js");
  });
  return {
    page,
    run: (what, argument) => page.evaluate(what, argument),
    until: (what) => page.waitForFunction(what),
  };
}

export async function inNode() {
  await prepare(pathToFileURL(join(PACKAGE, "index.js")).href);
  return {
    run: async (what, argument) => what(argument),
    until: (what) => expectEventually("the client", what),
  };
}

const STAGES = { Chromium: inChromium, Node: inNode };

// Registers a test for every environment, each with its own server: `play(t, { api, run, until })`.
export function onEveryStage(test, title, play) {
  for (const [name, open] of Object.entries(STAGES)) {
    test(`${title} (${name})`, async (t) => {
      const api = await startApi(t);
      await play(t, { api, ...(await open(t)) });
    });
  }
}
