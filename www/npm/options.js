// The members of our objects of options. One that nobody knows is a slip of the pen, and would be without
// effect in silence.

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

/** Refuses an object that has a member which none of ours is called. */
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

/** Refuses options of `Workspace.create` that nobody knows. */
export function checkCreate(options) {
  const { retry, hooks } = options;
  check("options", options, CREATE, "create");
  check("options.retry", retry, RETRY, "create");
  check("options.hooks", hooks, HOOKS, "create");
}

// The member that begins like another one, however it is written.
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
