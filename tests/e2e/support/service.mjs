// Runs the workspace service as a child process with its own data folder. The same tests also run in two other setups,
// by LEAD_WORKSPACE_SETUP: with `gateway` the browser uses a gateway in front of the service, and with `postgres` the
// service has its own database of the PostgreSQL server that PGHOST, PGPORT and PGUSER name.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

import { afterTest } from "./cleanup.mjs";
import { expectEventually } from "./wait.mjs";

const SETUP = process.env.LEAD_WORKSPACE_SETUP ?? "folder";
export const THROUGH_GATEWAY = SETUP === "gateway";
// A folder for demo leads, which `cargo xtask test` empties before a step.
const DEMOS = process.env.LEAD_WORKSPACE_DEMOS;

const READY = /^ready (http:\/\/127\.0\.0\.1:(\d+)\/#key=(\S+))$/;
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;

// Creates a folder that is removed after the test.
export async function temporaryFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), "lead-workspace-e2e-"));
  afterTest(t, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

// Copies demo leads into a folder: that takes less time than making them for each test.
async function copyDemo(leads, folder) {
  const made = join(DEMOS, String(leads));
  if (!existsSync(made)) {
    const making = await mkdtemp(join(DEMOS, "making-"));
    const args = ["demo", "--data", making, "--leads", String(leads)];
    await promisify(execFile)(required("LEAD_WORKSPACE_PROGRAM"), args);
    await rename(making, made).catch(async (error) => {
      // Another file of tests made them meanwhile.
      if (!existsSync(made)) throw error;
      await rm(making, { recursive: true });
    });
  }
  await cp(made, folder, { recursive: true });
}

// One process of the program.
class Program {
  // Reused by `start` after a kill, so that the folder stays the same.
  #data;
  #database;
  #port = 0;
  #child;
  #exited;
  output = "";

  constructor(data, database) {
    this.#data = data;
    this.#database = database;
  }

  async kill() {
    this.#child.kill("SIGKILL");
    await this.#exited;
  }

  async stop() {
    if (!this.#child) return;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_WITHIN_MS);
    this.#child.kill("SIGTERM");
    await this.#exited;
    clearTimeout(timer);
  }

  // Starts the program; after the first time, on the same port.
  async start(args) {
    const program = required("LEAD_WORKSPACE_PROGRAM");
    const ui = required("LEAD_WORKSPACE_UI");
    const own = ["--port", String(this.#port), "--ui", ui, "--print-key"];
    const all = ["serve", ...this.#leads(), ...own, ...args];
    this.#child = spawn(program, all, { stdio: ["ignore", "pipe", "pipe"] });
    this.#exited = once(this.#child, "close");
    this.#child.stderr.setEncoding("utf8").on("data", (text) => (this.output += text));
    const [url, realPort, key] = await this.#ready();
    this.url = url;
    this.key = key;
    this.#port = Number(realPort);
    this.origin = new URL(url).origin;
  }

  // Where the leads are.
  #leads() {
    return this.#database ? ["--database", this.#database] : ["--data", this.#data];
  }

  // Runs another command on the same leads. Returns what it printed.
  async command(args) {
    const { stdout } = await promisify(execFile)(required("LEAD_WORKSPACE_PROGRAM"), [...args, ...this.#leads()]);
    return stdout;
  }

  #ready() {
    return new Promise((resolve, reject) => {
      const fail = (what) => reject(new Error(`the service ${what}\n${this.output}`));
      const timer = setTimeout(() => fail("was not ready in time"), READY_WITHIN_MS);
      this.#child.once("error", (error) => fail(`cannot run: ${error.message}`));
      this.#child.once("close", (code, signal) => {
        clearTimeout(timer);
        fail(`ended before it was ready (${signal ?? code})`);
      });
      createInterface({ input: this.#child.stdout }).on("line", (line) => {
        this.output += `${line}\n`;
        const ready = READY.exec(line);
        if (!ready) return;
        clearTimeout(timer);
        resolve(ready.slice(1));
      });
    });
  }
}

export class Service {
  // The programs that serve the browser and that hold the leads: the same one, unless there is a gateway.
  #front;
  #back;
  #file;

  // Starts a service with the folder `data`, or with a temporary one. Stops it after the test. An empty folder gets
  // `demo` leads, which the service makes itself if `fills`, or the leads of a file (`importFile`).
  static async start(t, { data, demo, fills = !DEMOS || SETUP === "postgres", importFile, args = [] } = {}) {
    const service = new Service();
    const folder = data ?? (await temporaryFolder(t));
    const copies = Boolean(demo) && !data && !fills;
    if (copies) await copyDemo(demo, folder);
    service.#back = new Program(folder, SETUP === "postgres" ? await database(folder) : undefined);
    service.#front = service.#back;
    if (THROUGH_GATEWAY) {
      const folder = await temporaryFolder(t);
      service.#front = new Program(join(folder, "data"));
      service.#file = join(folder, "upstream-key");
    }
    afterTest(t, () => service.stop());
    const fill = [
      ...(demo && !copies ? ["--demo", String(demo)] : []),
      ...(importFile ? ["--import", importFile] : []),
    ];
    await service.restart([...fill, ...args]);
    if (importFile) await service.#scored();
    return service;
  }

  // Resolves when all leads have a score. Scores change the order of the list.
  async #scored() {
    await expectEventually("the scores of the imported leads", async () => {
      const { body: page } = await this.call("POST", "/api/leads/query", { page_size: 1 });
      const { body: counts } = await this.call("POST", "/api/leads/facets", { facets: [{ field: "icp_tier" }] });
      return counts.facets[0].items.reduce((sum, item) => sum + item.count, 0) === page.total;
    });
  }

  // Kills the process without a chance to clean up, like a power cut.
  async kill() {
    for (const program of this.#programs()) await program.kill();
  }

  // Starts again with the same folder and port, so that an open page can reconnect.
  async restart(args = []) {
    await this.#back.start(args);
    if (this.#front !== this.#back) {
      await writeFile(this.#file, this.#back.key);
      const upstream = ["--upstream", this.#back.origin, "--upstream-key-file", this.#file];
      // The front program handles CORS and the Content-Security-Policy, so it gets these options.
      const passed = ["--allow-origin", "--allow-connect"].flatMap((option) => {
        const at = args.indexOf(option);
        return at < 0 ? [] : args.slice(at, at + 2);
      });
      await this.#front.start([...upstream, ...passed]);
    }
    for (const name of ["url", "key", "origin"]) this[name] = this.#front[name];
  }

  // Sends a termination signal, and kills the process if it does not exit in time.
  async stop() {
    for (const program of this.#programs()) await program.stop();
  }

  get output() {
    return this.#programs().map((program) => program.output).join("");
  }

  #programs() {
    return [...new Set([this.#front, this.#back])];
  }

  // Runs a command of the program, also while the service runs. Returns what it printed.
  command(...args) {
    return this.#back.command(args);
  }

  // Creates another key.
  async createKey(name) {
    const printed = await this.command("keys", "create", "--name", name);
    return /lwk_\S+/.exec(printed)[0];
  }

  // Calls the API directly. Returns the status and the decoded body.
  async call(method, path, body) {
    const response = await fetch(new URL(path, this.origin), {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, body: text ? JSON.parse(text) : undefined };
  }
}

// Creates a database, which ends with its server. Returns the URL.
async function database(folder) {
  const name = basename(folder);
  await promisify(execFile)("createdb", [name]);
  const host = encodeURIComponent(required("PGHOST"));
  return `postgres://${required("PGUSER")}@${host}:${required("PGPORT")}/${name}`;
}

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run \`cargo xtask test --only e2e\``);
  return value;
}
