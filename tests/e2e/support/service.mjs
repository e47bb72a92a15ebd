// The workspace service as a child process, over a data folder of its own. With
// LEAD_WORKSPACE_GATEWAY=1 the browser is given a gateway in front of it, so that the same tests
// show that the UI works through one.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

import { afterTest } from "./cleanup.mjs";

// Whether the browser is given a gateway.
export const THROUGH_GATEWAY = process.env.LEAD_WORKSPACE_GATEWAY === "1";

const READY = /^ready (http:\/\/127\.0\.0\.1:(\d+)\/#key=(\S+))$/;
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;

// A folder that is gone when the test is over.
export async function temporaryFolder(t) {
  const folder = await mkdtemp(join(tmpdir(), "lead-workspace-e2e-"));
  afterTest(t, () => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

// One process of the program.
class Program {
  // What `start` passes on again after a kill: the folder stays the same.
  #data;
  #port = 0;
  #child;
  #exited;
  output = "";

  constructor(data) {
    this.#data = data;
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

  // Starts, the second time on the same port.
  async start(args) {
    const program = required("LEAD_WORKSPACE_PROGRAM");
    const ui = required("LEAD_WORKSPACE_UI");
    const own = ["--data", this.#data, "--port", String(this.#port), "--ui", ui, "--print-key"];
    const all = ["serve", ...own, ...args];
    this.#child = spawn(program, all, { stdio: ["ignore", "pipe", "pipe"] });
    this.#exited = once(this.#child, "close");
    this.#child.stderr.setEncoding("utf8").on("data", (text) => (this.output += text));
    const [url, realPort, key] = await this.#ready();
    this.url = url;
    this.key = key;
    this.#port = Number(realPort);
    this.origin = new URL(url).origin;
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
  // What answers the browser, and what has the leads: the same, unless there is a gateway.
  #front;
  #back;
  #file;

  // Starts over `data`, or over a temporary folder; stops when the test is over.
  // `demo` leads or the leads of a file (`importFile`) fill an empty folder.
  static async start(t, { data, demo, importFile, args = [] } = {}) {
    const service = new Service();
    service.#back = new Program(data ?? (await temporaryFolder(t)));
    service.#front = service.#back;
    if (THROUGH_GATEWAY) {
      const folder = await temporaryFolder(t);
      service.#front = new Program(join(folder, "data"));
      service.#file = join(folder, "upstream-key");
    }
    afterTest(t, () => service.stop());
    const fill = [
      ...(demo ? ["--demo", String(demo)] : []),
      ...(importFile ? ["--import", importFile] : []),
    ];
    await service.restart([...fill, ...args]);
    return service;
  }

  // Ends the process with no chance to tidy up, as a power cut would.
  async kill() {
    for (const program of this.#programs()) await program.kill();
  }

  // Starts again over the same folder and on the same port, so that a page
  // which is open finds the service where it was.
  async restart(args = []) {
    await this.#back.start(args);
    if (this.#front !== this.#back) {
      await writeFile(this.#file, this.#back.key);
      const upstream = ["--upstream", this.#back.origin, "--upstream-key-file", this.#file];
      // Whose pages may call, and where its own may go, is for what answers them to know.
      const passed = ["--allow-origin", "--allow-connect"].flatMap((option) => {
        const at = args.indexOf(option);
        return at < 0 ? [] : args.slice(at, at + 2);
      });
      await this.#front.start([...upstream, ...passed]);
    }
    for (const name of ["url", "key", "origin"]) this[name] = this.#front[name];
  }

  // Asks the process to end, and ends it when it does not.
  async stop() {
    for (const program of this.#programs()) await program.stop();
  }

  get output() {
    return this.#programs().map((program) => program.output).join("");
  }

  #programs() {
    return [...new Set([this.#front, this.#back])];
  }

  // One call to the API, past the UI. Returns status and decoded body.
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

function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set; run \`cargo xtask test --only e2e\``);
  return value;
}
