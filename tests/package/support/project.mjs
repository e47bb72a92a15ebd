// Projects in which the package is installed as by a user: see `install.mjs`.

import assert from "node:assert/strict";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { temporaryFolder } from "../../e2e/support/service.mjs";

const FIXTURES = join(import.meta.dirname, "..", "fixtures");

export const APP = join(FIXTURES, "app");

// Returns the path of something that `install.mjs` has made.
const made = (name) => join(required("LEAD_WORKSPACE_INSTALLED"), name);

// Returns the report of `npm pack`, and the path of the tarball.
export async function packed() {
  const [report] = JSON.parse(await readFile(made("pack.json"), "utf8"));
  return { ...report, file: made(report.filename) };
}

// Creates a project in a folder, with the package installed and the files of `from`. `imports` is the specifier that its
// scripts import the package by.
export async function project(t, { from = APP, imports = "lead-workspace", folder } = {}) {
  folder ??= await temporaryFolder(t);
  await cp(from, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  await cp(made("project"), folder, { recursive: true, verbatimSymlinks: true });
  if (imports !== "lead-workspace") {
    await replaceIn(join(folder, "check.js"), '"lead-workspace"', JSON.stringify(imports));
  }
  return folder;
}

export async function replaceIn(file, text, by) {
  const parts = (await readFile(file, "utf8")).split(text);
  assert.equal(parts.length, 2, `${file} must contain ${text} once`);
  await writeFile(file, parts.join(by));
}

export async function addFixture(folder, name) {
  await cp(join(FIXTURES, name), join(folder, name));
}

export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run \`cargo xtask test --only package\``);
  return value;
}
