/** Random numbers from a seed (mulberry32). The same seed gives the same numbers on every machine. */
export class Random {
  #state;

  constructor(...seeds) {
    this.#state = 0;
    for (const seed of seeds) this.#state = Math.imul(this.#state ^ seed, 0x9e3779b1) + 0x6d2b79f5;
    this.next();
  }

  /** From 0 to 1, without 1. */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit) {
    return Math.floor(this.next() * limit);
  }

  between(least, most) {
    return least + this.below(most - least + 1);
  }

  chance(probability) {
    return this.next() < probability;
  }

  pick(list) {
    return list[this.below(list.length)];
  }
}
