// The members of our option objects. An unknown member is a typo, which would otherwise be ignored silently.

import { ArgumentError } from "./errors.js";

export const CALL = ["signal", "timeoutMs", "deadlineMs", "retries"];
export const BULK = [...CALL, "chunkSize", "onProgress"];
export const JOB = [...CALL, "onProgress"];
export const WALK = [...CALL, "maxItems", "onDrift", "onRowError"];

export const HOOKS = ["onRequest", "onResponse", "onRetry", "onGate"];
const RETRY = ["attempts", "baseMs", "limitedBaseMs", "capMs", "longestWaitMs"];
const CREATE = [
  "baseUrl", "apiKey", "getApiKey", "tenantId", "retry", "timeoutMs", "deadlineMs", "maxBodyBytes", "jobPath",
  "allowScoringOfEverything", "allowUpdateWithoutStatus", "hooks", "wasm",
];

/** Rejects an object with an unknown member. */
export function check(name, value, known, operation) {
  if (typeof value !== "object" || value === null) return;
  const odd = Object.keys(value).find((member) => !known.includes(member));
  if (odd === undefined) return;
  const near = nearest(odd, known);
  const advice = near ? `Did you mean "${near}"?` : `It has ${known.join(", ")}.`;
  throw new ArgumentError(`Nothing was sent: there is no "${odd}" in ${name}. ${advice}`, {
    operation,
    code: "options",
    attempts: 0,
  });
}

/** Rejects unknown options of `Workspace.create`. */
export function checkCreate(options) {
  const { retry, hooks } = options;
  check("options", options, CREATE, "create");
  check("options.retry", retry, RETRY, "create");
  check("options.hooks", hooks, HOOKS, "create");
}

// Returns the known member with the longest common prefix of at least 3 letters, ignoring case and
// underscores.
function nearest(odd, known) {
  const plain = (name) => name.replaceAll("_", "").toLowerCase();
  const common = (a, b) => {
    let length = 0;
    while (length < a.length && a[length] === b[length]) length += 1;
    return length;
  };
  let best;
  let most = 2;
  for (const member of known) {
    const length = common(plain(odd), plain(member));
    if (length > most) [best, most] = [member, length];
  }
  return best;
}
