// Runs beside the client, in the page or in Node: what a test needs there, under one name.

import { plain } from "./play.mjs";

// Loads the package, and keeps what its hooks say for the test to look at.
export async function prepare(entry) {
  const face = await import(entry);
  const events = [];
  const hear = (hook) => (event) => events.push({ hook, ...event });
  const hooks = Object.fromEntries(
    ["onRequest", "onResponse", "onRetry", "onGate"].map((hook) => [hook, hear(hook)]),
  );
  globalThis.lw = {
    ...face,
    events,
    kept: {},
    connect: (options) => face.Workspace.create({ apiKey: "lwk_1_s3cret", hooks, ...options }),
    // How a call ended, as data.
    ended: (call) => call.then(
      (value) => ({ value }),
      (error) => ({ error: error instanceof face.WorkspaceError ? plain(face, error) : named(error) }),
    ),
    // The same, if it has ended before the next task begins.
    atOnce: (call) => Promise.race([
      globalThis.lw.ended(call),
      new Promise((late) => { setTimeout(() => late("it took longer than a turn"), 0); }),
    ]),
  };
}

function named({ name, message, outcome }) {
  return { name, message, outcome };
}
