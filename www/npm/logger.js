// The lines that a workspace writes to the page's logger. They contain neither keys nor headers nor bodies, apart from
// what the message of an error quotes.

export const LEVELS = ["off", "error", "warn", "info", "debug"];

// Each event of the hooks: its level, and its line.
const LINES = {
  onRequest: ["debug", ({ operation, method, url, attempt }) => `${operation}: ${method} ${url}, attempt ${attempt}`],
  onResponse: [
    "debug",
    ({ operation, attempt, status, durationMs, requestId, aborted }) =>
      `${operation}: ${aborted ? "aborted" : (status ?? "no response")} after ${Math.round(durationMs)} ms, ` +
      `attempt ${attempt}${requestId === null ? "" : ` (request ${requestId})`}`,
  ],
  onRetry: [
    "info",
    ({ operation, attempt, delayMs, reason }) =>
      `${operation}: attempt ${attempt} failed and is repeated in ${delayMs} ms: ${reason}`,
  ],
  onGate: [
    "debug",
    ({ state, retryAfterMs, waiting }) =>
      `the rate-limit gate is ${state}, for ${retryAfterMs} ms; ${waiting} calls are waiting`,
  ],
};

/**
 * Returns the function that writes a line to the logger of these options, if their level includes it, and returns
 * whether it does.
 */
export function logOf(options) {
  return (level, line) => {
    if (!isLogged(level, options)) return false;
    try {
      (options.logger ?? console)[level](`lead-workspace: ${line}`);
    } catch (error) {
      // Like an exception in a hook, it does not end the call.
      (globalThis.reportError ?? console.error)(error);
    }
    return true;
  };
}

/**
 * Returns the hooks of these options, which also write to the log; undefined if there are none. They reach the options
 * through `reach` when they are called.
 */
export function listeners(options, reach) {
  const { hooks } = options;
  // The module refuses anything else.
  if (hooks != null && typeof hooks !== "object") return hooks;
  let all = hooks;
  for (const [name, [level]] of Object.entries(LINES)) {
    const hook = hooks?.[name];
    const logs = isLogged(level, options);
    if (typeof hook !== "function" && (hook != null || !logs)) continue;
    all = { ...all, [name]: listener(name, logs, reach) };
  }
  return all;
}

// A function of its own: a closure in `listeners` would keep the options alive.
function listener(name, logs, reach) {
  const [level, line] = LINES[name];
  return (event) => {
    const page = reach();
    if (logs && page) logOf(page)(level, line(event));
    page?.hooks?.[name]?.(event);
  };
}

const isLogged = (level, { logLevel }) => LEVELS.indexOf(level) <= LEVELS.indexOf(logLevel ?? "warn");
