// What must become of a call, by what goes wrong and by the class of the operation. Written from the
// rules that the client promises, not from what it does:
//
// - reads, updates and deletes are sent three times where trying again can help, and once where not;
// - a start is sent again only after 429, and is of unknown outcome wherever it may have begun;
// - a write that may have been done is `ambiguous`, a read never is;
// - a delete promises no body, so none can be wrong; but a web page is somebody else's answer;
// - redirects are not followed, and what is refused was not done.

// As often as the deadline lets it: waits that the server names are none of the attempts.
export const MANY = "more than three times";

const DONE = { done: true };

const error = (name, code, attempts, ambiguous, more) => ({ name, code, attempts, ambiguous, ...more });

const unknown = (more) => error("OutcomeUnknownError", "outcome_unknown", 1, true, more);

// The server may have done it, and nobody knows.
const maybe = (name, code, attempts, more) => ({
  read: error(name, code, attempts, false, more),
  idempotent: error(name, code, attempts, true, more),
  delete: error(name, code, attempts, true, more),
  start: unknown({ status: null, ...more }),
});

// It has not been done, for certain.
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
// The same, for a body that a delete does not wait for.
const noise = { ...nonsense, delete: DONE };

export const EXPECTED = {
  "reset before anything is read": broken,
  "reset before the commit": broken,
  "reset after the commit": broken,
  "reset in the middle of the body": broken,
  "JSON cut off": noise,
  "a length that promises too much": broken,
  "a length that promises too little": noise,
  "a web page with status 200": nonsense,
  "a web page with status 502": failed(502),
  "an empty answer with status 200": noise,
  "429 that says when": limited(MANY, 1000),
  "429 that hides when": limited(3, null),
  "429 with a date": limited(MANY, 1000),
  "429 for an hour": limited(1, 3_600_000),
  "a storm of 503": failed(503),
  "422 that repeats the key": refused("ValidationError", "validation", 1, { status: 422 }),
  "silence after the headers": late,
  "one byte each second": late,
  "a body of 200 MB": maybe("DecodeError", "too_large", 1),
  "redirect 301 to another origin": redirected,
  "redirect 302 to another origin": redirected,
  "redirect 307 to another origin": redirected,
  "redirect 308 to another origin": redirected,
  "a wrong content type": noise,
  "a content type that repeats the key": noise,
  "bytes that are not UTF-8": noise,
  "gzip that is none": broken,
};

// When only the first request goes wrong: what is sent again succeeds. (A delete is answered "not
// found" where the first one was done; that is success, too.)
export function afterOne(expected) {
  return expected.attempts === MANY || expected.attempts > 1 ? { done: true, attempts: 2 } : expected;
}
