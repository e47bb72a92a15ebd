// A Rust panic ends the Wasm instance, and so does any other trap. No future of it will ever run again, so
// its promises would hang for ever: here they are kept, and rejected when that happens. So is what goes on
// for it outside, which would call into what is gone.

import { WorkspaceError } from "./errors.js";

/** How often the instance ended. A handle that was made in an earlier epoch is dead. */
export let epoch = 0;

const pending = new Set();
const works = new Set();
let restart;

/** Called by the Rust panic hook, while the instance is ending. */
export function crashed(message) {
  epoch += 1;
  const rejections = [...pending];
  pending.clear();
  for (const work of works) work.end();
  for (const reject of rejections) reject(stopped(message));
}

/** Says what makes the next call of the module find a fresh instance. The panic hook does that by itself. */
export function onTrap(listener) {
  restart = listener;
}

/** The instance ended in a trap that the panic hook did not announce, e.g. an overflown stack. */
export function trapped(message) {
  crashed(message);
  restart?.();
}

/**
 * Something that goes on for the instance: a timer, a request, a channel. It ends with the instance at the
 * latest, whose listeners hear of nothing then.
 * @param {{ answer?: Promise<unknown>, end: () => void }} work
 */
export function own({ answer, end, ...members }) {
  const work = {
    ...members,
    answer: answer && living(answer),
    end() {
      works.delete(work);
      end();
    },
  };
  works.add(work);
  return work;
}

/** The same promise, which never settles once the instance ended: nobody is there to hear of it. */
export function living(promise) {
  const born = epoch;
  return new Promise((resolve, reject) => {
    const alive = (settle) => (value) => {
      if (born === epoch) settle(value);
    };
    promise.then(alive(resolve), alive(reject));
  });
}

/**
 * Starts a call of the instance. The promise settles as the call does, or rejects when the
 * instance ends first.
 * @template T
 * @param {() => PromiseLike<T> | T} start
 * @returns {Promise<T>}
 */
export function watch(start) {
  return new Promise((resolve, reject) => {
    pending.add(reject);
    const settle = (settle) => (value) => {
      pending.delete(reject);
      settle(value);
    };
    try {
      Promise.resolve(start()).then(settle(resolve), settle(reject));
    } catch (error) {
      // Had the panic hook announced it, this promise would not be pending any more.
      if (pending.has(reject) && isTrap(error)) trapped(error.message);
      else settle(reject)(error);
    }
  });
}

// A stack that overflows is called a RangeError by V8 and an InternalError by Firefox.
const isTrap = (error) =>
  error instanceof WebAssembly.RuntimeError || error instanceof RangeError || error?.name === "InternalError";

/** What a call rejects with whose instance ended. */
export function stopped(message) {
  return new WorkspaceError(
    "The client's WebAssembly module stopped because of an error in it. Calls that were under way " +
      "are lost; a write among them may have been done. The next call starts the module afresh. " +
      "Please report it.",
    { code: "crashed", ambiguous: true, cause: message },
  );
}
