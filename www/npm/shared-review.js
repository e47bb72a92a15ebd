// The reviews that components share: one per workspace and options, disposed of when no component uses it.

const IDLE_MS = 1000;

const OPTION_NAMES = ["persist", "storageKey"];

const byWorkspace = new WeakMap();
const byReview = new WeakMap();

/**
 * Returns the review of a workspace, and starts it if there is none. It is disposed of after a second in which nothing
 * retained it. So a component that mounts twice, or moves to another route, keeps its review, and a render that is
 * thrown away leaves none.
 */
export function sharedReview(workspace, options) {
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
  #forget;

  constructor(review, forget) {
    this.review = review;
    this.#forget = forget;
    this.#disposeWhenIdle();
  }

  retain() {
    clearTimeout(this.#timer);
    this.#users += 1;
    let retained = true;
    return () => {
      if (!retained) return;
      retained = false;
      this.#users -= 1;
      if (this.#users === 0) this.#disposeWhenIdle();
    };
  }

  #disposeWhenIdle() {
    this.#timer = setTimeout(() => {
      this.#forget();
      byReview.delete(this.review);
      this.review.dispose();
    }, IDLE_MS);
    // A server that renders pages may exit before.
    this.#timer.unref?.();
  }
}
