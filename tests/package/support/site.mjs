// A simple static file server.

import { once } from "node:events";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

import { afterTest } from "../../e2e/support/cleanup.mjs";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

// Serves a folder until the end of the test. `types` override the default content types, `headers` are added. Returns
// its origin.
export async function serve(t, folder, { types = {}, headers = {} } = {}) {
  const kinds = { ...TYPES, ...types };
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://site").pathname));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    const found = await stat(file).then((entry) => entry.isFile(), () => false);
    if (!found) return response.writeHead(404).end();
    const type = kinds[extname(file)] ?? "application/octet-stream";
    response.writeHead(200, { "content-type": type, ...headers });
    createReadStream(file).pipe(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterTest(t, async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}
