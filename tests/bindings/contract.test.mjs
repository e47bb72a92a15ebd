// What the bindings rely on in a review: of the package, and of the fake that the other tests use.

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

import { afterTest } from "../e2e/support/cleanup.mjs";
import { required } from "../package/support/project.mjs";
import { FakeWorkspace, pageOf } from "./support/fake.mjs";
import { pass } from "./support/until.mjs";

/** A workspace of the package whose service accepts every decision. */
async function workspaceOf(t) {
  const { Workspace } = await import(pathToFileURL(`${required("LEAD_WORKSPACE_PACKAGE")}/inline.js`));
  const server = createServer((_, response) => response.writeHead(204).end());
  server.listen(0, "127.0.0.1");
  // It stays until the decisions that are on their way have arrived.
  server.unref();
  await once(server, "listening");
  const baseUrl = `http://127.0.0.1:${server.address().port}`;
  const workspace = await Workspace.create({ baseUrl, apiKey: "lwk_1_example" });
  afterTest(t, async () => workspace.dispose());
  return workspace;
}

const WORKSPACES = { "the package": workspaceOf, "the fake": () => new FakeWorkspace() };

for (const [name, create] of Object.entries(WORKSPACES)) {
  const start = async (t) => {
    const review = (await create(t)).review({ persist: false });
    afterTest(t, async () => review.dispose());
    return review;
  };

  test(`${name}: what did not change is the same object`, async (t) => {
    const review = await start(t);
    const page = pageOf("a", "b");
    const seen = () => [review.snapshot(), review.snapshot("a"), review.status("b"), review.apply(page)];
    const before = seen();
    seen().forEach((value, index) => assert.equal(value, before[index]));
    assert.equal(review.apply(page), page);

    review.decide("a", "approved");
    const [snapshot, a, b, applied] = seen();
    assert.deepEqual([snapshot.pending, a.shown, a.wanted], [1, "approved", "approved"]);
    assert.equal(b, before[2], "the status of another lead changed");
    assert.deepEqual(applied.data[0], { ...page.data[0], approval_status: "approved" });
    assert.equal(applied.data[1], page.data[1], "another row changed");
    assert.equal(page.data[0].approval_status, "pending_approval", "the page was written to");
    assert.equal(review.apply(page), applied);
  });

  test(`${name}: listeners are called once for all changes of a task`, async (t) => {
    const review = await start(t);
    let calls = 0;
    const ends = [review.subscribe(() => (calls += 1)), review.subscribe(() => (calls += 10))];
    review.decide("a", "approved");
    review.decide("b", "approved");
    assert.equal(calls, 0);
    await Promise.resolve();
    assert.equal(calls, 11);
    for (const end of ends) end();
    review.undo();
    await pass();
    assert.equal(calls, 11);
  });

  test(`${name}: after the end it is still read, so that components may render once more`, async (t) => {
    const review = await start(t);
    const page = pageOf("a");
    review.decide("a", "approved");
    const applied = review.apply(page);
    const snapshot = review.snapshot();
    review.dispose();
    assert.equal(review.apply(page), applied);
    assert.equal(review.snapshot(), snapshot);
    assert.equal(review.snapshot("a"), review.status("a"));
    assert.equal(review.status("never asked for").phase, "idle");
    const other = pageOf("b");
    assert.equal(review.apply(other), other);
    assert.throws(() => review.decide("a", "rejected"), /disposed of/);
    review.dispose();
  });

  test(`${name}: a review that was never read is read after its end`, async (t) => {
    const review = await start(t);
    review.dispose();
    assert.deepEqual([review.pending, review.snapshot().canUndo, review.status("a").phase], [0, false, "idle"]);
  });
}
