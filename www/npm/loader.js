// Loads the Wasm module, once per page.

import instantiate from "./client.js";
import { ArgumentError, NetworkError, WorkspaceError } from "./errors.js";
import { notAModule, notLoaded, notServed } from "./load-errors.js";

const ADVICE = ", or pass its URL as `wasm`";

let defaultSource;
let loading;

/** Sets the source that is used if the caller passes none; called by the package's entry points. */
export function setDefaultSource(source) {
  defaultSource = source;
}

/** Loads the module. The first call decides the source; a failed load may be retried. */
export function init(source) {
  // A source that is not used may still reject; this prevents an unhandled rejection.
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

// A source may be the promise of a response, which can fail like any request.
async function arrived(source) {
  try {
    return await source;
  } catch (cause) {
    throw cause?.name === "AbortError" ? cause : unreachable(" with the given request", cause);
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
    if (error instanceof WorkspaceError) throw error;
    throw new WorkspaceError(notAModule(source.url), { operation: "init", code: "load", cause: error });
  }
  throw new ArgumentError(
    "Nothing was loaded: the source of the WebAssembly module must be a URL, a string, a Response, " +
      "bytes or a WebAssembly.Module.",
    { operation: "init", code: "source" },
  );
}

async function compileResponse(response) {
  // `ok` is undefined for a Blob, which works as well.
  if (response.ok === false) {
    const { status } = response;
    throw new WorkspaceError(notServed(response, ADVICE), { operation: "init", code: "load", status });
  }
  const type = response.headers?.get("content-type") ?? "";
  const streams = typeof WebAssembly.compileStreaming === "function";
  // Browsers stream only the type `application/wasm`; many servers send another type.
  if (streams && type.trim().toLowerCase() === "application/wasm") {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

async function open(source) {
  try {
    return (await readFile(source)) ?? (await fetch(source));
  } catch (cause) {
    throw unreachable(` from ${source}`, cause);
  }
}

// Node's fetch does not read files. With `getBuiltinModule`, bundlers for browsers do not try to resolve
// `fs`.
async function readFile(source) {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!fs) return undefined;
  const url = URL.canParse(source) ? new URL(source) : undefined;
  // A bare path is a file if there is no page that it could be relative to.
  const isFile = url ? url.protocol === "file:" : globalThis.location === undefined;
  return isFile ? fs.readFile(url ?? source) : undefined;
}

function unreachable(how, cause) {
  return new NetworkError(notLoaded(how, ADVICE), { operation: "init", code: "load", retryable: true, cause });
}
