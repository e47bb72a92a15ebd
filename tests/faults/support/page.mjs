// A page with the client in it, in Chromium.

import { readFile } from "node:fs/promises";
import { extname, join, resolve } from "node:path";

import { openPage } from "../../e2e/support/browser.mjs";
import { listen } from "./server.mjs";

export const PACKAGE = resolve(process.env.LEAD_WORKSPACE_PACKAGE ?? "pkg");

const TYPES = { ".js": "text/javascript", ".mjs": "text/javascript", ".wasm": "application/wasm" };

// What the browser itself says of failed requests is what these tests are about. Anything else that
// a page reports fails the test: above all what a panic would leave.
const EXPECTED = [/^request: /, /^response: /, /Failed to load resource/, /blocked by CORS policy/];

// Answers with a file of the package or of this folder, or with an empty page.
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

// Opens a page of the origin, or of one that is of no other use.
export async function openClient(t, { origin, page, expected = [] } = {}) {
  const at = origin ?? (await listen(t, serveSite));
  const opened = page ?? (await openPage(t, { expected: [...EXPECTED, ...expected] }));
  await opened.goto(`${at}/`);
  return opened;
}

// Plays the orders of a matrix in the page.
export function playIn(page, orders) {
  return page.evaluate(async (cells) => {
    const face = await import("/package/index.js");
    const { playAll } = await import("/support/play.mjs");
    return playAll(face, cells);
  }, orders);
}
