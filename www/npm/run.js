// A decision on many leads: its progress, and what can be done with it.

/** Why a wait for decisions ended before they did. */
export const disposed = () => new DOMException("The review was disposed of.", "AbortError");

export class DecisionRun {
  #number;
  #step;
  #review;
  #outcome = { open: [], updated: [], failed: [], uncertain: [], leftOut: [] };
  #finished;

  constructor(number, review) {
    this.#number = number;
    this.#review = review;
    this.#step = review.latest()?.step ?? null;
  }

  get run() {
    return this.#number;
  }

  get step() {
    return this.#step;
  }

  get progress() {
    return this.#review.latest()?.progress ?? null;
  }

  pause() {
    this.#change("pause");
  }

  resume() {
    this.#change("resume");
  }

  cancel() {
    this.#change("cancel");
  }

  retry() {
    this.#change("retry");
  }

  close() {
    this.outcome();
    this.#change("close");
  }

  outcome() {
    this.#outcome = this.#review.readable()?.runOutcome(this.#number) ?? this.#outcome;
    return this.#outcome;
  }

  get finished() {
    this.#finished ??= new Promise((resolve, reject) => {
      const check = () => {
        const isOpen = (this.progress?.open ?? 0) > 0;
        if (isOpen && !this.#review.isDisposed()) return;
        unsubscribe();
        if (isOpen) reject(disposed());
        else resolve(this.outcome());
      };
      const unsubscribe = this.#review.subscribe(check);
      check();
    });
    return this.#finished;
  }

  #change(change) {
    this.#review.live().changeRun(this.#number, change);
  }
}
