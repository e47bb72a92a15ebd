// The server of `lead-workspace demo`: the page, the package's files, and the API over a workspace in memory.

import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

/** The paths of the page: each is a view of the review. */
const PAGES = ["/", "/leads", "/accounts", "/portfolio", "/insights"];

const PACKAGE = new URL("./", import.meta.url);
const TYPES = { css: "text/css", js: "text/javascript", wasm: "application/wasm", bin: "application/octet-stream" };

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Lead review, demo</title>
<link rel="icon" href="data:,">
<script type="module" src="/package/demo-page.js"></script>
</html>
`;

const HEADERS = {
  "content-security-policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

// This machine, as in the service. It stops DNS rebinding: a page elsewhere can point its own name at 127.0.0.1, but
// its requests have that name in this header.
const HOST = /^(127(\.\d+){3}|\[::1\]|(.+\.)?localhost)(:\d+)?$/i;

/** Serves a workspace on 127.0.0.1, and resolves with the URL. Rejects if it cannot listen. */
export async function startDemo(workspace, port) {
  const files = new Set(await readdir(PACKAGE));
  const server = createServer(async (request, response) => {
    try {
      await answer(request, response, files, workspace);
    } catch (error) {
      // A request that `URL` or `Request` refuses, or one that ended early.
      if (response.headersSent) response.destroy(error);
      else send(response, 400, "text/plain", error.message);
    }
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}/`;
}

async function answer(request, response, files, workspace) {
  const { host = "" } = request.headers;
  if (!HOST.test(host)) return send(response, 421, "text/plain", `The host ${JSON.stringify(host)} is not allowed.`);
  const { pathname } = new URL(request.url, `http://${host}`);
  if (pathname.startsWith("/api/")) return call(request, response, workspace);
  if (PAGES.includes(pathname)) return send(response, 200, "text/html", PAGE);
  const [, name, type] = /^\/package\/([\w-]+\.(\w+))$/.exec(pathname) ?? [];
  if (!files.has(name) || !TYPES[type]) return send(response, 404, "text/plain", `Nothing is at ${pathname}.`);
  send(response, 200, TYPES[type], await readFile(new URL(name, PACKAGE)));
}

/** Passes a request to the workspace, and its answer back. */
async function call(request, response, workspace) {
  const { method, url, headers } = request;
  const body = method === "GET" || method === "HEAD" ? undefined : await text(request);
  // Its clock stands still otherwise.
  workspace.advance(Math.max(Date.now() - workspace.now, 0));
  const answered = await workspace.fetch(url, { method, headers, body });
  // It keeps all requests for tests.
  workspace.requests.length = 0;
  response.writeHead(answered.status, Object.fromEntries(answered.headers));
  // The stream of changes ends when the page leaves.
  if (answered.body) await pipeline(Readable.fromWeb(answered.body), response);
  else response.end();
}

function send(response, status, type, body) {
  const charset = type.startsWith("text/") ? "; charset=utf-8" : "";
  response.writeHead(status, { ...HEADERS, "content-type": type + charset }).end(body);
}
