// One request with the platform's `fetch`, once: no cookies, no cache, no redirects. What
// `src/client/fetch.rs` does for Rust callers; streams and headers are read here, where they live.

import { own } from "./guard.js";

/**
 * Starts a request. `answer` never rejects; `end` ends it.
 * @param {string[]} query Names and values in turn.
 * @param {string[]} headers Names and values in turn.
 * @param {number} cap The largest body, in bytes.
 */
export function send(method, url, query, headers, body, cap) {
  const controller = new AbortController();
  const secrets = headers.filter((text) => text.startsWith("Bearer ")).map((text) => text.slice(7));
  return own({
    answer: exchange(
      method, url, pairs(query), pairs(headers), body, cap, controller.signal, secrets,
    ),
    end: () => controller.abort(),
  });
}

const pairs = (texts) => texts.flatMap((name, at) => (at % 2 ? [] : [[name, texts[at + 1]]]));

// Whether the browser knows that it has no connection. This computer is reached without one.
const isOffline = (url) =>
  globalThis.navigator?.onLine === false &&
  url.includes("://") &&
  !["://127.", "://localhost", "://[::1]"].some((host) => url.includes(host));

// What the platform threw, by what stands for it in the module, which knows only texts. A call that fails
// asks for its own at once, so the latest are enough.
const latest = new Map();
const KEPT = 100;
let count = 0;

/** What was thrown where the module was told these words. */
export const thrown = (words) => latest.get(words);

function keep(error, url, secrets) {
  const words = String(error ?? "");
  // Nobody is shown the key, however it came into an error of the platform's.
  const text = [words, error?.stack, error?.cause?.stack].join();
  if (!(error instanceof Error) || secrets.some((secret) => text.includes(secret))) return words;
  count += 1;
  const name = `${count} ${words}`;
  latest.set(name, { error, elsewhere: isElsewhere(url) });
  if (latest.size > KEPT) latest.delete(latest.keys().next().value);
  return name;
}

// Whether a page asks another origin, which must allow it. Outside of pages nobody does. The address of a
// worker made of a blob, or of a frame made of a text, says nothing of their origin.
function isElsewhere(url) {
  const { origin } = globalThis;
  return origin !== undefined && URL.canParse(url) && new URL(url).origin !== origin;
}

async function exchange(method, url, query, headers, body, cap, signal, secrets) {
  // Nothing was sent, and nothing will be: the platform refuses such a request.
  let trouble = "refused";
  try {
    if (body !== undefined) headers.push(["content-type", "application/json"]);
    const request = new Request(query.length > 0 ? extended(url, query) : url, {
      method,
      headers,
      body,
      signal,
      redirect: "manual",
      // Some platforms without cookies or a cache refuse a word on them.
      ...("credentials" in Request.prototype && { credentials: "omit" }),
      ...("cache" in Request.prototype && { cache: "no-store" }),
      // Goes on when the page is left: what was deleted there is not shown again.
      ...(method === "DELETE" && "keepalive" in Request.prototype && { keepalive: true }),
    });
    trouble = isOffline(url) ? "unsent" : "network";
    const response = await fetch(request);
    // With redirect "error" a redirect would look like any broken connection.
    if (response.type === "opaqueredirect") return { trouble: "redirected" };
    trouble = "broken";
    const bytes = await read(response.body, cap);
    if (!bytes) return { trouble: "too large" };
    // As far as the browser shows the headers: cross-origin they are hidden unless exposed.
    const header = (name) => response.headers.get(name);
    return {
      status: response.status,
      contentType: header("content-type"),
      requestId: header("x-request-id"),
      wait: wait(header("retry-after-ms"), header("retry-after"), header("date")),
      bytes,
    };
  } catch (error) {
    return { trouble, words: trouble === "refused" ? String(error?.message ?? error) : keep(error, url, secrets) };
  }
}

/**
 * How long a server asks to be left alone, in milliseconds, as `src/client/retry_after.rs` reads it: a date
 * counts against the server's own, and says nothing without it.
 */
export function wait(milliseconds, seconds, date) {
  const number = (text) => (/^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined);
  const time = number(milliseconds) ?? number(seconds) * 1000;
  if (time >= 0) return Math.min(time, 1e12);
  const at = (text) => (/^\w+,? .*:/.test(text) ? Date.parse(text.replace(/ GMT|$/, " GMT")) : NaN);
  const left = at(seconds) - at(date);
  return Number.isNaN(left) ? undefined : Math.max(left, 0);
}

// An address is relative to the page, which `URL` alone does not know.
function extended(url, query) {
  const address = new URL(new Request(url).url);
  for (const [name, value] of query) address.searchParams.append(name, value);
  return address.href;
}

// The whole body; nothing when it is larger than the cap.
async function read(body, cap) {
  const chunks = [];
  let size = 0;
  const reader = body?.getReader();
  for (let step; reader && !(step = await reader.read()).done; ) {
    chunks.push([step.value, size]);
    size += step.value.length;
    if (size > cap) return undefined;
  }
  const bytes = new Uint8Array(size);
  for (const [chunk, at] of chunks) bytes.set(chunk, at);
  return bytes;
}
