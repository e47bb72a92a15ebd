// Starts the stubs in separate processes, so that they do not delay the process that drives the browser.

import { fork } from "node:child_process";
import { join } from "node:path";

const STUB = join(import.meta.dirname, "stub", "server.mjs");

// Starts a stub that serves a folder. Returns its origin and a function that stops it.
export function start(folder, leads) {
  const stub = fork(STUB, ["--static", folder, "--leads", leads]);
  return new Promise((resolve, reject) => {
    stub.once("message", ({ origin }) => resolve({ origin, stop: () => stub.kill() }));
    stub.once("exit", (code, signal) => reject(new Error(`the stub ended before it was ready (${signal ?? code})`)));
  });
}
