// A server whose answers the test gives one by one, when it wants to.

import { expectEventually } from "../../e2e/support/wait.mjs";
import { listen } from "./server.mjs";

export async function startApi(t) {
  const requests = [];
  const untaken = [];
  const api = {
    requests,
    // Answers what arrives from now on by itself.
    answerAll: undefined,
    // The next request that the test has not seen.
    async next() {
      await expectEventually("another request", () => untaken.length > 0);
      return untaken.shift();
    },
  };
  api.origin = await listen(t, async (exchange) => {
    exchange.json = await exchange.body();
    requests.push(exchange);
    if (api.answerAll) await api.answerAll(exchange);
    else untaken.push(exchange);
  });
  return api;
}

// A 429 that says when, so that the browser shows it.
export function limited(milliseconds) {
  const headers = {
    "retry-after-ms": milliseconds,
    "access-control-expose-headers": "Retry-After-Ms",
  };
  return { status: 429, headers, body: { detail: "Slow down" } };
}

export function leads(ids, more = {}) {
  const data = ids.map((id) => ({ lead_id: id, name: id }));
  return { body: { data, total: 6, page_size: 2, has_more: true, ...more } };
}
