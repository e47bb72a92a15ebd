// Who follows a signal: calls, iterations and waits, any number of them over one listener. Node warns of a leak when a
// signal has more than ten.

const followed = new WeakMap();

class Followers extends Set {
  handleEvent() {
    for (const follower of this) follower();
  }
}

/** Calls `follower` when the signal is aborted, at once if it is already. Returns a function that ends this. */
export function follow(signal, follower) {
  if (signal.aborted) follower();
  const followers = followed.get(signal) ?? new Followers();
  followed.set(signal, followers.add(follower));
  // A signal keeps the same listener only once.
  signal.addEventListener("abort", followers);
  return () => {
    if (followers.delete(follower) && followers.size === 0) signal.removeEventListener("abort", followers);
  };
}
