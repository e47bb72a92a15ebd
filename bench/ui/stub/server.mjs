// Replaces the service: the API over generated leads in memory, and the files of a built page.
//
//     node bench/ui/stub/server.mjs --static FOLDER [--leads 100000] [--port 0]
//
// Then open the printed URL with /leads#key=anything appended.

import { createServer } from "node:http";
import { parseArgs } from "node:util";

import { Api, Refused } from "./api.mjs";
import { Files } from "./files.mjs";
import { Leads } from "./leads.mjs";

const KEEP_ALIVE_MS = 60_000;

// The parent process has ended, perhaps by a signal that it could not handle.
process.on("disconnect", () => process.exit());

const { values: options } = parseArgs({
  options: {
    static: { type: "string" },
    leads: { type: "string", default: "100000" },
    port: { type: "string", default: "0" },
  },
});
const files = new Files(options.static);
const api = new Api(new Leads(Number(options.leads)));

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://127.0.0.1");
  if (!url.pathname.startsWith("/api/")) return files.serve(request, response, url.pathname);
  const [status, body] = await answer(request, url);
  if (response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
  });
  response.end(text);
});
server.keepAliveTimeout = KEEP_ALIVE_MS;
server.listen(Number(options.port), "127.0.0.1", () => {
  const origin = `http://127.0.0.1:${server.address().port}`;
  console.log(`ready ${origin}`);
  process.send?.({ origin });
});

// Returns the status and the body of the response.
async function answer(request, url) {
  try {
    if (!/^Bearer \S+/.test(request.headers.authorization ?? "")) throw new Refused(401, "missing credential");
    return [200, await api.answer(request.method, url, () => bodyOf(request))];
  } catch (error) {
    if (error instanceof Refused) return [error.status, error.body];
    console.error(error);
    return [500, { detail: "internal error" }];
  }
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(422, [{ loc: ["body"], msg: "not JSON", type: "value_error", input: null, ctx: {} }]);
  }
}
