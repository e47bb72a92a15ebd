// A page of the browser, with the names that Playwright has for what both can do. Problems of the page make its test
// fail: uncaught errors, logged errors, and violations of the Content-Security-Policy after the page is loaded.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { afterTest } from "../../e2e/support/cleanup.mjs";
import { expectEventually } from "../../e2e/support/wait.mjs";
import { find } from "./find.js";
import { Keyboard, Mouse } from "./input.mjs";
import { Locator } from "./locator.mjs";
import { NAME } from "./engines.mjs";
import { Session } from "./session.mjs";

export const DESKTOP = { width: 1440, height: 900 };
// Firefox has no narrower windows.
export const PHONE = { width: 500, height: 844 };

const RESULTS = join(import.meta.dirname, "..", "results");
const LIBRARY = createRequire(import.meta.url).resolve("@testing-library/dom");
const SOURCE = readFile(join(dirname(LIBRARY), "@testing-library/dom.umd.min.js"), "utf8");

let session;

// Call once per file, as `after(closeBrowser)`.
export async function closeBrowser() {
  await session?.end();
  session = undefined;
}

// Opens an empty page. `expected` are patterns of the problems that the test causes.
export async function openPage(t, { viewport = DESKTOP, expected = [] } = {}) {
  session ??= await Session.start();
  const page = new Page(session, await session.current());
  await page.setViewportSize(viewport);
  session.problems.length = 0;
  afterTest(t, async () => {
    const problems = [...session.problems, ...(await page.violations())];
    const unexpected = problems.filter((one) => !expected.some((pattern) => pattern.test(one)));
    if (!t.passed || unexpected.length > 0) await page.screenshot(join(RESULTS, `${NAME}-${slug(t.name)}.png`)).catch(() => {});
    await page.leave();
    assert.deepEqual(unexpected, [], "the page reported problems");
  });
  return page;
}

const slug = (name) => name.replaceAll(/[^a-z0-9]+/gi, "-");

export class Page extends Locator {
  #session;
  #handle;

  constructor(session, handle) {
    super();
    this.#session = session;
    this.#handle = handle;
    const actions = async () => (await this.driver()).actions({ async: false });
    this.keyboard = new Keyboard(actions);
    this.mouse = new Mouse(actions);
  }

  get downloads() {
    return this.#session.downloads;
  }

  // Returns WebDriver's client, which then talks to this page.
  async driver() {
    await this.#session.use(this.#handle);
    return this.#session.driver;
  }

  // Opens a tab of the same browser.
  async newPage() {
    return new Page(this.#session, await this.#session.newTab());
  }

  close() {
    return this.#session.closeTab(this.#handle);
  }

  async goto(url) {
    await (await this.driver()).get(url);
    await this.#watch();
  }

  async reload() {
    await (await this.driver()).navigate().refresh();
    await this.#watch();
  }

  async goBack() {
    await (await this.driver()).navigate().back();
  }

  async url() {
    return new URL(await (await this.driver()).getCurrentUrl());
  }

  async waitForURL(pattern) {
    await expectEventually(`the address ${pattern}`, async () => pattern.test((await this.url()).href));
  }

  // Sets the size of the window so that the page has this one. The page may get its new size later than the window.
  async setViewportSize({ width, height }) {
    const window = (await this.driver()).manage().window();
    await expectEventually(`a page of ${width} x ${height}`, async () => {
      const page = await this.evaluate(() => ({ width: innerWidth, height: innerHeight }));
      if (page.width === width && page.height === height) return true;
      const outer = await window.getRect();
      const frame = { width: outer.width - page.width, height: outer.height - page.height };
      const isOfOldPage = frame.width < 0 || frame.height < 0;
      if (!isOfOldPage) await window.setRect({ width: width + frame.width, height: height + frame.height });
      return false;
    });
  }

  async execute(run, ...values) {
    return (await this.driver()).executeScript(`return (${run})(...arguments)`, ...values);
  }

  evaluate(run, argument) {
    return this.execute(run, argument);
  }

  // Returns what a function of the page makes of the elements at the end of some steps.
  async found(steps, run, argument) {
    const source = `async (steps, argument) =>
      window.leadWorkspaceFind ? { result: await (${run})(window.leadWorkspaceFind(steps), argument) } : null`;
    const done = await this.execute(source, steps, argument);
    if (done) return done.result;
    await this.#addLibrary();
    return (await this.execute(source, steps, argument)).result;
  }

  elements(steps) {
    return this.found(steps, (found) => found);
  }

  // In one script: in Firefox each has global objects of its own, and the library asks for `instanceof Function`.
  async #addLibrary() {
    const script = `((globalThis) => { ${await SOURCE}\n})(window);\n${find}\nwindow.leadWorkspaceFind = find;`;
    await (await this.driver()).executeScript(script);
  }

  async #watch() {
    await this.execute(() => {
      if (window.violated) return;
      window.violated = [];
      document.addEventListener("securitypolicyviolation", (event) => {
        window.violated.push(`policy: ${event.effectiveDirective} ${event.blockedURI} (${event.sourceFile}:${event.lineNumber})`);
      });
    });
  }

  async violations() {
    return (await this.execute(() => window.violated)) ?? [];
  }

  async screenshot(file) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await (await this.driver()).takeScreenshot(), "base64");
  }

  // Leaves the page as an empty one, alone in its browser.
  async leave() {
    const { driver } = this.#session;
    for (const handle of await driver.getAllWindowHandles()) {
      if (handle !== this.#handle) await this.#session.closeTab(handle);
    }
    await this.goto("about:blank");
  }
}
