// A server whose responses the test sends one by one.

import { expectEventually } from "../../e2e/support/wait.mjs";
import { listen } from "./server.mjs";

export async function startApi(t) {
  const requests = [];
  const untaken = [];
  const api = {
    requests,
    // If set, handles all further requests.
    answerAll: undefined,
    // Resolves with the next request that the test has not taken yet.
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

// A 429 with a delay in a header that CORS exposes.
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
