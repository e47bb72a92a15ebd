// What the parts of the package know of a workspace, and a page does not.

const options = new WeakMap();

/** Keeps the options that a workspace was created with. */
export function remember(workspace, created) {
  options.set(workspace, created);
}

/**
 * The options that a workspace was created with, so that the UI can connect to the same one.
 * Undefined for anything that is not a workspace of this package.
 */
export function optionsOf(workspace) {
  return options.get(workspace);
}
