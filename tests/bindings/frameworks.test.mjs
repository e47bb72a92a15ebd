// The same behavior in every framework, with a review that follows the contract.

import assert from "node:assert/strict";
import { test } from "node:test";

import { LeadList } from "../../www/npm/lead-list.js";
import { FakeWorkspace, pageOf } from "./support/fake.mjs";
import { FRAMEWORKS } from "./support/harness.mjs";
import { pass, until } from "./support/until.mjs";

/** What components show before anything was read. */
const BEFORE = { pending: 0, rows: null, error: null, isLoading: true };

for (const [name, load] of Object.entries(FRAMEWORKS)) {
  const framework = await load();

  const start = (t, props = {}) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const workspace = new FakeWorkspace();
    const all = { workspace, options: {}, query: { page: 1 }, leadId: "a", seen: [], handles: {}, ...props };
    return { workspace, props: all, tick: (ms) => t.mock.timers.tick(ms) };
  };
  const mount = (t, props) => {
    const target = document.createElement("main");
    const app = framework.mount(target, props);
    let isMounted = true;
    const unmount = () => {
      if (isMounted) app.unmount();
      isMounted = false;
    };
    t.after(unmount);
    const text = () => JSON.parse(target.querySelector("pre")?.textContent ?? "null");
    return {
      set: app.set,
      unmount,
      status: () => target.querySelector("b")?.textContent,
      shows: (expected) => until(() => assert.deepEqual({ ...text(), ...expected }, text())),
    };
  };

  test(`${name}: components share a review, which ends a second after the last of them`, async (t) => {
    const { workspace, props, tick } = start(t);
    const first = mount(t, props);
    const second = mount(t, { ...props, options: { persist: undefined } });
    await first.shows({ isLoading: true });
    await second.shows({ isLoading: true });
    await pass();
    tick(60_000);
    assert.equal(workspace.reviews.length, 1);
    first.unmount();
    await pass();
    tick(60_000);
    assert.equal(workspace.open.length, 1, "the review ended while a component used it");
    second.unmount();
    await pass();
    tick(999);
    assert.equal(workspace.open.length, 1, "a move to another route would lose the history");
    const third = mount(t, props);
    await third.shows({ isLoading: true });
    await pass();
    tick(60_000);
    assert.equal(workspace.reviews.length, 1);
    third.unmount();
    await pass();
    tick(1000);
    assert.equal(workspace.open.length, 0);
    assert.equal(workspace.reviews[0].listeners, 0, "a component is still subscribed");

    await mount(t, props).shows({ isLoading: true });
    assert.equal(workspace.open.length, 1, "a later component got no review");
  });

  test(`${name}: decisions on their way are saved before the review ends`, async (t) => {
    const { workspace, props, tick } = start(t);
    const first = mount(t, props);
    await first.shows({ isLoading: true });
    await pass();
    const { review } = props.handles;
    review.decide("a", "approved");
    first.unmount();
    await pass();
    tick(60_000);
    assert.equal(workspace.open.length, 1, "the decision would wait for the next review");
    const second = mount(t, props);
    await second.shows({ pending: 1 });
    await pass();
    review.save();
    await second.shows({ pending: 0 });
    tick(60_000);
    assert.equal(workspace.open.length, 1, "the review ended while a component used it");
    review.decide("b", "approved");
    second.unmount();
    await pass();
    tick(1000);
    review.save();
    await pass();
    assert.equal(workspace.open.length, 0);
    assert.equal(review.listeners, 0);
  });

  test(`${name}: other options are another review`, async (t) => {
    const { workspace, props } = start(t);
    await mount(t, props).shows({ isLoading: true });
    await mount(t, { ...props, options: { storageKey: "ada" } }).shows({ isLoading: true });
    assert.deepEqual(workspace.reviews.map(({ options }) => options), [{}, { storageKey: "ada" }]);
  });

  test(`${name}: a status follows its lead, and no other`, async (t) => {
    const { props } = start(t);
    const app = mount(t, props);
    await until(() => assert.equal(app.status(), "pending_approval"));
    await pass();
    const { review } = props.handles;
    const seen = [...new Set(props.seen)];
    assert.deepEqual(seen, ["pending_approval"]);
    props.seen.length = 0;
    review.decide("b", "approved");
    await app.shows({ pending: 1 });
    assert.deepEqual(props.seen, [], "rendered again for another lead");
    review.decide("a", "rejected");
    await until(() => assert.equal(app.status(), "rejected"));
    await app.shows({ pending: 2 });
    app.set({ leadId: "b" });
    await until(() => assert.equal(app.status(), "approved"));
    review.undo();
    review.undo();
    await until(() => assert.equal(app.status(), "pending_approval"));
    await app.shows({ pending: 0 });
  });

  test(`${name}: decisions are laid over the leads`, async (t) => {
    const { workspace, props } = start(t);
    const app = mount(t, props);
    await app.shows(BEFORE);
    await until(() => assert.equal(workspace.reads.length, 1));
    props.handles.review.decide("b", "approved");
    workspace.reads[0].resolve(pageOf("a", "b"));
    await app.shows({ rows: ["a pending_approval", "b approved"], isLoading: false });
    props.handles.review.decide(["a", "b"], "rejected");
    await app.shows({ rows: ["a rejected", "b rejected"] });
    props.handles.review.undo();
    await app.shows({ rows: ["a pending_approval", "b approved"] });
  });

  test(`${name}: another query is read, and the previous read is aborted`, async (t) => {
    const { workspace, props } = start(t);
    const app = mount(t, props);
    await until(() => assert.equal(workspace.reads.length, 1));
    app.set({ query: { page: 1 } });
    await pass();
    assert.equal(workspace.reads.length, 1, "an equal query was read again");
    app.set({ query: { page: 2 } });
    await until(() => assert.equal(workspace.reads.length, 2));
    const [first, second] = workspace.reads;
    assert.deepEqual([first.query, second.query], [{ page: 1 }, { page: 2 }]);
    assert.deepEqual([first.signal.aborted, second.signal.aborted], [true, false]);
    second.resolve(pageOf("b"));
    await app.shows({ rows: ["b pending_approval"], isLoading: false });
    first.resolve(pageOf("a"));
    app.set({ query: { page: 3 } });
    await until(() => assert.equal(workspace.reads.length, 3));
    await app.shows({ rows: ["b pending_approval"], isLoading: true });
    workspace.reads[2].resolve(pageOf("c"));
    await app.shows({ rows: ["c pending_approval"], isLoading: false });
    app.set({ query: { page: 4 } });
    await until(() => assert.equal(workspace.reads.length, 4));
    app.unmount();
    await until(() => assert.ok(workspace.reads[3].signal.aborted));
  });

  test(`${name}: a failed read is shown, and a reload keeps what was read`, async (t) => {
    const { workspace, props } = start(t);
    const app = mount(t, props);
    const read = async (index) => {
      await until(() => assert.equal(workspace.reads.length, index + 1));
      return workspace.reads[index];
    };
    (await read(0)).reject(new Error("no connection"));
    await app.shows({ rows: null, error: "no connection", isLoading: false });
    props.handles.reload();
    await app.shows({ isLoading: true });
    (await read(1)).resolve(pageOf("a"));
    await app.shows({ rows: ["a pending_approval"], error: null, isLoading: false });
    props.handles.reload();
    (await read(2)).reject(new Error("too busy"));
    await app.shows({ rows: ["a pending_approval"], error: "too busy", isLoading: false });
    app.set({ query: { page: 2 } });
    (await read(3)).reject(new Error("not found"));
    await app.shows({ rows: null, error: "not found", isLoading: false });
  });

  test(`${name}: a workspace may be disposed of while it is shown`, async (t) => {
    const { workspace, props } = start(t);
    const app = mount(t, props);
    await until(() => assert.equal(workspace.reads.length, 1));
    workspace.reads[0].resolve(pageOf("a"));
    props.handles.review.decide("a", "approved");
    await app.shows({ rows: ["a approved"], isLoading: false });
    workspace.reviews[0].dispose();
    await pass();
    await app.shows({ rows: ["a approved"], error: null });
  });

  test(`${name}: a server reads nothing and keeps no review`, async (t) => {
    const { workspace, props, tick } = start(t);
    const html = await framework.render(props);
    const [, text] = /<pre>(.*?)<\/pre>/.exec(html);
    const { pending, ...rest } = JSON.parse(text.replaceAll("&quot;", '"'));
    assert.deepEqual({ pending, ...rest }, BEFORE);
    await pass();
    assert.equal(workspace.reads.length, 0, "the server sent a request");
    for (let renders = 0; renders < 20; renders += 1) await framework.render(props);
    await pass();
    assert.equal(workspace.reviews.length, 1);
    assert.equal(workspace.reviews[0].listeners, 0, "what was rendered is still subscribed");
    tick(1000);
    assert.equal(workspace.open.length, 0);
  });

  test(`${name}: what is no workspace is refused with what to do`, async (t) => {
    const { workspace, props } = start(t);
    const noWorkspace = {
      name: "ArgumentError",
      message: "useReview needs a Workspace. Create it first, and mount the component when it exists.",
    };
    const render = async (workspace) => framework.render({ ...props, workspace });
    await assert.rejects(render(Promise.resolve(workspace)), noWorkspace);
    // In React, hooks must be called before the workspace exists.
    if (name.startsWith("React")) assert.match(await render(null), /"isLoading":true|&quot;isLoading&quot;:true/);
    else await assert.rejects(render(null), noWorkspace);
  });
}

test("a list of leads without a workspace reads nothing, and any other value is refused", () => {
  for (const none of [null, undefined]) assert.equal(new LeadList(none).state().page, null);
  const message = /^A list of leads needs a Workspace\. Create it first/;
  assert.throws(() => new LeadList(Promise.resolve(new FakeWorkspace())), { name: "ArgumentError", message });
});
