// Writes the examples of the package for tsc to check: those in its type declarations to examples.ts, each in its own
// function, and those in its README to the folder `readme`, each in its own file.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { examplesOf, scriptOf } from "../package/support/readme.mjs";

const PACKAGE = join(import.meta.dirname, "..", "..", "www", "npm");

// Returns every comment of a file, with the line that it documents.
const documented = (file) =>
  [...readFileSync(join(PACKAGE, file), "utf8").matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\n([^\n]*)/gs)].map(
    ([, comment, line]) => ({ file, line, comment: comment.replace(/^ *\* ?/gm, "") }),
  );
const all = [
  "index.d.ts", "options.d.ts", "iterate.d.ts", "errors.d.ts", "filter.d.ts", "readers.d.ts", "types.d.ts", "ui.d.ts",
].flatMap(documented);

const values = [];
const functions = [];
for (const { file, line, comment } of all) {
  const [, value] = /^export (?:class|function) (\w+)/.exec(line) ?? [];
  if (value && file !== "ui.d.ts") values.push(value);
  const examples = [...comment.matchAll(/^@example\n(.*?)(?=^@|(?![^]))/gms)].map(([, example]) => example);
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

const readme = join(import.meta.dirname, "readme");
rmSync(readme, { recursive: true, force: true });
mkdirSync(readme);
for (const { name, language, code } of examplesOf(join(PACKAGE, "../README.md"))) {
  const [ending, script] = language === "html" ? ["js", scriptOf(code)] : [language, code];
  // An export makes a module of the file.
  writeFileSync(join(readme, `${name.replaceAll(/\W+/g, "-")}.${ending}`), `${script}\nexport {};\n`);
}
