// The reviews that components share: one per workspace and options, disposed of when no component uses it.

import { needsWorkspace } from "./needs-workspace.js";

const IDLE_MS = 1000;

const OPTION_NAMES = ["persist", "storageKey"];

const byWorkspace = new WeakMap();
const byReview = new WeakMap();

/**
 * Returns the review of a workspace, and starts it if there is none. It is disposed of after a second in which nothing
 * retained it, or later, when nothing is on its way. So a component that mounts twice, or moves to another route, keeps
 * its review, and a render that is thrown away leaves none.
 */
export function sharedReview(workspace, options) {
  needsWorkspace(workspace, "useReview");
  const key = JSON.stringify(options ?? {}, OPTION_NAMES);
  let reviews = byWorkspace.get(workspace);
  if (!reviews) byWorkspace.set(workspace, (reviews = new Map()));
  let shared = reviews.get(key);
  if (!shared) {
    shared = new SharedReview(workspace.review(options), () => reviews.delete(key));
    reviews.set(key, shared);
    byReview.set(shared.review, shared);
  }
  return shared.review;
}

/** Keeps a shared review alive until the returned function is called. Returns null if it was disposed of already. */
export function retain(review) {
  return byReview.get(review)?.retain() ?? null;
}

class SharedReview {
  review;
  #users = 0;
  #timer;
  #unsubscribe;
  #forget;

  constructor(review, forget) {
    this.review = review;
    this.#forget = forget;
    this.#disposeLater();
  }

  retain() {
    clearTimeout(this.#timer);
    this.#unsubscribe?.();
    this.#users += 1;
    let retained = true;
    return () => {
      if (!retained) return;
      retained = false;
      this.#users -= 1;
      if (this.#users === 0) this.#disposeLater();
    };
  }

  #disposeLater() {
    this.#timer = setTimeout(() => {
      // Decisions that are on their way would wait for the next review.
      this.#unsubscribe = this.review.subscribe(() => this.#disposeIfSaved());
      this.#disposeIfSaved();
    }, IDLE_MS);
    // A server that renders pages may exit before.
    this.#timer.unref?.();
  }

  #disposeIfSaved() {
    if (this.review.pending > 0) return;
    this.#unsubscribe();
    this.#forget();
    byReview.delete(this.review);
    this.review.dispose();
  }
}
