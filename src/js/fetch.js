// One request with the platform's `fetch`, once: no cookies, no cache, no redirects. What
// `src/client/fetch.rs` does for Rust callers; streams and headers are read here, where they live.

/**
 * Starts a request. `answer` never rejects; `end` ends it.
 * @param {string[]} query Names and values in turn.
 * @param {string[]} headers Names and values in turn.
 * @param {number} cap The largest body, in bytes.
 */
export function send(method, url, query, headers, body, cap) {
  const controller = new AbortController();
  return {
    answer: exchange(method, url, pairs(query), pairs(headers), body, cap, controller.signal),
    end: () => controller.abort(),
  };
}

const pairs = (texts) => texts.flatMap((name, at) => (at % 2 ? [] : [[name, texts[at + 1]]]));

// Whether the browser knows that it has no connection. This computer is reached without one.
const isOffline = (url) =>
  globalThis.navigator?.onLine === false &&
  url.includes("://") &&
  !["://127.", "://localhost", "://[::1]"].some((host) => url.includes(host));

async function exchange(method, url, query, headers, body, cap, signal) {
  let trouble = "unsent";
  try {
    const offline = isOffline(url);
    const request = new Request(query.length > 0 ? extended(url, query) : url, {
      method,
      headers,
      body,
      signal,
      redirect: "manual",
      credentials: "omit",
      cache: "no-store",
    });
    if (!offline) trouble = "network";
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
      retryAfterMs: header("retry-after-ms"),
      retryAfter: header("retry-after"),
      date: header("date"),
      bytes,
    };
  } catch (error) {
    const words = trouble === "broken" ? error?.message : error;
    return { trouble, words: String(words ?? "") };
  }
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
