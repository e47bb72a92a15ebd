// The texts of errors, and the fields next to them.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { failed, tellRetry } from "../../src/js/face.js";
import { wait } from "../../src/js/fetch.js";

const ROOT = join(import.meta.dirname, "..", "..");
const KINDS = [
  "argument", "validation", "no_key", "key_refused", "forbidden", "not_found", "rate_limited", "timeout",
  "network", "redirected", "too_large", "decode", "status", "outcome_unknown",
];

function make(code, { operation = "get_lead", detail, said = "", limit, cause, ...more } = {}) {
  const { status, id, attempts = 1, retryable = false, writes = false, ambiguous = false, unpaid = false, wait } = more;
  return failed(
    KINDS.indexOf(code), operation, status, id, attempts, retryable, writes, ambiguous, unpaid, wait,
    detail && JSON.stringify(detail), said, limit, cause,
  );
}

test("what the server says stands in the message and in `detail`", () => {
  const said = "there is nothing at /api/api/leads/query";
  for (const [code, status] of [["key_refused", 401], ["forbidden", 403], ["not_found", 404], ["status", 503]]) {
    const error = make(code, { status, detail: said, said });
    assert.ok(error.message.includes(said), error.message);
    assert.equal(error.detail, said);
    assert.equal(error.code, code);
  }
  assert.equal(
    make("not_found", { detail: said, said }).message,
    `getLead: the server says: ${said}. Check the id and \`baseUrl\`.`,
  );
  const entries = [{ loc: ["body", "page"], msg: "too small", type: "x", input: 0, ctx: {} }];
  const error = make("validation", { detail: entries, said: "page: too small" });
  assert.deepEqual(error.detail, entries);
  assert.equal(error.message, "The server refused it: page: too small. Correct it and try again.");
});

test("no message speaks of a screen", () => {
  for (const code of KINDS) {
    const cause = make("timeout", { limit: 1500 });
    const error = make(code, { status: 418, said: "x", limit: 2000, cause: code === "outcome_unknown" ? cause : undefined });
    assert.doesNotMatch(error.message, /Refresh|Paste|Enter|undefined|\.\./, error.message);
  }
});

test("what became of a write, the budget and the request's id are told", () => {
  const error = make("status", { status: 503, writes: true, ambiguous: true, unpaid: true, id: "r1", retryable: true });
  assert.equal(
    error.message,
    "The service is unavailable (503). It is not known whether the change was made. It was not sent " +
      "again: too many calls failed lately. Try again in a moment. (Request r1)",
  );
  assert.match(make("forbidden", { writes: true }).message, /Nothing was changed\./);
});

test("the cause of an unknown outcome is an error of its own", () => {
  const cause = make("timeout", { operation: "score_leads", limit: 1500 });
  const error = make("outcome_unknown", { operation: "score_leads", cause });
  assert.equal(error.cause, cause);
  assert.equal(cause.message, "The server did not answer within 1.5 s.");
  assert.match(error.message, /^It may have been started, or not\. The server did not answer within 1.5 s\. /);
});

test("hooks hear what happened in a sentence", () => {
  const seen = [];
  const error = make("status", { status: 503 });
  tellRetry((event) => seen.push(event), "get_lead", 1, 200, error);
  const reason = "The service is unavailable (503)";
  assert.deepEqual(seen, [{ operation: "getLead", attempt: 1, delayMs: 200, reason, status: 503, error }]);
  assert.equal(seen[0].error, error);
});

test("times and sizes are said in numbers that a person reads", () => {
  const timeouts = [[1, "1 ms"], [999, "999 ms"], [1000, "1 s"], [9573, "9.6 s"], [1_800_000, "1800 s"]];
  for (const [limit, text] of timeouts) {
    assert.ok(make("timeout", { limit }).message.startsWith(`The server did not answer within ${text}.`));
  }
  const sizes = [[100, "100 bytes"], [500_000, "488.2 KiB"], [33_554_432, "32 MiB"], [3e9, "2861 MiB"]];
  for (const [limit, text] of sizes) {
    assert.ok(make("too_large", { limit }).message.startsWith(`The answer is larger than ${text}.`));
  }
});

test("a server that does not say why is not quoted", () => {
  assert.equal(make("validation", { status: 422, said: "it did not say why" }).detail, null);
});

test("the codes are those of the module, of the types and of the reference", async () => {
  const face = await readFile(join(ROOT, "src/js/face.js"), "utf8");
  const types = await readFile(join(ROOT, "www/npm/errors.d.ts"), "utf8");
  const told = new Set([...types.matchAll(/^ {2}\| "(\w+)"/gm)].map(([, code]) => code));
  const used = new Set([...face.matchAll(/^ {2}\["(\w+)", "\w+Error"\],$/gm)].map(([, code]) => code));
  assert.deepEqual([...used], KINDS);
  for (const path of ["src/js/guard.js", ...["calls", "loader", "options", "workspace"].map((it) => `www/npm/${it}.js`)]) {
    const text = await readFile(join(ROOT, path), "utf8");
    for (const [, code] of text.matchAll(/code: "(\w+)"/g)) used.add(code);
  }
  assert.deepEqual([...told].sort(), [...used].sort());
});

test("how long a server asks to be left alone", () => {
  const now = "Sun, 06 Nov 1994 08:49:37 GMT";
  const cases = [
    [["1500", "9", null], 1500],
    [[null, "2", null], 2000],
    [[null, " 1.5 ", null], 1500],
    [[null, "Sun, 06 Nov 1994 08:49:40 GMT", now], 3000],
    [[null, "Sunday, 06-Nov-94 08:49:40 GMT", now], 3000],
    [[null, "Sun Nov  6 08:49:40 1994", now], 3000],
    [[null, "Sun, 06 Nov 1994 08:49:30 GMT", now], 0],
    [[null, "Sun, 06 Nov 1994 08:49:40 GMT", null], undefined],
    [[null, "1e400", now], undefined],
    [[null, "9".repeat(400), null], 1e12],
  ];
  for (const nothing of ["-5", "", "soon", "1 s", "0x10", ".5", "5."]) cases.push([[null, nothing, now], undefined]);
  for (const [headers, expected] of cases) assert.equal(wait(...headers), expected, JSON.stringify(headers));
});
