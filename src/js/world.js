// What a call needs of the page or worker besides the wire: a clock, timers, whether anybody looks,
// and the other tabs. What `src/client/browser.rs` does for Rust callers. Whatever goes on is an
// object whose `end` ends it, and whose `answer` is a promise.

import { own } from "./guard.js";

/** Milliseconds on a clock that never goes back, where there is one. */
export function now() {
  return globalThis.performance?.now?.() ?? Date.now();
}

// What waits for a promise that never settles is never freed. So one that was called off settles, too: all of
// them in a task of their own, when it is known whether the instance that called them off goes on.
const calledOff = [];

function settleLater(resolve) {
  if (calledOff.push(resolve) > 1) return;
  setTimeout(() => {
    for (const settle of calledOff.splice(0)) settle();
  }, 0);
}

/** Ends after this many milliseconds. One that is `idle` does not keep Node running by itself. */
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

/** While nobody can see the page: ends when somebody does. */
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

/** The tabs that join under the same name. `hear` gets a word and a time, and may answer both. */
export function join(name, hear) {
  if (!globalThis.BroadcastChannel) return undefined;
  const channel = new BroadcastChannel(name);
  const tell = (word, milliseconds) => channel.postMessage([word, milliseconds]);
  channel.onmessage = ({ data }) => {
    if (!Array.isArray(data)) return;
    const answer = hear(String(data[0]), Number(data[1]));
    if (answer) tell(...answer);
  };
  // Node would never end while a channel is open.
  channel.unref?.();
  const end = () => {
    channel.onmessage = null;
    channel.close();
  };
  return own({ tell, end });
}

/** Tells the other tabs. */
export function tell(tabs, word, milliseconds) {
  tabs.tell(word, milliseconds);
}

export function end(work) {
  work.end();
}
