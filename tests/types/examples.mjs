// Writes examples.ts: the examples in the package's type declarations, each in its own function, for tsc to check.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dirname, "..", "..", "www", "npm");

// Returns every comment of a file, with the line that it documents.
const documented = (file) =>
  [...readFileSync(join(PACKAGE, file), "utf8").matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\n([^\n]*)/gs)].map(
    ([, comment, line]) => ({ file, line, comment: comment.replace(/^ *\* ?/gm, "") }),
  );
const all = ["index.d.ts", "options.d.ts", "errors.d.ts", "types.d.ts", "ui.d.ts", "testing.d.ts"].flatMap(documented);

const values = [];
const functions = [];
for (const { file, line, comment } of all) {
  const [, value] = /^export (?:class|function) (\w+)/.exec(line) ?? [];
  if (value && !["ui.d.ts", "testing.d.ts"].includes(file)) values.push(value);
  const examples = [...comment.matchAll(/^@example\n(.*?)(?=^@|(?![^]))/gms)].map(([, example]) => example);
  const isMethod = file === "index.d.ts" && /^ {2}(static )?\w+[(<]/.test(line);
  if ((value || isMethod) && examples.length === 0) throw new Error(`www/npm/${file}: no @example for ${line.trim()}`);
  for (const example of examples) {
    const code = example.replace(/^(import .*|```.*)$/gm, "").trim().replace(/^/gm, "  ");
    functions.push(`export async function example${functions.length}() {\n${code}\n}\n`);
  }
}

// The examples of a page are whole scripts: each gets a file, in which JavaScript is checked.
const page = readFileSync(join(PACKAGE, "..", "..", "docs/testing.md"), "utf8");
for (const [index, [, code]] of [...page.matchAll(/^```js\n(.*?)^```$/gms)].entries()) {
  writeFileSync(join(import.meta.dirname, `examples-testing-${index}.mjs`), code);
}

writeFileSync(
  join(import.meta.dirname, "examples.ts"),
  `import { ${values.join(", ")} } from "lead-workspace";
import { mountAccountPulse, mountLeadReview, type View } from "lead-workspace/ui";
import { createTestWorkspace } from "lead-workspace/testing";

declare const ws: Workspace;

${functions.join("\n")}`,
);
