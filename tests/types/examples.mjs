// Writes the examples of the package for tsc to check. Those in the type declarations of the client and the screen go to
// examples.ts, each in its own function; those of the bindings are modules of their own, in `bindings`; and those of the
// README are files in the folder `readme`.

import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { examplesOf, scriptOf } from "../package/support/readme.mjs";

const PACKAGE = join(import.meta.dirname, "..", "..", "www", "npm");

// Returns every comment of a file, with the line that it documents.
const documented = (file) =>
  [...readFileSync(join(PACKAGE, file), "utf8").matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\n([^\n]*)/gs)].map(
    ([, comment, line]) => ({ file, line, comment: comment.replace(/^ *\* ?/gm, "") }),
  );
const all = [
  "index.d.ts", "options.d.ts", "iterate.d.ts", "errors.d.ts", "filter.d.ts", "filter-types.d.ts", "readers.d.ts",
  "responses.d.ts", "types.d.ts", "appearance.d.ts", "host-page.d.ts", "ui.d.ts", "testing.d.ts",
].flatMap(documented);

const examplesIn = (comment) =>
  [...comment.matchAll(/^@example\n(.*?)(?=^@|(?![^]))/gms)].map(([, example]) => example);

const values = [];
const functions = [];
for (const { file, line, comment } of all) {
  const [, value] = /^export (?:class|function) (\w+)/.exec(line) ?? [];
  if (value && !["ui.d.ts", "testing.d.ts"].includes(file)) values.push(value);
  const examples = examplesIn(comment);
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
import { type Appearance, mountAccountPulse, mountLeadReview, type View } from "lead-workspace/ui";
import { createTestWorkspace } from "lead-workspace/testing";

declare const ws: Workspace;

${functions.join("\n")}`,
);

const readme = join(import.meta.dirname, "readme");
rmSync(readme, { recursive: true, force: true });
mkdirSync(readme);
for (const { name, language, code } of examplesOf(join(PACKAGE, "../README.md"))) {
  const [ending, script] = language === "html" ? ["js", scriptOf(code)] : [language, code];
  // An export makes a module of the file.
  writeFileSync(join(readme, `${name.replaceAll(/\W+/g, "-")}.${ending}`), `${script}\nexport {};\n`);
}

const bindings = join(import.meta.dirname, "bindings");
for (const name of readdirSync(bindings)) if (name.startsWith("example-")) rmSync(join(bindings, name));
for (const binding of ["react", "svelte", "tanstack", "vue"]) {
  for (const { line, comment } of documented(`${binding}.d.ts`)) {
    const [, name] = /^export function (\w+)/.exec(line) ?? [];
    const examples = examplesIn(comment);
    if (name && examples.length === 0) throw new Error(`www/npm/${binding}.d.ts: no @example for ${name}`);
    for (const example of examples) writeFileSync(join(bindings, `example-${binding}-${name}.tsx`), example);
  }
}
