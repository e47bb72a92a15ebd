// Sends one request with the platform's `fetch`, without retries, cookies, cache and redirects. The
// JavaScript counterpart of `src/client/fetch.rs`: reading streams and headers is cheaper here than
// in Rust.

import { own } from "./guard.js";

/**
 * Starts a request. `answer` never rejects; `end` aborts it.
 * @param {string[]} query Names and values alternate.
 * @param {string[]} headers Names and values alternate.
 * @param {number} cap The largest response body, in bytes.
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

// Whether the browser reports that it is offline. The local host is reachable nevertheless.
const isOffline = (url) =>
  globalThis.navigator?.onLine === false &&
  url.includes("://") &&
  !["://127.", "://localhost", "://[::1]"].some((host) => url.includes(host));

// The latest exceptions of the platform, by the text that represents them in the module, which only
// handles strings. A failed call looks its exception up immediately, so the latest ones are enough.
const latest = new Map();
const KEPT = 100;
let count = 0;

/** Returns the exception that the module received as these words. */
export const thrown = (words) => latest.get(words);

function keep(error, url, secrets) {
  const words = String(error ?? "");
  // Exceptions that contain the key are not passed on.
  const text = [words, error?.stack, error?.cause?.stack].join();
  if (!(error instanceof Error) || secrets.some((secret) => text.includes(secret))) return words;
  count += 1;
  const name = `${count} ${words}`;
  latest.set(name, { error, elsewhere: isElsewhere(url) });
  if (latest.size > KEPT) latest.delete(latest.keys().next().value);
  return name;
}

// Whether the request goes to another origin, which must allow it. This only applies to pages and
// workers. The URL of a blob worker or a `srcdoc` frame does not contain their origin, so
// `globalThis.origin` is used.
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
      // Some platforms without cookies or a cache reject these options.
      ...("credentials" in Request.prototype && { credentials: "omit" }),
      ...("cache" in Request.prototype && { cache: "no-store" }),
      // Lets the request complete when the user leaves the page, so that the deleted item does not reappear.
      ...(method === "DELETE" && "keepalive" in Request.prototype && { keepalive: true }),
    });
    trouble = isOffline(url) ? "unsent" : "network";
    const response = await fetch(request);
    // With redirect "error", a redirect would look like any broken connection.
    if (response.type === "opaqueredirect") return { trouble: "redirected" };
    trouble = "broken";
    const bytes = await read(response.body, cap);
    if (!bytes) return { trouble: "too large" };
    // Cross-origin, the browser hides these headers unless the server exposes them.
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
 * Returns the wait that a server requests, in milliseconds, parsed like in
 * `src/client/retry_after.rs`: a date is compared with the server's own, and ignored without it.
 */
export function wait(milliseconds, seconds, date) {
  const number = (text) => (/^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined);
  const time = number(milliseconds) ?? number(seconds) * 1000;
  if (time >= 0) return Math.min(time, 1e12);
  const at = (text) => (/^\w+,? .*:/.test(text) ? Date.parse(text.replace(/ GMT|$/, " GMT")) : NaN);
  const left = at(seconds) - at(date);
  return Number.isNaN(left) ? undefined : Math.max(left, 0);
}

// The URL is relative to the page, which the `URL` constructor alone does not resolve.
function extended(url, query) {
  const address = new URL(new Request(url).url);
  for (const [name, value] of query) address.searchParams.append(name, value);
  return address.href;
}

// Returns the whole body; undefined if it is larger than the cap.
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
