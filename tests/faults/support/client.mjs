// Runs next to the client, in the page or in Node: the helpers of a test, as `globalThis.lw`.

import { plain } from "./play.mjs";

// Loads the package, and records the events of its hooks.
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
    // Resolves with the outcome of a call as plain data.
    ended: (call) => call.then(
      (value) => ({ value }),
      (error) => ({ error: error instanceof face.WorkspaceError ? plain(face, error) : named(error) }),
    ),
    // Like `ended`, but only if the call ends before the next task.
    atOnce: (call) => Promise.race([
      globalThis.lw.ended(call),
      new Promise((late) => { setTimeout(() => late("the call did not end in the same task"), 0); }),
    ]),
  };
}

function named({ name, message }) {
  return { name, message };
}
