// Resolves the URLs of the package's files.

/**
 * Returns the URL of a file next to the package's scripts, as a string: Next.js makes objects that are no real URLs and
 * cannot be changed.
 *
 * During development, Vite up to version 7 moves scripts into its own folder and leaves other files behind.
 * Such URLs are redirected to the package's folder. The caller writes `new URL("./file", import.meta.url)`,
 * so that bundlers detect it.
 */
export function asset(url) {
  return url.href.replace("/node_modules/.vite/deps/", "/node_modules/lead-workspace/");
}
