// An HTTP server on plain sockets, because only those can break the rules of HTTP. It listens on loopback only,
// handles one request per connection, so that no browser repeats a request by itself, and stops after the test.

import { once } from "node:events";
import { createServer } from "node:net";

import { afterTest } from "../../e2e/support/cleanup.mjs";

const ALLOWED = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, content-type, x-tenant-id, x-team",
  "access-control-allow-methods": "GET, POST, PATCH, DELETE",
};

// Listens until the end of the test. `handle` gets an Exchange for each request except preflights. `connect` gets
// each connection first, and returns true to take it over.
export async function listen(t, handle, { connect } = {}) {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // Broken connections are expected here.
    socket.on("error", () => {});
    if (!connect?.(socket)) void converse(socket, handle);
  });
  server.listen(0, "127.0.0.1");
  server.unref();
  await once(server, "listening");
  afterTest(t, async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}`;
}

async function converse(socket, handle) {
  const exchange = await Exchange.of(socket);
  if (!exchange) return;
  if (exchange.method === "OPTIONS") exchange.answer({ status: 204, headers: ALLOWED });
  else await handle(exchange);
}

// One request, read up to the end of its head, with methods to respond.
export class Exchange {
  #socket;
  #rest;

  constructor(socket, head, rest) {
    this.#socket = socket;
    this.#rest = rest;
    const [start, ...lines] = head.split("\r\n");
    [this.method, this.target] = start.split(" ");
    this.path = this.target.split("?")[0];
    this.headers = Object.fromEntries(lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }));
    // Resolves when the socket is closed, by either side.
    this.closed = socket.destroyed ? Promise.resolve() : new Promise((done) => {
      socket.on("close", done);
    });
  }

  static async of(socket) {
    let read = Buffer.alloc(0);
    for await (const chunk of reading(socket)) {
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf("\r\n\r\n");
      if (end >= 0) return new Exchange(socket, read.toString("latin1", 0, end), read.subarray(end + 4));
    }
    return undefined;
  }

  // Resolves with the parsed body once it is complete.
  async body() {
    const length = Number(this.headers["content-length"] ?? 0);
    let read = this.#rest;
    if (read.length < length) {
      for await (const chunk of reading(this.#socket)) {
        read = Buffer.concat([read, chunk]);
        if (read.length >= length) break;
      }
    }
    const text = read.toString("utf8");
    return text === "" ? undefined : JSON.parse(text);
  }

  // Sends the head of a response. Without a length, the body ends with the connection.
  head({ status = 200, headers = {}, length } = {}) {
    const all = { ...ALLOWED, connection: "close", ...headers };
    if (length !== undefined) all["content-length"] = length;
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket.write(`HTTP/1.1 ${status} Said\r\n${lines.join("")}\r\n`);
  }

  // Sends a part of the body. Returns false if the connection is closed, and waits while its buffer is full.
  async write(part) {
    if (this.#socket.destroyed) return false;
    if (!this.#socket.write(part)) {
      await Promise.race([once(this.#socket, "drain").catch(() => {}), this.closed]);
    }
    return !this.#socket.destroyed;
  }

  end() {
    this.#socket.end();
  }

  // Sends a complete, valid response.
  answer({ status = 200, headers = {}, body = "" } = {}) {
    const text = Buffer.from(typeof body === "object" && !Buffer.isBuffer(body) ? JSON.stringify(body) : body);
    const type = { "content-type": "application/json" };
    this.head({ status, headers: { ...type, ...headers }, length: text.length });
    this.#socket.end(text);
  }

  // Ends the connection with a reset instead of an orderly shutdown.
  reset() {
    this.#socket.resetAndDestroy();
  }
}

// Yields incoming data and leaves the socket usable for the next reader.
async function* reading(socket) {
  const chunks = [];
  let wake = () => {};
  const arrived = (chunk) => { chunks.push(chunk); wake(); };
  const over = () => { chunks.push(undefined); wake(); };
  socket.on("data", arrived);
  socket.on("close", over);
  try {
    for (;;) {
      if (chunks.length === 0) await new Promise((resolve) => { wake = resolve; });
      const chunk = chunks.shift();
      if (chunk === undefined) return;
      yield chunk;
    }
  } finally {
    socket.off("data", arrived);
    socket.off("close", over);
  }
}
