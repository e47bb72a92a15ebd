// The warning of an API key in a page, whose users can all read it.

// Registered, so that two copies of the package in one page warn once.
const WARNED = Symbol.for("lead-workspace.key-warning");

const LOCAL = /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/;

/**
 * Warns, once per page, of a key that was given to a page or worker from another machine.
 * @param {{ apiKey?: unknown, allowApiKeyInPage?: unknown }} options
 * @param {(level: string, line: string) => boolean} log See `logOf`.
 */
export function warnOfKey({ apiKey, allowApiKeyInPage }, log) {
  // Neither Node nor a page from a file has an origin. That of a worker made from a blob is its page's.
  const { origin } = globalThis;
  if (!apiKey || allowApiKeyInPage || globalThis[WARNED] || !URL.canParse(origin)) return;
  if (LOCAL.test(new URL(origin).hostname)) return;
  globalThis[WARNED] = log(
    "warn",
    "everyone who opens this page can read its API key. Run the service as a gateway " +
      "(`lead-workspace serve --upstream`), which keeps the workspace's key and gives each person their own. " +
      "If this key is the user's own, set `allowApiKeyInPage: true`.",
  );
}
