// Packs the package, and installs it as a user does, once for all tests. Its argument is an empty folder, which gets the
// tarball, the report of `npm pack` and a folder `project`.

import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

import { required } from "./project.mjs";

// Without npm's own variables, so that they do not affect the npm that is called.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")));

async function npm(cwd, ...args) {
  const { stdout } = await promisify(execFile)("npm", [...args, "--no-audit", "--no-fund"], { cwd, env, maxBuffer: 64 << 20 });
  return stdout;
}

const [folder] = process.argv.slice(2);
const report = await npm(required("LEAD_WORKSPACE_PACKAGE"), "pack", "--json", "--pack-destination", folder);
await writeFile(join(folder, "pack.json"), report);
const project = join(folder, "project");
await mkdir(project);
await writeFile(join(project, "package.json"), JSON.stringify({ name: "project", private: true, type: "module" }));
await npm(project, "install", "--ignore-scripts", "--offline", join(folder, JSON.parse(report)[0].filename));
