// Every fault on every operation. A cell is one call against one server that plays one fault, always or once. The
// cells of a fault run at the same time, each with its own workspace, because calls of one workspace share its gate
// and its retry budget.

import assert from "node:assert/strict";

import { EXPECTED, MANY, afterOne } from "./expected.mjs";
import { FAULTS } from "./faults.mjs";
import { OPERATIONS } from "./operations.mjs";
import { listen } from "./server.mjs";

// A call must end by its deadline. This is the tolerance for a busy machine.
export const GRACE_MS = 1000;
const CAP = 4 << 20;
// More than all buffers on the way can hold, and half of what the server tries to send.
const MOST_SENT = 100 << 20;

const RETRY = { baseMs: 20, limitedBaseMs: 20, capMs: 100 };
const USUAL = { timeoutMs: 15_000, deadlineMs: 30_000 };
// Only the deadline ends these calls: a timeout would also end attempts of a busy machine.
const REPEATED = { ...USUAL, deadlineMs: 8000 };
const STALLED = { ...REPEATED, timeoutMs: 1000 };

export class Cell {
  requests = 0;
  commits = 0;
  bytes = 0;

  constructor(name, operation, once, number) {
    Object.assign(this, { name, operation, once });
    this.fault = FAULTS[name];
    this.key = `lwk_${number}_s3cret${number}`;
    const always = EXPECTED[name][operation.class];
    this.expected = once ? afterOne(always) : always;
  }

  get title() {
    return `${this.operation.name}${this.once ? ", once" : ""}`;
  }

  async commit(exchange) {
    await exchange.body();
    this.commits += 1;
  }

  // The request handler of the cell's server.
  async answer(exchange) {
    this.requests += 1;
    if (!this.once || this.requests === 1) return this.fault.play(exchange, this);
    const gone = this.operation.class === "delete" && this.commits > 0;
    await this.commit(exchange);
    if (gone) return exchange.answer({ status: 404, body: { detail: "Not found" } });
    const { status, answer } = this.operation;
    return exchange.answer({ status, body: status === 204 ? "" : answer });
  }

  // Handles a connection that is cut before the request is read. Returns whether it did.
  connect(socket) {
    if (!this.fault.connect || (this.once && this.requests > 0)) return false;
    this.requests += 1;
    this.fault.connect(socket);
    return true;
  }

  // The data that `play.mjs` needs to make the call.
  order(baseUrl) {
    return {
      operation: this.operation.name,
      args: this.operation.args,
      create: { baseUrl, apiKey: this.key, retry: RETRY, maxBodyBytes: CAP },
      options: this.options,
    };
  }

  get options() {
    if (this.fault.stalls) return STALLED;
    return this.fault.repeats ? REPEATED : USUAL;
  }

  check({ value, error, said, ms }) {
    const { done, attempts, ...fields } = this.expected;
    if (done) {
      assert.equal(error, undefined, JSON.stringify(error));
    } else {
      assert.ok(error, `the call succeeded with ${JSON.stringify(value)}`);
      const expected = this.#late(error) ?? fields;
      const seen = Object.fromEntries(Object.keys(expected).map((name) => [name, error[name]]));
      assert.deepEqual(seen, expected, error.text);
      assert.equal(error.isA, true, "instanceof");
      // The deadline can end the last attempt before its request reaches the server.
      const isUnseen = this.#late(error) && error.attempts === this.requests + 1;
      if (!isUnseen) assert.equal(error.attempts, this.requests, "reported attempts and received requests");
    }
    if (attempts === MANY) assert.ok(this.requests > 3, `${this.requests} requests`);
    else assert.equal(this.requests, attempts ?? 1, "requests");
    if (this.operation.class === "start") assert.ok(this.commits <= 1, `${this.commits} workflows`);
    if (this.operation.name === "updateLeads") this.#checkOutcome(value, error);
    assert.ok(said.includes('"lead-workspace: '), "the log was recorded");
    const text = `${error?.text} ${said} ${JSON.stringify(value)}`;
    assert.ok(!text.toLowerCase().includes(this.key.toLowerCase()), `the key is in ${text}`);
    assert.ok(ms < this.options.deadlineMs + GRACE_MS, `${ms} ms`);
    assert.ok(this.bytes < MOST_SENT, `the server sent ${this.bytes} bytes`);
  }

  // What is expected of a call that is sent as often as the deadline allows, and is ended by it: between two attempts,
  // or during one. Then a write is ambiguous, and the outcome of a start is unknown.
  #late(error) {
    if (this.expected.attempts !== MANY || !["timeout", "outcome_unknown"].includes(error?.code)) return undefined;
    const late = { name: "TimeoutError", code: "timeout" };
    if (this.operation.class === "read") return { ...late, ambiguous: false };
    if (this.operation.class !== "start") return late;
    return error.ambiguous ? { name: "OutcomeUnknownError", code: "outcome_unknown" } : late;
  }

  #checkOutcome(value, error) {
    const { done, ambiguous } = this.expected;
    const isUncertain = this.#late(error) ? error.ambiguous : ambiguous;
    const place = done ? "updated" : isUncertain ? "uncertain" : "failed";
    const empty = { updated: [], failed: [], uncertain: [] };
    const { errors, ...lists } = value;
    assert.deepEqual(lists, { ...empty, [place]: ["lead-1"] });
    assert.deepEqual(errors.map(({ ids }) => ids), done ? [] : [["lead-1"]]);
  }
}

// The number of all cells: each has its own key, as a workspace of the same address and key may still be rate limited.
let count = 0;

// Plays the cells of a fault, each with its own server. `serve(t, cell)` returns the URL of a cell's server.
export async function playFault(t, name, { run, serve = ownServer }) {
  const visited = [];
  const elsewhere = await listen(t, (exchange) => {
    visited.push(exchange.headers);
    exchange.answer({ body: {} });
  }, { connect: () => { visited.push("a connection"); } });

  const cells = [false, true].flatMap((once) =>
    OPERATIONS.map((operation) => new Cell(name, operation, once, ++count)));
  const orders = [];
  for (const cell of cells) {
    cell.elsewhere = elsewhere;
    orders.push(cell.order(await serve(t, cell)));
  }
  const results = await run(orders);
  for (const [index, cell] of cells.entries()) {
    await t.test(cell.title, () => cell.check(results[index]));
  }
  assert.deepEqual(visited, [], "nothing is sent to the other origin");
}

function ownServer(t, cell) {
  return listen(t, (exchange) => cell.answer(exchange), { connect: (socket) => cell.connect(socket) });
}
