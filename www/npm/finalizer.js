// Stand-ins for platforms without `FinalizationRegistry` and `WeakRef`, such as Cloudflare Workers with a compatibility
// date before May 2025. There, only `dispose` frees a workspace, and it keeps its options alive until then.

const NEVER = { register() {}, unregister() {} };

/** Returns a registry that calls `free` with the value of an object that is no longer reachable. */
export function finalizer(free) {
  return globalThis.FinalizationRegistry ? new FinalizationRegistry(free) : NEVER;
}

/** Returns a weak reference to an object. */
export function weak(object) {
  return globalThis.WeakRef ? new WeakRef(object) : { deref: () => object };
}
