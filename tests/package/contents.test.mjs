// The content of the package, and that package linters report nothing.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { formatMessage } from "publint/utils";
import { publint } from "publint";
import webpack from "webpack";

import { packed, project, required } from "./support/project.mjs";

const run = promisify(execFile);
const root = join(import.meta.dirname, "..", "..");
const manifest = async () =>
  JSON.parse(await readFile(join(required("LEAD_WORKSPACE_PACKAGE"), "package.json"), "utf8"));

test("publint finds nothing", async () => {
  const pkgDir = required("LEAD_WORKSPACE_PACKAGE");
  const { messages, pkg } = await publint({ pkgDir, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg)), []);
});

test("the types of every entry resolve", async () => {
  const { file } = await packed();
  const attw = join(import.meta.dirname, "node_modules/.bin/attw");
  const options = ["--profile", "esm-only", "--no-color", "--exclude-entrypoints", "style.css"];
  await run(attw, [file, ...options], { maxBuffer: 16 << 20 }).catch(({ stdout }) =>
    assert.fail(stdout),
  );
});

test("the package contains what its entries need, and nothing else", async () => {
  const { files } = await packed();
  const names = new Set(files.map((file) => file.path));
  for (const entry of ["index", "inline", "react", "react-ui", "svelte", "tanstack", "testing", "ui", "vue"]) {
    for (const kind of ["js", "d.ts"]) assert.ok(names.has(`${entry}.${kind}`), `${entry}.${kind}`);
  }
  for (const name of ["cli.js", "client.wasm", "demo-page.js", "review.wasm", "style.css", "workerd.js"]) {
    assert.ok(names.has(name), name);
  }
  for (const name of ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "SECURITY.md"]) assert.ok(names.has(name), name);
  for (const guide of ["client", "decisions", "react", "svelte", "tanstack-query", "testing", "vue"]) {
    assert.ok(names.has(`docs/${guide}.md`), guide);
  }
  const strange = [...names].filter((name) => !/^(docs\/(?=[\w-]+\.md$))?[\w-]+(\.js|\.d\.ts|\.wasm|\.bin|\.css|\.json|\.md)?$/.test(name));
  assert.deepEqual(strange, []);
});

test("every part of the review's module is referenced, and too large for Vite to inline", async () => {
  const folder = required("LEAD_WORKSPACE_PACKAGE");
  // In the entry, or in a chunk that it shares with others.
  const scripts = (await readdir(folder)).filter((name) => name.endsWith(".js"));
  const texts = await Promise.all(scripts.map((name) => readFile(join(folder, name), "utf8")));
  const addresses = /new URL\("\.\/(review[^"]+)",\s*import\.meta\.url\)/g;
  const named = [...texts.join("\n").matchAll(addresses)].map(([, name]) => name);
  const there = (await readdir(folder)).filter((name) => /^review.*\.(wasm|bin)$/.test(name));
  assert.deepEqual(named.sort(), there.sort());
  assert.ok(there.length > 4, "the module is in parts");
  for (const name of there) {
    const { size } = await stat(join(folder, name));
    assert.ok(size > 4096, `${name} has ${size} bytes`);
  }
});

test("the package has the workspace's version, and contains no local paths", async () => {
  const cargo = await readFile(join(root, "Cargo.toml"), "utf8");
  const [, version] = /\[workspace\.package\]\nversion = "([^"]+)"/.exec(cargo);
  assert.equal((await manifest()).version, version);
  const folder = required("LEAD_WORKSPACE_PACKAGE");
  for (const name of (await readdir(folder)).filter((name) => /\.(wasm|bin)$/.test(name))) {
    const text = (await readFile(join(folder, name))).toString("latin1");
    for (const path of [root, process.env.HOME, "/registry/src/"]) {
      assert.ok(!text.includes(path), `${name} names ${path}`);
    }
  }
});

// webpack drops an import without names if `sideEffects` in package.json does not list the file.
const KEPT = {
  "lead-workspace/ui": "customElements.define",
  "lead-workspace/style.css": ":host",
};

test("imports for their side effects are kept", async (t) => {
  const context = await project(t);
  const imports = Object.keys(KEPT).map((entry) => `import ${JSON.stringify(entry)};\n`);
  await writeFile(join(context, "main.js"), imports.join(""));
  const path = join(context, "dist");
  const stats = await promisify(webpack)({
    context,
    entry: "./main.js",
    mode: "production",
    experiments: { css: true },
    output: { path },
    performance: false,
  });
  assert.equal(stats.hasErrors(), false, stats.toString());
  const built = (await readdir(path)).filter((name) => /\.(css|js)$/.test(name));
  const texts = (await Promise.all(built.map((name) => readFile(join(path, name), "utf8")))).join("\n");
  for (const [entry, text] of Object.entries(KEPT)) assert.ok(texts.includes(text), entry);
});
