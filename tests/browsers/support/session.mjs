// Starts a browser through its driver: one session for all tests of a file. Each test has a service of its own, and so
// an origin without stored data.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Builder, Capabilities } from "selenium-webdriver";

import { expectEventually } from "../../e2e/support/wait.mjs";
import { engine } from "./engines.mjs";

export class Session {
  // Lines of the browser's output about errors of pages.
  problems = [];
  #folder;
  #process;
  #exited;
  #current;

  static async start() {
    const session = new Session();
    await session.#start();
    return session;
  }

  async #start() {
    const { driver, options, capabilities, problem } = engine();
    this.#folder = await mkdtemp(join(tmpdir(), "lead-workspace-browser-"));
    this.downloads = join(this.#folder, "downloads");
    await mkdir(this.downloads);
    const port = await freePort();
    this.#process = spawn(process.env.LEAD_WORKSPACE_DRIVER ?? driver, options(port), {
      env: await environment(this.#folder, this.downloads),
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#exited = once(this.#process, "close");
    for (const output of [this.#process.stdout, this.#process.stderr]) {
      createInterface({ input: output }).on("line", (line) => {
        if (problem.test(line)) this.problems.push(line);
      });
    }
    const server = `http://127.0.0.1:${port}`;
    await expectEventually(driver, async () => (await (await fetch(`${server}/status`)).json()).value.ready);
    this.driver = await new Builder()
      .usingServer(server)
      .withCapabilities(new Capabilities(capabilities(this.downloads)))
      .build();
  }

  // Makes a tab the one that commands are about.
  async use(handle) {
    if (this.#current === handle) return;
    await this.driver.switchTo().window(handle);
    this.#current = handle;
  }

  async current() {
    return (this.#current ??= await this.driver.getWindowHandle());
  }

  async newTab() {
    await this.driver.switchTo().newWindow("tab");
    this.#current = await this.driver.getWindowHandle();
    return this.#current;
  }

  async closeTab(handle) {
    await this.use(handle);
    const [other] = (await this.driver.getAllWindowHandles()).filter((one) => one !== handle);
    await this.driver.close();
    this.#current = undefined;
    await this.use(other);
  }

  async end() {
    // A browser that has crashed cannot quit.
    await this.driver?.quit().catch(() => {});
    this.#process.kill();
    await this.#exited;
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

// The environment of a browser with its own settings. WebKit saves files in the folder that the desktop's settings name.
async function environment(folder, downloads) {
  const settings = join(folder, "settings");
  await mkdir(settings);
  await writeFile(join(settings, "user-dirs.dirs"), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  return {
    ...process.env,
    LANG: "en_GB.UTF-8",
    LANGUAGE: "en_GB",
    TZ: "UTC",
    XDG_CONFIG_HOME: settings,
    XDG_CACHE_HOME: join(folder, "cache"),
    XDG_DATA_HOME: join(folder, "data"),
  };
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return String(port);
}
