// Writes the examples in the package's type declarations for tsc to check: those of the client and the screen to
// examples.ts, each in its own function; those of the bindings are modules of their own, in `bindings`.

import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dirname, "..", "..", "www", "npm");

// Returns every comment of a file, with the line that it documents.
const documented = (file) =>
  [...readFileSync(join(PACKAGE, file), "utf8").matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\n([^\n]*)/gs)].map(
    ([, comment, line]) => ({ file, line, comment: comment.replace(/^ *\* ?/gm, "") }),
  );
const all = ["index.d.ts", "options.d.ts", "errors.d.ts", "types.d.ts", "ui.d.ts"].flatMap(documented);

const examplesOf = (comment) =>
  [...comment.matchAll(/^@example\n(.*?)(?=^@|(?![^]))/gms)].map(([, example]) => example);

const values = [];
const functions = [];
for (const { file, line, comment } of all) {
  const [, value] = /^export (?:class|function) (\w+)/.exec(line) ?? [];
  if (value && file !== "ui.d.ts") values.push(value);
  const examples = examplesOf(comment);
  const isMethod = file === "index.d.ts" && /^ {2}(static )?\w+[(<]/.test(line);
  if ((value || isMethod) && examples.length === 0) throw new Error(`www/npm/${file}: no @example for ${line.trim()}`);
  for (const example of examples) {
    const code = example.replace(/^(import .*|```.*)$/gm, "").trim().replace(/^/gm, "  ");
    functions.push(`export async function example${functions.length}() {\n${code}\n}\n`);
  }
}

writeFileSync(
  join(import.meta.dirname, "examples.ts"),
  `import { ${values.join(", ")} } from "lead-workspace";
import { mountAccountPulse, mountLeadReview, type View } from "lead-workspace/ui";

declare const ws: Workspace;

${functions.join("\n")}`,
);

const bindings = join(import.meta.dirname, "bindings");
for (const name of readdirSync(bindings)) if (name.startsWith("example-")) rmSync(join(bindings, name));
for (const binding of ["react", "svelte", "tanstack", "vue"]) {
  for (const { line, comment } of documented(`${binding}.d.ts`)) {
    const [, name] = /^export function (\w+)/.exec(line) ?? [];
    const examples = examplesOf(comment);
    if (name && examples.length === 0) throw new Error(`www/npm/${binding}.d.ts: no @example for ${name}`);
    for (const example of examples) writeFileSync(join(bindings, `example-${binding}-${name}.tsx`), example);
  }
}
