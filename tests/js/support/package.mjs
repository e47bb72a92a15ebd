// Assembles the package as on npm, with a fake glue. Each call makes a separate copy, whose modules share no state
// with other copies.

import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "..", "..", "..");
const SOURCES = [join(ROOT, "www/npm"), join(ROOT, "src/js"), import.meta.dirname];

// The smallest valid Wasm module.
export const WASM = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

export async function load(t, entry = "index.js") {
  const folder = await mkdtemp(join(tmpdir(), "lead-workspace-js-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const source of SOURCES) {
    for (const name of await readdir(source)) {
      if (name.endsWith(".js")) await cp(join(source, name), join(folder, name));
    }
  }
  await cp(join(ROOT, "www/package.json"), join(folder, "package.json")).catch(() => {});
  const at = (name) => import(pathToFileURL(join(folder, name)).href);
  const [face, { fake }, internal] = await Promise.all([at(entry), at("client.js"), at("internal.js")]);
  return { ...face, fake, folder, optionsOf: internal.optionsOf };
}

// Creates a workspace from a new copy of the package.
export async function connect(t, options) {
  const face = await load(t);
  const created = { baseUrl: "http://a.example", apiKey: "lwk_1_secret", wasm: WASM, ...options };
  return { ...face, ws: await face.Workspace.create(created) };
}

// Returns a promise together with its `resolve` and `reject`.
export function deferred() {
  const strings = {};
  strings.promise = new Promise((resolve, reject) => Object.assign(strings, { resolve, reject }));
  return strings;
}

// Returns a promise that stays pending until its signal is aborted, as a call of the real module does.
export function hang(signal) {
  return new Promise((_, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
  });
}

// Returns the set of the listeners that the signal has from now on.
export function countListeners(signal) {
  const listeners = new Set();
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (type, listener) => {
    listeners.add(listener);
    addEventListener.call(signal, type, listener);
  };
  signal.removeEventListener = (type, listener) => {
    listeners.delete(listener);
    removeEventListener.call(signal, type, listener);
  };
  return listeners;
}

// Returns a function that runs the garbage collector and lets finalizers run.
export async function collector() {
  const { setFlagsFromString } = await import("node:v8");
  const { runInNewContext } = await import("node:vm");
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  return async () => {
    gc();
    await new Promise(setImmediate);
  };
}
