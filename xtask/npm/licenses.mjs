// Checks the packages of every lock file of the project: they come from the npm registry with a checksum, and have a
// license of the list. Usage: node licenses.mjs
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MPL-2.0",
  "Unlicense",
]);

/** Licenses of single packages that nothing of ours contains. */
const EXCEPTIONS = [
  // The image library of Next.js.
  [/^@img\/sharp-/, "LGPL-3.0-or-later"],
  // In the WebDriver client of the tests.
  [/^pako /, "Zlib"],
];

/** Returns whether an SPDX expression is satisfied by allowed licenses alone. */
function isAllowed(name, license) {
  const one = (text) => {
    const plain = text.replace(/[()]/g, "");
    return ALLOWED.has(plain) || EXCEPTIONS.some(([of, also]) => also === plain && of.test(name));
  };
  return license.split(" OR ").some((all) => all.split(" AND ").every(one));
}

const root = join(import.meta.dirname, "../..");
const files = execFileSync("git", ["ls-files", "--", "*package-lock.json"], { cwd: root, encoding: "utf8" });
const locks = files.trim().split("\n");
const problems = [];
let checked = 0;
for (const file of locks) {
  const lock = JSON.parse(readFileSync(join(root, file), "utf8"));
  for (const [path, entry] of Object.entries(lock.packages)) {
    // The first entry is the project's own.
    if (path === "" || entry.link) continue;
    checked += 1;
    const name = `${path.replace(/^.*node_modules\//, "")} ${entry.version} (${dirname(file)})`;
    if (!entry.integrity) problems.push(`${name} has no checksum. Run npm install in that folder.`);
    // The lock files name no registry, so that a mirror works: see .npmrc.
    if (entry.resolved) problems.push(`${name} comes from ${entry.resolved}. Use a version of the npm registry.`);
    if (!isAllowed(name, String(entry.license)))
      problems.push(`${name} has the license ${entry.license}. Replace it, or add the license to xtask/npm/licenses.mjs.`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`${checked} packages of ${locks.length} lock files, ${problems.length} problems`);
process.exitCode = problems.length === 0 && checked > 0 ? 0 : 1;
