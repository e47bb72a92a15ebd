// The Debian package of the service: its files, and that the installed program runs as its unit starts it. dpkg installs
// it in a folder of its own, so that the test needs no rights and leaves nothing.

import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

import { afterTest } from "../e2e/support/cleanup.mjs";
import { temporaryFolder } from "../e2e/support/service.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";

const run = promisify(execFile);
const DEB = process.env.LEAD_WORKSPACE_DEB;
const UNIT = "usr/lib/systemd/system/lead-workspace.service";

async function dpkg(root, ...args) {
  const options = ["--force-not-root", "--force-script-chrootless", "--force-depends", "--no-triggers", "--log=/dev/null"];
  // Debian's folders of programs for administrators are not on the path of every user.
  const env = { ...process.env, PATH: `${root}/bin:${process.env.PATH}:/usr/sbin:/sbin` };
  await run("dpkg", [`--root=${root}`, ...options, ...args], { env });
}

// A folder that stands for the root of a file system with systemd, whose calls are recorded.
async function machine(t) {
  const root = await temporaryFolder(t);
  for (const folder of ["bin", "run/systemd/system", "var/lib/dpkg/info", "var/lib/dpkg/updates"]) {
    await mkdir(join(root, folder), { recursive: true });
  }
  for (const file of ["status", "available"]) await writeFile(join(root, "var/lib/dpkg", file), "");
  await writeFile(join(root, "calls"), "");
  await writeFile(join(root, "bin/systemctl"), `#!/bin/sh\necho "$@" >> "${root}/calls"\n`, { mode: 0o755 });
  return root;
}

// Returns what systemd was told since the last time.
async function told(root) {
  const calls = await readFile(join(root, "calls"), "utf8");
  await writeFile(join(root, "calls"), "");
  return calls.trimEnd().split("\n");
}

// The settings of the unit, with the paths in the folder.
async function service(root) {
  const unit = await readFile(join(root, UNIT), "utf8");
  const moved = (text) => text.replaceAll(/(?<=^|[= ])\/(?=usr|var)/g, `${root}/`);
  const [program, ...args] = moved(/^ExecStart=(.*)$/m.exec(unit)[1]).split(" ");
  const env = Object.fromEntries([...unit.matchAll(/^Environment=(\w+)=(.*)$/gm)].map(([, name, value]) => [name, moved(value)]));
  return { program, args, env };
}

test("it has the program, the UI and the unit, owned by root", async () => {
  const { stdout } = await run("dpkg-deb", ["--contents", DEB]);
  const files = stdout.trimEnd().split("\n").map((line) => line.split(/\s+/));
  assert.ok(files.every(([, owner]) => owner === "root/root"));
  const modes = Object.fromEntries(files.map(([mode, , , , , name]) => [name, mode]));
  assert.equal(modes["./usr/bin/lead-workspace"], "-rwxr-xr-x");
  assert.equal(modes[`./${UNIT}`], "-rw-r--r--");
  assert.equal(modes["./usr/share/lead-workspace/index.html"], "-rw-r--r--");
  const parts = Object.keys(modes).filter((name) => /^\.\/usr\/share\/lead-workspace\/.*\.wasm\.br$/.test(name));
  assert.ok(parts.length > 4, "the UI is not the compressed one in parts");
});

test("it is installed, started as by its unit, and removed without its data", async (t) => {
  const root = await machine(t);
  await dpkg(root, "--install", DEB);
  assert.deepEqual(await told(root), [`--root=${root}/ enable lead-workspace`, "daemon-reload", "start lead-workspace"]);
  const { program, args, env } = await service(root);
  const data = env.LEAD_WORKSPACE_DATA;
  // systemd makes it: `StateDirectory=`.
  await mkdir(data, { recursive: true, mode: 0o700 });
  const child = spawn(program, [...args, "--port", "0"], {
    env: { ...env, LEAD_WORKSPACE_METRICS: "127.0.0.1:0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  afterTest(t, async () => {
    child.kill("SIGKILL");
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  const [, url] = await expectEventually("the service", () => /^ready (http:\S+)\n/.exec(output));

  const page = await fetch(url);
  assert.equal(page.status, 200);
  const [, module] = /src="?(\/build-\w+\/boot\.js)/.exec(await page.text());
  assert.equal((await fetch(new URL(module, url))).status, 200);

  const { stdout } = await run(program, ["keys", "create", "--data", data]);
  const [key] = /\blwk_\S+/.exec(stdout);
  const answer = await fetch(new URL("/api/leads/facets", url), { headers: { authorization: `Bearer ${key}` } });
  assert.equal(answer.status, 200);

  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
  await dpkg(root, "--install", DEB);
  assert.deepEqual(await told(root), ["daemon-reload", "try-restart lead-workspace"]);
  await dpkg(root, "--purge", "lead-workspace");
  assert.deepEqual(await told(root), [`--root=${root}/ disable lead-workspace`, "stop lead-workspace", "daemon-reload"]);
  assert.deepEqual(await readdir(join(root, "usr")).catch(() => []), []);
  assert.ok((await readdir(data)).length > 0, "the data was removed");
});

test("it is enabled again after a removal, and in an image", async (t) => {
  const root = await machine(t);
  const enabled = `--root=${root}/ enable lead-workspace`;
  await dpkg(root, "--install", DEB);
  await dpkg(root, "--remove", "lead-workspace");
  await told(root);
  await dpkg(root, "--install", DEB);
  assert.deepEqual(await told(root), [enabled, "daemon-reload", "start lead-workspace"]);
  await dpkg(root, "--install", DEB);
  assert.deepEqual(await told(root), ["daemon-reload", "try-restart lead-workspace"]);

  await rm(join(root, "run/systemd"), { recursive: true });
  await dpkg(root, "--remove", "lead-workspace");
  assert.deepEqual(await told(root), [`--root=${root}/ disable lead-workspace`]);
  await dpkg(root, "--purge", "lead-workspace");
  await dpkg(root, "--install", DEB);
  assert.deepEqual(await told(root), [enabled]);
  await dpkg(root, "--purge", "lead-workspace");
  assert.ok(!(await readdir(join(root, "var/lib"))).some((name) => name.startsWith("lead-workspace")));
});

test("it is installed even if the service cannot start", async (t) => {
  const root = await machine(t);
  // A masked unit cannot be enabled; a port in use prevents a start.
  const broken = `#!/bin/sh\ncase "$*" in *enable*|*start*) exit 1 ;; esac\n`;
  await writeFile(join(root, "bin/systemctl"), broken, { mode: 0o755 });
  await dpkg(root, "--install", DEB);
  await dpkg(root, "--install", DEB);
  const { stdout } = await run("dpkg-query", [`--admindir=${root}/var/lib/dpkg`, "--show", "--showformat=${Status}", "lead-workspace"]);
  assert.equal(stdout, "install ok installed");
});
