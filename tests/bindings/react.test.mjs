// What is particular to React: StrictMode, renders that are thrown away or late, hydration, a workspace that comes later.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FakeWorkspace, pageOf } from "./support/fake.mjs";
import { react } from "./support/harness.mjs";
import { pass, until } from "./support/until.mjs";

for (const version of [19, 18]) {
  const {
    StrictMode,
    Suspense,
    createElement,
    createRoot,
    hydrateRoot,
    renderToString,
    useEffect,
    useAppliedPage,
    useLeadStatus,
    useLeads,
    useReview,
    useReviewSnapshot,
  } = await react(version);

  const start = (t) => {
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const target = document.createElement("main");
    const errors = [];
    // Both versions report what they recover from; a page that hydrates must not differ from the server's.
    const onRecoverableError = (error) => errors.push(error);
    const roots = [];
    t.after(() => roots.forEach((root) => root.unmount()));
    return {
      workspace: new FakeWorkspace(),
      target,
      errors,
      create: () => roots[roots.push(createRoot(target, { onRecoverableError })) - 1],
      hydrate: (element) => roots.push(hydrateRoot(target, element, { onRecoverableError })),
      shows: (text) => until(() => assert.equal(target.textContent, text)),
      tick: (ms) => t.mock.timers.tick(ms),
    };
  };

  test(`React ${version}: StrictMode keeps one review, and a decision of the first effect`, async (t) => {
    const { workspace, create, shows, tick } = start(t);
    function Lead() {
      const review = useReview(workspace);
      const { pending } = useReviewSnapshot(review);
      useEffect(() => void review.decide("a", "approved"), [review]);
      return `${useLeadStatus(review, "a").shown}, ${pending} on its way`;
    }
    create().render(createElement(StrictMode, null, createElement(Lead)));
    await shows("approved, 1 on its way");
    await pass();
    tick(60_000);
    assert.equal(workspace.reviews.length, 1, "a second review took a second slot");
    assert.equal(workspace.open.length, 1);
  });

  test(`React ${version}: StrictMode reads what is shown once`, async (t) => {
    const { workspace, create, shows } = start(t);
    function List() {
      return useLeads(workspace, null, {}).page?.data.length ?? "none";
    }
    create().render(createElement(StrictMode, null, createElement(List)));
    await until(() => assert.equal(workspace.reads.filter(({ signal }) => !signal.aborted).length, 1));
    workspace.reads.at(-1).resolve(pageOf("a", "b"));
    await shows("2");
  });

  test(`React ${version}: a component that never mounts leaves no review`, async (t) => {
    const { workspace, create, shows, tick } = start(t);
    function Lead() {
      useReview(workspace);
      throw new Promise(() => {});
    }
    create().render(createElement(Suspense, { fallback: "waiting" }, createElement(Lead)));
    await shows("waiting");
    assert.equal(workspace.open.length, 1);
    tick(1000);
    assert.equal(workspace.open.length, 0);
  });

  test(`React ${version}: a component that mounts late gets a review that works`, async (t) => {
    const { workspace, create, shows, tick } = start(t);
    let isFirst = true;
    function Lead() {
      const review = useReview(workspace);
      // The time of a slow render passes between the render and its effects.
      if (isFirst) tick(1000);
      isFirst = false;
      useEffect(() => void (review === workspace.open[0] && review.decide("a", "approved")), [review]);
      return useReviewSnapshot(workspace.open.includes(review) ? review : null).pending;
    }
    create().render(createElement(Lead));
    await shows("1");
    tick(60_000);
    assert.equal(workspace.open.length, 1);
  });

  test(`React ${version}: a page that hydrates shows what the server rendered, then the decisions`, async (t) => {
    const { workspace, target, errors, hydrate, shows } = start(t);
    workspace.review().dispose();
    const page = pageOf("a");
    function Lead() {
      const review = useReview(workspace);
      const { phase } = useLeadStatus(review, "a");
      const { pending } = useReviewSnapshot(review);
      const [{ approval_status }] = useAppliedPage(review, page).data;
      useEffect(() => void review.decide("a", "rejected"), [review]);
      return `${phase}, ${pending}, ${approval_status}`;
    }
    const element = createElement(Lead);
    target.innerHTML = renderToString(element);
    assert.equal(target.textContent, "idle, 0, pending_approval");
    // The review of the page knows a decision before the page hydrates.
    workspace.open[0].decide("a", "approved");
    hydrate(element);
    await shows("queued, 1, rejected");
    assert.deepEqual(errors, []);
  });

  test(`React ${version}: a workspace may come later, and change`, async (t) => {
    const { create, shows, tick } = start(t);
    const [one, other] = [new FakeWorkspace(), new FakeWorkspace()];
    function Lead({ workspace }) {
      const review = useReview(workspace);
      const { page, isLoading } = useLeads(workspace, review, {});
      const { shown } = useLeadStatus(review, "a");
      const { isOnline } = useReviewSnapshot(review);
      return `${shown} ${isOnline ?? "there"} ${isLoading} ${useAppliedPage(review, page)?.data.length}`;
    }
    const root = create();
    root.render(createElement(Lead, { workspace: null }));
    await shows("null true true undefined");
    root.render(createElement(Lead, { workspace: one }));
    await until(() => assert.equal(one.reads.length, 1));
    one.reads[0].resolve(pageOf("a"));
    await shows("pending_approval there false 1");
    root.render(createElement(Lead, { workspace: other }));
    await shows("pending_approval there true undefined");
    await pass();
    tick(1000);
    assert.deepEqual([one.open.length, other.open.length], [0, 1]);
  });
}
