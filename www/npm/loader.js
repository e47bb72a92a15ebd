// Loads the Wasm module, once for the whole page.

import instantiate from "./client.js";
import { ArgumentError, NetworkError, WorkspaceError } from "./errors.js";

let defaultSource;
let loading;

/** Says where the module is when nobody else does; called by the entries of the package. */
export function setDefaultSource(source) {
  defaultSource = source;
}

/** Loads the module. The first call decides where from; a load that failed may be tried again. */
export function init(source) {
  // A promise that nothing is loaded from may fail all the same, and nobody would see to it.
  if (loading && typeof source?.then === "function") Promise.resolve(source).catch(() => {});
  loading ??= load(source).catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(source) {
  const module = await compile(await arrived(source ?? defaultSource()));
  await instantiate({ module_or_path: module });
}

// A source may be the promise of a response, which fails as any request does.
async function arrived(source) {
  try {
    return await source;
  } catch (cause) {
    throw cause?.name === "AbortError" ? cause : unreachable("by the request that was passed", cause);
  }
}

async function compile(source) {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source === "string" || source instanceof URL) return compile(await open(source));
  try {
    if (typeof source?.arrayBuffer === "function") return await compileResponse(source);
    if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
      return await WebAssembly.compile(source);
    }
  } catch (error) {
    throw error instanceof WorkspaceError ? error : notAModule(error, source.url);
  }
  throw new ArgumentError(
    "Nothing was loaded: the source of the WebAssembly module must be a URL, a string, a Response, " +
      "bytes or a WebAssembly.Module.",
    { operation: "init", code: "source" },
  );
}

async function compileResponse(response) {
  // `false` for a response; undefined for a Blob, which is as good.
  if (response.ok === false) {
    throw new WorkspaceError(
      `The WebAssembly module could not be loaded: ${response.url} answered ${response.status}. ` +
        `See that the file is served there, or pass its address as \`wasm\`.${moved()}`,
      { operation: "init", code: "load", status: response.status },
    );
  }
  const type = response.headers?.get("content-type") ?? "";
  const streams = typeof WebAssembly.compileStreaming === "function";
  // Browsers stream only what is called Wasm; many servers call it something else.
  if (streams && type.trim().toLowerCase() === "application/wasm") {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

async function open(source) {
  try {
    return (await readFile(source)) ?? (await fetch(source));
  } catch (cause) {
    throw unreachable(`from ${source}`, cause);
  }
}

// Node's fetch takes no files. Asked for like this, bundlers for browsers do not look for `fs`.
async function readFile(source) {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!fs) return undefined;
  const url = URL.canParse(source) ? new URL(source) : undefined;
  // A bare path means a file where there is no page that it could be relative to.
  const isFile = url ? url.protocol === "file:" : globalThis.location === undefined;
  return isFile ? fs.readFile(url ?? source) : undefined;
}

// Vite up to version 7 moves scripts there while developing, and leaves their files behind.
const moved = () =>
  import.meta.url.includes("/deps/")
    ? " Vite moved this script: name the package in `optimizeDeps.exclude`."
    : "";

function unreachable(where, cause) {
  return new NetworkError(
    `The WebAssembly module could not be loaded ${where}. ` +
      `See that the file is served there, or pass its address as \`wasm\`.${moved()}`,
    { operation: "init", code: "load", retryable: true, cause },
  );
}

function notAModule(cause, url) {
  return new WorkspaceError(
    `The WebAssembly module could not be compiled: what was loaded${url ? ` from ${url}` : ""} is none (a ` +
      "server that answers every address with a page does that), or the page's Content-Security-Policy " +
      `lacks 'wasm-unsafe-eval'.${moved()}`,
    { operation: "init", code: "load", cause },
  );
}
