// What to do if a WebAssembly module cannot be loaded: for the client and for the screen.

/** There was no module. `advice` follows "Check that the file is served there". */
export const notLoaded = (how, advice) =>
  `The WebAssembly module could not be loaded${how}. Check that the file is served there${advice}.${moved()}`;

/** There was a response, with another status than of success. */
export const notServed = ({ url, status }, advice) => notLoaded(`: ${url} responded with status ${status}`, advice);

/** What was loaded could not be compiled. */
export const notAModule = (url) =>
  `The WebAssembly module could not be compiled: the data${url ? ` from ${url}` : ""} is not a WebAssembly ` +
  "module (some servers respond to every URL with a web page), or the page's Content-Security-Policy " +
  `lacks 'wasm-unsafe-eval'.${moved()}`;

// During development, Vite up to version 7 moves scripts there and leaves other files behind.
const moved = () =>
  import.meta.url.includes("/deps/")
    ? " Vite moved this script: add the package to `optimizeDeps.exclude`."
    : "";
