// What the bindings refuse instead of a workspace. They have no copy of `errors.js`: its classes must exist once.

/** Throws unless the value is a workspace. A promise or a ref of one is not. */
export function needsWorkspace(value, what) {
  if (value?.queryLeads) return;
  const error = Error(`${what} needs a Workspace. Create it first, and mount the component when it exists.`);
  error.name = "ArgumentError";
  throw error;
}
