/** When every schedule starts, in milliseconds since 1970. */
const START = Date.UTC(2026, 0, 1);

/** A clock that only moves from event to event. Times are in milliseconds since the start. */
export class Clock {
  now = 0;
  #events = [];
  #added = 0;

  get date() {
    return START + this.now;
  }

  /** Runs `act` after a delay; events of the same time in the order in which they were added. */
  after(delay, act) {
    this.#added += 1;
    const event = { at: this.now + Math.max(0, delay), order: this.#added, act };
    this.#events.push(event);
    this.#rise(this.#events.length - 1);
    return event;
  }

  cancel(event) {
    event.act = undefined;
  }

  /** Runs all events up to a time. `afterEach` is called after each event and everything that follows from it at once. */
  async runUntil(end, afterEach) {
    await reactions();
    while (this.#events.length > 0 && this.#events[0].at <= end) {
      const event = this.#take();
      if (!event.act) continue;
      this.now = event.at;
      await event.act();
      await reactions();
      afterEach();
    }
    this.now = end;
  }

  #take() {
    const first = this.#events[0];
    const last = this.#events.pop();
    if (this.#events.length > 0) {
      this.#events[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #rise(place) {
    const events = this.#events;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (isBefore(events[parent], events[place])) return;
      [events[parent], events[place]] = [events[place], events[parent]];
      place = parent;
    }
  }

  #sink(place) {
    const events = this.#events;
    for (;;) {
      let least = place;
      for (const child of [2 * place + 1, 2 * place + 2]) {
        if (child < events.length && isBefore(events[child], events[least])) least = child;
      }
      if (least === place) return;
      [events[least], events[place]] = [events[place], events[least]];
      place = least;
    }
  }
}

/** Runs all promise reactions. */
const reactions = () => new Promise(setImmediate);

const isBefore = (one, other) => one.at < other.at || (one.at === other.at && one.order < other.order);
