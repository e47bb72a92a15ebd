// Stores for Svelte 4 and 5. They import neither the client nor the screen.

import { onDestroy } from "svelte";
import { derived, readable } from "svelte/store";

import { applied, snapshotOf, statusOf } from "./read-review.js";
import { LeadList, NOT_READ, keyOf } from "./lead-list.js";
import { retain, sharedReview } from "./shared-review.js";

export function useReview(workspace, options) {
  const review = sharedReview(workspace, options);
  onDestroy(retain(review));
  return review;
}

export function leadStatus(review, leadId) {
  return distinct([changesOf(review)], () => statusOf(review, leadId));
}

export function reviewSnapshot(review) {
  return distinct([changesOf(review)], () => snapshotOf(review));
}

export function appliedPage(review, page) {
  return distinct([changesOf(review), asStore(page)], ([, page]) => applied(review, page));
}

export function leads(workspace, review, query) {
  const list = new LeadList(workspace);
  const { reload } = list;
  const key = derived(asStore(query), keyOf);
  const state = readable(NOT_READ, (set) => {
    let ended = false;
    const update = () => set(list.state());
    // A server subscribes only to render, and reads nothing.
    const read = (key) => queueMicrotask(() => ended || list.read(key));
    const ends = [list.subscribe(update), key.subscribe(read), list.abort];
    update();
    return () => {
      ended = true;
      for (const end of ends) end();
    };
  });
  const page = appliedPage(review, derived(state, ({ page }) => page));
  return derived([state, key, page], ([{ error, isLoading, key: read }, key, page]) => ({
    page,
    error,
    isLoading: isLoading || read !== key,
    reload,
  }));
}

/** A store that emits whenever the review changes. */
function changesOf(review) {
  let changes = 0;
  return readable(0, (set) => review?.subscribe(() => set((changes += 1))));
}

/** Like `derived`, but does not emit the same object twice. */
function distinct(stores, get) {
  let last;
  return derived(stores, (values, set) => {
    const next = get(values);
    if (next !== last) set((last = next));
  });
}

const asStore = (value) => (typeof value?.subscribe === "function" ? value : readable(value));
