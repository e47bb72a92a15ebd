// The expected outcome of a call for each fault and operation class. Derived from the client's documented
// guarantees, not from its behavior:
//
// - reads, updates and deletes are sent three times if a retry can help, and once if not;
// - a start is sent again only after a 429, and its outcome is unknown if it may have begun;
// - a write that may have been applied is `ambiguous`, a read never is;
// - a delete has no body in the contract, so no body is wrong, except a web page, which comes from another server;
// - redirects are not followed, and a refused request was not applied.

// As many attempts as the deadline allows: waits set by the server do not count as retries.
export const MANY = "more than three times";

const DONE = { done: true };

const error = (name, code, attempts, ambiguous, more) => ({ name, code, attempts, ambiguous, ...more });

const unknown = (more) => error("OutcomeUnknownError", "outcome_unknown", 1, true, more);

// The server may have applied it, and the client cannot find out.
const maybe = (name, code, attempts, more) => ({
  read: error(name, code, attempts, false, more),
  idempotent: error(name, code, attempts, true, more),
  delete: error(name, code, attempts, true, more),
  start: unknown({ status: null, ...more }),
});

// It was certainly not applied.
const refused = (name, code, attempts, more) => {
  const same = error(name, code, attempts, false, more);
  return { read: same, idempotent: same, delete: same, start: same };
};

const broken = maybe("NetworkError", "network", 3, { status: null });
const late = maybe("TimeoutError", "timeout", 3, { status: null });
const failed = (status) => maybe("WorkspaceError", "status", 3, { status });
const limited = (attempts, retryAfterMs) =>
  refused("RateLimitError", "rate_limited", attempts, { status: 429, retryAfterMs });
const redirected = refused("WorkspaceError", "redirected", 1);
const nonsense = maybe("DecodeError", "decode", 1, { status: 200 });
// The same for a body that a delete ignores.
const noise = { ...nonsense, delete: DONE };

export const EXPECTED = {
  "reset before the request is read": broken,
  "reset before the commit": broken,
  "reset after the commit": broken,
  "reset in the middle of the body": broken,
  "truncated JSON": noise,
  "a Content-Length that is too large": broken,
  "a Content-Length that is too small": noise,
  "a web page with status 200": nonsense,
  "a web page with status 502": failed(502),
  "an empty body with status 200": noise,
  "429 with Retry-After": limited(MANY, 1000),
  "429 with a hidden Retry-After": limited(3, null),
  "429 with a date": limited(MANY, 1000),
  "429 with a wait of an hour": limited(1, 3_600_000),
  "repeated 503": failed(503),
  "422 that repeats the key": refused("ValidationError", "validation", 1, { status: 422 }),
  "no body after the headers": late,
  "one byte each second": late,
  "a body of 200 MB": maybe("DecodeError", "too_large", 1),
  "redirect 301 to another origin": redirected,
  "redirect 302 to another origin": redirected,
  "redirect 307 to another origin": redirected,
  "redirect 308 to another origin": redirected,
  "a wrong content type": noise,
  "a content type that repeats the key": noise,
  "bytes that are not UTF-8": noise,
  "invalid gzip": broken,
};

// The outcome if only the first request fails: the retry succeeds. (A retried delete gets a 404 if the first one was
// applied; that is success, too.)
export function afterOne(expected) {
  return expected.attempts === MANY || expected.attempts > 1 ? { done: true, attempts: 2 } : expected;
}
