import assert from "node:assert/strict";
import { test } from "node:test";

import * as errors from "../../src/js/errors.js";

const NAMES = [
  "WorkspaceError", "ValidationError", "AuthError", "NotFoundError", "RateLimitError",
  "TimeoutError", "NetworkError", "DecodeError", "OutcomeUnknownError", "ArgumentError",
];

const FIELDS = {
  operation: "queryLeads",
  status: 429,
  requestId: "r1",
  attempts: 3,
  retryable: true,
  ambiguous: false,
  retryAfterMs: 1500,
  code: "x",
};

const CODES = {
  WorkspaceError: null, ValidationError: "validation", AuthError: "key_refused", NotFoundError: "not_found",
  RateLimitError: "rate_limited", TimeoutError: "timeout", NetworkError: "network", DecodeError: "decode",
  OutcomeUnknownError: "outcome_unknown", ArgumentError: "argument",
};

for (const name of NAMES) {
  test(`${name} is an Error with a name, fields and a cause`, () => {
    const error = errors.makeError(name, "It failed.", { ...FIELDS, cause: "the reason" });
    assert.ok(error instanceof errors[name]);
    assert.ok(error instanceof errors.WorkspaceError);
    assert.ok(error instanceof Error);
    assert.equal(error.name, name);
    assert.equal(Object.hasOwn(error, "name"), false);
    assert.equal(String(error), `${name}: It failed.`);
    assert.match(error.stack, /It failed\./);
    assert.equal(error.cause.message, "the reason");
    for (const [field, value] of Object.entries(FIELDS)) assert.equal(error[field], value);
  });

  test(`${name} as JSON has all fields`, () => {
    const error = errors.makeError(name, "It failed.", { ...FIELDS, cause: "the reason" });
    const extra = { detail: null, ...(name === "RateLimitError" && { until: null }) };
    assert.deepEqual(JSON.parse(JSON.stringify(error)), {
      name,
      message: "It failed.",
      ...FIELDS,
      ...extra,
      cause: "the reason",
    });
    // The object that a Worker would post.
    assert.deepEqual(structuredClone(error.toJSON()), error.toJSON());
  });

  test(`${name} is revived from JSON`, () => {
    const extra = name === "RateLimitError" ? { until: 7 } : {};
    const detail = [{ loc: ["body"], msg: "odd", type: "x", input: null, ctx: {} }];
    for (const fields of [{}, { ...FIELDS, ...extra, detail, cause: "the reason" }]) {
      const json = structuredClone(new errors[name]("It failed.", fields).toJSON());
      const error = errors.WorkspaceError.fromJSON(json);
      assert.ok(error instanceof errors[name]);
      assert.deepEqual(error.toJSON(), json);
      assert.equal(error.cause instanceof Error, fields.cause !== undefined);
    }
  });

  test(`${name} has the code of its class by default`, () => {
    assert.equal(new errors[name]("It failed.").code, CODES[name]);
    assert.equal(new errors[name]("It failed.", { code: "other" }).code, "other");
  });
}

test("an error as JSON has no stack, even if the platform makes it enumerable", () => {
  const error = errors.makeError("AuthError", "No.", {});
  error.stack = "at somewhere";
  Object.defineProperty(error, "stack", { enumerable: true });
  assert.equal("stack" in error.toJSON(), false);
});

test("unknown fields are null, and there is no cause", () => {
  const error = errors.makeError("TimeoutError", "No answer.", { operation: null, cause: null });
  assert.equal(error.cause, undefined);
  assert.equal("cause" in error, false);
  assert.deepEqual([error.status, error.requestId, error.retryable], [null, null, false]);
});

test("details are kept unchanged", () => {
  const entries = [{ loc: ["body", "page"], msg: "too small", type: "x", input: 0, ctx: { ge: 1 } }];
  for (const detail of [entries, "no", { any: 1 }]) {
    const error = errors.makeError("ValidationError", "Refused.", { detail });
    assert.deepEqual(error.detail, detail);
  }
  assert.equal(errors.makeError("AuthError", "No.", { detail: "x" }).detail, "x");
  assert.equal(errors.makeError("RateLimitError", "Busy.", { until: 5 }).until, 5);
});

test("undeclared fields such as the key are not copied", () => {
  const error = errors.makeError("AuthError", "No.", { apiKey: "lwk_1_secret" });
  assert.doesNotMatch(JSON.stringify(error) + Object.keys(error), /secret|apiKey/);
});

test("an unknown class becomes WorkspaceError", () => {
  for (const name of ["Nonsense", "constructor", "__proto__"]) {
    assert.equal(errors.makeError(name, "x", {}).name, "WorkspaceError");
  }
});

test("what is no error of a workspace is not revived", () => {
  for (const odd of [undefined, null, "AuthError", 7, {}, { name: "AuthError" }]) {
    assert.throws(() => errors.WorkspaceError.fromJSON(odd), errors.ArgumentError);
  }
  assert.equal(errors.WorkspaceError.fromJSON({ name: "LaterError", message: "x" }).name, "WorkspaceError");
});

test("errors of another copy of the package are recognized", async () => {
  const copy = await import("../../src/js/errors.js?copy");
  const theirs = new copy.AuthError("No.");
  assert.equal(theirs instanceof errors.WorkspaceError, false);
  assert.ok(errors.isWorkspaceError(theirs));
  assert.ok(errors.isWorkspaceError(new errors.NetworkError("gone")));
  for (const odd of [undefined, null, "x", {}, new Error("x"), theirs.toJSON()]) {
    assert.equal(errors.isWorkspaceError(odd), false);
  }
});
