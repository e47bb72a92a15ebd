// Reads the examples of a README: its fenced blocks of code, except those for a shell.

import { readFileSync } from "node:fs";

const SHELL = ["", "sh"];

// Returns each example with a name: the heading above it, and its number there.
export function examplesOf(file) {
  const examples = [];
  let heading = "";
  let count = 0;
  for (const [, title, language, code] of readFileSync(file, "utf8").matchAll(
    /^#+ ([^\n]+)$|^```(\w*)\n(.*?)^```$/gms,
  )) {
    if (title) [heading, count] = [title, 0];
    else if (!SHELL.includes(language)) examples.push({ name: `${heading} ${++count}`, language, code });
  }
  return examples;
}

// The module script of an HTML example.
export const scriptOf = (html) => /<script type="module">\n(.*?)<\/script>/s.exec(html)[1];
