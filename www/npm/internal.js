// Data of a workspace that is shared inside the package and hidden from the page.

const options = new WeakMap();

/** Stores the options that a workspace was created with. */
export function remember(workspace, created) {
  options.set(workspace, created);
}

/**
 * Returns the options that a workspace was created with, so that the UI can connect to the same one.
 *
 * Returns undefined for anything that is not a workspace of this package.
 */
export function optionsOf(workspace) {
  return options.get(workspace);
}

/** Returns the name of a workspace in storage and in caches. The review UI uses the same. */
export function storageScope(workspace) {
  const { baseUrl = "", tenantId } = optionsOf(workspace) ?? {};
  const base = baseUrl.replace(/\/+$/, "");
  return tenantId ? `${base}#${tenantId}` : base;
}
