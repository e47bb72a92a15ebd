// The faults. Each fault gets the exchange, whose head was read, and the cell that it is played in; `cell.commit()`
// reads the request to its end and records that the server applied it. Every response includes the key that was sent,
// wherever it can. `repeats`: a call may be sent as often as its deadline allows. `stalls`: a response takes longer than that.

const MEGABYTE = 1 << 20;
const HUGE = 200 * MEGABYTE;

const key = (exchange) => exchange.headers.authorization ?? "no key";
const detail = (exchange) => ({ detail: `not with ${key(exchange)}` });
const webPage = (exchange) => `<!doctype html><title>Sign in</title><p>${key(exchange)}</p>`;
const HTML = { "content-type": "text/html; charset=utf-8" };
const shown = (...names) => ({ "access-control-expose-headers": ["X-Request-Id", ...names].join() });

// The correct response, with the key in a member that is not in the contract.
function text(exchange, cell) {
  const note = JSON.stringify({ note: key(exchange) }).slice(0, -1);
  return `${note},${JSON.stringify(cell.operation.answer).slice(1)}`;
}

// Responds with a status, after the request was applied or without applying it.
const answers = (status, { commit = false, headers = {}, body = detail } = {}) =>
  async (exchange, cell) => {
    await (commit ? cell.commit(exchange) : exchange.body());
    const all = { ...shown(), "x-request-id": key(exchange), ...headers };
    exchange.answer({ status, headers: all, body: body(exchange, cell) });
  };

const done = (options) => answers(200, { commit: true, ...options });

const elsewhere = (status) => async (exchange, cell) => {
  await exchange.body();
  const location = `${cell.elsewhere}${exchange.target}`;
  exchange.answer({ status, headers: { location }, body: detail(exchange) });
};

const wrongLength = (by) => async (exchange, cell) => {
  await cell.commit(exchange);
  const body = text(exchange, cell);
  exchange.head({ headers: { "content-type": "application/json" }, length: body.length + by });
  await exchange.write(body);
  exchange.end();
};

export const FAULTS = {
  "reset before the request is read": { connect: (socket) => socket.resetAndDestroy() },
  "reset before the commit": { play: async (exchange) => exchange.reset() },
  "reset after the commit": {
    async play(exchange, cell) {
      await cell.commit(exchange);
      exchange.reset();
    },
  },
  "reset in the middle of the body": {
    async play(exchange, cell) {
      await cell.commit(exchange);
      const body = text(exchange, cell);
      exchange.head({ headers: { "content-type": "application/json" }, length: body.length });
      await exchange.write(body.slice(0, body.length / 2));
      exchange.reset();
    },
  },
  "truncated JSON": {
    play: done({ body: (...at) => text(...at).slice(0, -2) }),
  },
  "a Content-Length that is too large": { play: wrongLength(100) },
  "a Content-Length that is too small": { play: wrongLength(-2) },
  "a web page with status 200": { play: done({ headers: HTML, body: webPage }) },
  "a web page with status 502": {
    play: answers(502, { commit: true, headers: HTML, body: webPage }),
  },
  "an empty body with status 200": { play: done({ body: () => "" }) },
  "429 with Retry-After": {
    play: answers(429, {
      headers: { "retry-after": "1", ...shown("Retry-After") },
    }),
    repeats: true,
  },
  "429 with a hidden Retry-After": {
    play: answers(429, { headers: { "retry-after": "1" } }),
    hides: true,
    // The wait is shorter than a bulk update's own backoff.
    repeats: true,
  },
  "429 with a date": {
    // The date is long past unless it is compared with the server's own clock.
    play: answers(429, {
      headers: {
        date: "Sun, 06 Nov 1994 08:49:37 GMT",
        "retry-after": "Sun, 06 Nov 1994 08:49:38 GMT",
        ...shown("Retry-After", "Date"),
      },
    }),
    repeats: true,
  },
  "429 with a wait of an hour": {
    play: answers(429, {
      headers: { "retry-after-ms": "3600000", ...shown("Retry-After-Ms") },
    }),
  },
  "repeated 503": { play: answers(503, { commit: true }) },
  "422 that repeats the key": {
    play: answers(422, {
      body: (exchange) => ({
        detail: [{
          loc: ["header", "authorization", 0],
          msg: `${key(exchange)} is odd`,
          type: "value_error",
          input: { authorization: key(exchange) },
        }],
      }),
    }),
  },
  "no body after the headers": {
    stalls: true,
    async play(exchange, cell) {
      await cell.commit(exchange);
      exchange.head({ headers: { "content-type": "application/json" }, length: 100 });
      await exchange.closed;
    },
  },
  "one byte each second": {
    stalls: true,
    async play(exchange, cell) {
      await cell.commit(exchange);
      const body = text(exchange, cell);
      exchange.head({ headers: { "content-type": "application/json" }, length: body.length });
      for (const byte of body) {
        if (!(await exchange.write(byte))) return;
        await Promise.race([exchange.closed, second()]);
      }
    },
  },
  "a body of 200 MB": {
    async play(exchange, cell) {
      await cell.commit(exchange);
      exchange.head({ headers: { "content-type": "application/json" }, length: HUGE });
      await exchange.write('{"note":"');
      const part = Buffer.alloc(MEGABYTE / 4, "a");
      while (cell.bytes < HUGE && (await exchange.write(part))) cell.bytes += part.length;
    },
  },
  "redirect 301 to another origin": { play: elsewhere(301) },
  "redirect 302 to another origin": { play: elsewhere(302) },
  "redirect 307 to another origin": { play: elsewhere(307) },
  "redirect 308 to another origin": { play: elsewhere(308) },
  "a wrong content type": { play: done({ headers: { "content-type": "text/plain" }, body: text }) },
  "a content type that repeats the key": {
    async play(exchange, cell) {
      await cell.commit(exchange);
      const [, secret] = key(exchange).split(" ");
      exchange.answer({ headers: { "content-type": `text/${secret}` }, body: text(exchange, cell) });
    },
  },
  "bytes that are not UTF-8": {
    play: done({
      body(...at) {
        const body = Buffer.from(text(...at));
        body[body.indexOf("Bearer")] = 0xff;
        return body;
      },
    }),
  },
  "invalid gzip": {
    play: done({ headers: { "content-encoding": "gzip" }, body: text }),
  },
};

function second() {
  return new Promise((resolve) => { setTimeout(resolve, 1000).unref(); });
}
