// A page in Chromium that runs the client.

import { readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";

import { openPage } from "../../e2e/support/browser.mjs";
import { listen } from "./server.mjs";

export const PACKAGE = resolve(process.env.LEAD_WORKSPACE_PACKAGE ?? "pkg");

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

// The browser's own messages about failed requests are expected here. Anything else that a page reports fails the
// test, above all a panic.
const EXPECTED = [/^request: /, /^response: /, /Failed to load resource/, /blocked by CORS policy/];

// Serves a file of the package or of this folder, or an empty page.
export async function serveSite(exchange) {
  const [, place, name] = exchange.path.split("/");
  const folder = { package: PACKAGE, support: import.meta.dirname }[place];
  if (!folder) {
    const headers = { "content-type": "text/html" };
    return exchange.answer({ headers, body: "<!doctype html><link rel=icon href=data:,>" });
  }
  const body = await readFile(join(folder, name));
  return exchange.answer({ headers: { "content-type": TYPES[extname(name)] }, body });
}

// Opens a page of the origin, or of a new one that serves only the client.
export async function openClient(t, { origin, page, expected = [] } = {}) {
  const at = origin ?? (await listen(t, serveSite));
  const opened = page ?? (await openPage(t, { expected: [...EXPECTED, ...expected] }));
  await opened.goto(`${at}/`);
  return opened;
}

// Makes the calls of a fault's cells in the page.
export function playIn(page, orders) {
  return page.evaluate(async (cells) => {
    const face = await import("/package/index.js");
    const { playAll } = await import("/support/play.mjs");
    return playAll(face, cells);
  }, orders);
}
