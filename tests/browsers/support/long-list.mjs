// A server in front of a service that answers requests for the list with any number of leads.

import { once } from "node:events";
import { createServer, request } from "node:http";
import { json } from "node:stream/consumers";

import { afterTest } from "../../e2e/support/cleanup.mjs";

// Returns its origin.
export async function withLongList(t, service, total) {
  const server = createServer(async (asked, response) => {
    if (asked.method === "POST" && asked.url === "/api/leads/query") {
      const { page = 1, page_size: size = 50 } = await json(asked);
      const first = (page - 1) * size;
      const data = Array.from({ length: Math.max(0, Math.min(size, total - first)) }, (_, n) => lead(first + n));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data, total, page, page_size: size }));
      return;
    }
    const { host } = new URL(service.origin);
    const { origin: _, ...headers } = { ...asked.headers, host };
    const forwarded = request(new URL(asked.url, service.origin), { method: asked.method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    asked.pipe(forwarded);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterTest(t, async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

const lead = (n) => ({
  lead_id: `lead-${n}`,
  name: `Lead ${n}`,
  title: `Title ${n}`,
  icp_score: 100 - (n % 101),
  icp_tier: "B",
  approval_status: "pending_approval",
});
