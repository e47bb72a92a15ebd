// Where a file of the package is.

/**
 * The address of a file beside the package's scripts. Vite up to version 7 moves scripts into a
 * folder of its own while developing and leaves their files behind: those are taken from where the
 * package is. `new URL("./file", import.meta.url)` stands with the caller, where bundlers see it.
 */
export function asset(url) {
  url.pathname = url.pathname.replace("/node_modules/.vite/deps/", "/node_modules/lead-workspace/");
  return url;
}
