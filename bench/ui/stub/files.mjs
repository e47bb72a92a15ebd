// Serves the files of a built page, and index.html for its routes. Files are read and compressed at startup.

import { readFileSync, readdirSync } from "node:fs";
import { extname, join, relative, sep } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8",
};
// Formats that are already compressed.
const PACKED = new Set([".png", ".ico", ".woff2"]);
const TWINS = new Set([".br", ".gz", ".map"]);
// A path with a hash in the name of the file or of its folder, whose content never changes.
const HASHED = /[-.][\w-]{8,}(\.\w+$|\/)/;

export class Files {
  #files = new Map();

  constructor(folder) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || TWINS.has(extname(entry.name))) continue;
      const path = join(entry.parentPath ?? entry.path, entry.name);
      const address = `/${relative(folder, path).split(sep).join("/")}`;
      this.#files.set(address, load(path, address));
    }
    if (!this.#files.has("/index.html")) throw new Error(`there is no index.html in ${folder}`);
  }

  serve(request, response, path) {
    const file = this.#files.get(path) ?? (extname(path) ? undefined : this.#files.get("/index.html"));
    if (!file) {
      response.writeHead(404, { "content-type": "text/plain" }).end("not found");
      return;
    }
    const compressed = file.brotli && /\bbr\b/.test(request.headers["accept-encoding"] ?? "");
    const bytes = compressed ? file.brotli : file.bytes;
    response.writeHead(200, {
      "content-type": file.type,
      "content-length": bytes.length,
      "cache-control": file.hashed ? "public, max-age=31536000, immutable" : "no-cache",
      vary: "accept-encoding",
      // performance.measureUserAgentSpecificMemory() works only in isolated pages.
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
      ...(compressed ? { "content-encoding": "br" } : {}),
    });
    response.end(bytes);
  }
}

function load(path, address) {
  const bytes = readFileSync(path);
  const type = extname(address);
  const brotli = PACKED.has(type) ? undefined : (twin(path) ?? compress(bytes));
  return {
    bytes,
    // Only if it is smaller.
    brotli: brotli && brotli.length < bytes.length ? brotli : undefined,
    type: TYPES[type] ?? "application/octet-stream",
    hashed: HASHED.test(address),
  };
}

// Returns the precompressed copy of a file, if the build created one.
function twin(path) {
  try {
    return readFileSync(`${path}.br`);
  } catch {
    return undefined;
  }
}

function compress(bytes) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params });
}
