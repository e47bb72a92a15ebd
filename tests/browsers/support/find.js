// Runs in the page: follows the steps of a locator, and returns the elements. Testing Library finds roles, names and
// labels.

export function find(steps) {
  const library = window.TestingLibraryDom;
  const flat = (text) => text.replace(/\s+/g, " ").trim();
  const matcher = ({ source, flags, text, exact }) => {
    if (source !== undefined) return (found) => new RegExp(source, flags).test(flat(found));
    if (exact) return (found) => flat(found) === text;
    return (found) => flat(found).toLowerCase().includes(text.toLowerCase());
  };
  const unique = (lists) => [...new Set(lists.flat())];

  const kinds = {
    css: (root, { selector }) => [...root.querySelectorAll(selector)],
    role: (root, { role, name, level }) =>
      library.queryAllByRole(root, role, { level, ...(name && { name: matcher(name) }) }),
    label: (root, { name }) => library.queryAllByLabelText(root, matcher(name)),
    // The smallest elements with the text.
    text: (root, { name }) => {
      const matches = matcher(name);
      const has = (element) => matches(element.textContent);
      const all = [root, ...root.querySelectorAll("*")].filter((node) => node.matches?.(":not(head, head *, script, style)"));
      const found = new Set(all.filter(has));
      return [...found].filter((element) => ![...element.children].some((child) => found.has(child)));
    },
  };
  const narrow = {
    nth: (found, { at }) => found.slice(at, at === -1 ? undefined : at + 1),
    has: (found, { steps }) => found.filter((element) => follow([element], steps).length > 0),
    hasText: (found, { name }) => found.filter((element) => matcher(name)(element.textContent)),
    visible: (found) => found.filter((element) => element.checkVisibility({ visibilityProperty: true })),
  };

  // Also what is below the shadow roots of elements.
  const scopes = (root) => [
    root,
    ...[root, ...root.querySelectorAll("*")].flatMap((node) => (node.shadowRoot ? scopes(node.shadowRoot) : [])),
  ];

  function follow(from, steps) {
    let found = from;
    for (const step of steps) {
      const next = narrow[step.kind];
      found = next ? next(found, step) : unique(found.flatMap(scopes).map((root) => kinds[step.kind](root, step)));
    }
    return found;
  }
  return follow([document], steps);
}
