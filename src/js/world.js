// What a call needs from the page or worker besides the network: a clock, timers, page visibility,
// and the other tabs. The JavaScript counterpart of `src/client/browser.rs`. An operation in
// progress is an object with `end`, which cancels it, and `answer`, a promise.

import { own } from "./guard.js";

/** Returns milliseconds on a monotonic clock, if the platform has one; otherwise of the system clock. */
export function now() {
  return globalThis.performance?.now?.() ?? Date.now();
}

// Code that awaits a promise which never settles is never freed, so cancelled promises settle, too.
// They do so together in a later task, when it is known whether the instance that cancelled them is
// still alive.
const calledOff = [];

function settleLater(resolve) {
  if (calledOff.push(resolve) > 1) return;
  setTimeout(() => {
    for (const settle of calledOff.splice(0)) settle();
  }, 0);
}

/** Resolves after this many milliseconds. An `idle` timer does not keep Node running. */
export function sleep(milliseconds, idle) {
  let end;
  const answer = new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    if (idle) timer.unref?.();
    end = () => {
      clearTimeout(timer);
      settleLater(resolve);
    };
  });
  return own({ answer, end });
}

/** Resolves when the page becomes visible; undefined if it is visible already. */
export function untilSeen() {
  const page = globalThis.document;
  if (!page?.hidden) return undefined;
  let end;
  const answer = new Promise((resolve) => {
    const look = () => {
      if (!page.hidden) end();
    };
    end = () => {
      page.removeEventListener("visibilitychange", look);
      settleLater(resolve);
    };
    page.addEventListener("visibilitychange", look);
  });
  return own({ answer, end });
}

/**
 * Joins the tabs with the same channel name. `hear` receives a word and a time, and may return a
 * reply of the same form.
 */
export function join(name, hear) {
  if (!globalThis.BroadcastChannel) return undefined;
  const channel = new BroadcastChannel(name);
  const tell = (word, milliseconds) => channel.postMessage([word, milliseconds]);
  channel.onmessage = ({ data }) => {
    if (!Array.isArray(data)) return;
    const answer = hear(String(data[0]), Number(data[1]));
    if (answer) tell(...answer);
  };
  // Node would not exit while a channel is open.
  channel.unref?.();
  const end = () => {
    channel.onmessage = null;
    channel.close();
  };
  return own({ tell, end });
}

/** Sends a message to the other tabs. */
export function tell(tabs, word, milliseconds) {
  tabs.tell(word, milliseconds);
}

export function end(work) {
  work.end();
}
