// Creates projects that install the package as users do, from the output of `npm pack`.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { temporaryFolder } from "../../e2e/support/service.mjs";

const run = promisify(execFile);
const FIXTURES = join(import.meta.dirname, "..", "fixtures");

export const APP = join(FIXTURES, "app");

// Removes npm's own variables, so that they do not affect the npm that a project calls.
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")),
);

export async function npm(folder, ...args) {
  const { stdout } = await run("npm", [...args, "--no-audit", "--no-fund"], {
    cwd: folder,
    env: environment,
    maxBuffer: 64 << 20,
  });
  return stdout;
}

let packed;

// Runs `npm pack` once for all tests of a file. Resolves with its report and the path of the tarball.
export function pack() {
  packed ??= (async () => {
    const folder = await temporary("pack");
    const source = required("LEAD_WORKSPACE_PACKAGE");
    const text = await npm(source, "pack", "--json", "--pack-destination", folder);
    const [report] = JSON.parse(text);
    return { ...report, file: join(folder, report.filename) };
  })();
  return packed;
}

let installed;

// Installs the package once for all tests of a file, as a user does. Resolves with the folder.
function install() {
  installed ??= (async () => {
    const { file } = await pack();
    const folder = await temporary("install");
    const manifest = { name: "project", private: true, type: "module" };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    await npm(folder, "install", "--ignore-scripts", "--offline", file);
    return folder;
  })();
  return installed;
}

// Creates a project in a folder, with the package installed and the files of `from`. `imports` is the specifier that its
// scripts import the package by.
export async function project(t, { from = APP, imports = "lead-workspace", folder } = {}) {
  folder ??= await temporaryFolder(t);
  await cp(from, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  await cp(await install(), folder, { recursive: true, verbatimSymlinks: true });
  if (imports !== "lead-workspace") {
    await replaceIn(join(folder, "check.js"), '"lead-workspace"', JSON.stringify(imports));
  }
  return folder;
}

// Creates a folder that is removed when the process ends.
async function temporary(name) {
  const folder = await mkdtemp(join(tmpdir(), `lead-workspace-${name}-`));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
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
