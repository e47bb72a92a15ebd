// A locator with the names that Playwright has, so that the page objects of tests/e2e serve here, too. Each action finds
// its element again and is repeated until it succeeds.

import { Key } from "selenium-webdriver";

import { expectEventually } from "../../e2e/support/wait.mjs";
import { NAME } from "./engines.mjs";

// The pattern of a text, as the page gets it.
const pattern = (name, exact = false) =>
  name instanceof RegExp ? { source: name.source, flags: name.flags } : { text: name, exact };

export class Locator {
  #page;
  #steps;

  // Without a page, it is the page itself.
  constructor(page, steps = []) {
    this.#page = page ?? this;
    this.#steps = steps;
  }

  get steps() {
    return this.#steps;
  }

  #with(...steps) {
    return new Locator(this.#page, [...this.#steps, ...steps]);
  }

  locator(selector) {
    return this.#with({ kind: "css", selector });
  }

  getByRole(role, { name, exact, level } = {}) {
    return this.#with({ kind: "role", role, level, name: name === undefined ? undefined : pattern(name, exact) });
  }

  getByText(text, { exact } = {}) {
    return this.#with({ kind: "text", name: pattern(text, exact) });
  }

  getByLabel(text, { exact } = {}) {
    return this.#with({ kind: "label", name: pattern(text, exact) });
  }

  filter({ has, hasText, visible }) {
    return this.#with(
      ...(has ? [{ kind: "has", steps: has.steps }] : []),
      ...(hasText === undefined ? [] : [{ kind: "hasText", name: pattern(hasText) }]),
      ...(visible ? [{ kind: "visible" }] : []),
    );
  }

  nth(at) {
    return this.#with({ kind: "nth", at });
  }

  first() {
    return this.nth(0);
  }

  last() {
    return this.nth(-1);
  }

  async all() {
    const count = await this.count();
    return Array.from({ length: count }, (_, at) => this.nth(at));
  }

  count() {
    return this.evaluateAll((found) => found.length);
  }

  evaluateAll(run, argument) {
    return this.#page.found(this.#steps, run, argument);
  }

  // Runs a function of the page with the first element, once there is one.
  async evaluate(run, argument) {
    const here = `async (found, argument) => (found.length === 0 ? null : { result: await (${run})(found[0], argument) })`;
    const { result } = await this.#eventually(() => this.#page.found(this.#steps, here, argument));
    return result;
  }

  innerText() {
    return this.evaluate((node) => node.innerText);
  }

  textContent() {
    return this.evaluate((node) => node.textContent);
  }

  allInnerTexts() {
    return this.evaluateAll((found) => found.map((node) => node.innerText));
  }

  allTextContents() {
    return this.evaluateAll((found) => found.map((node) => node.textContent));
  }

  getAttribute(name) {
    return this.evaluate((node, name) => node.getAttribute(name), name);
  }

  inputValue() {
    return this.evaluate((node) => node.value);
  }

  isChecked() {
    return this.evaluate((node) => node.checked);
  }

  isDisabled() {
    return this.evaluate((node) => node.disabled);
  }

  isVisible() {
    return this.evaluateAll((found) => found.length > 0 && found[0].checkVisibility({ visibilityProperty: true }));
  }

  hasFocus() {
    return this.evaluate((node) => node === node.getRootNode().activeElement);
  }

  async boundingBox() {
    return this.evaluate((node) => {
      const { x, y, width, height } = node.getBoundingClientRect();
      return { x, y, width, height };
    });
  }

  async waitFor({ state = "visible" } = {}) {
    const is = {
      attached: async () => (await this.count()) > 0,
      detached: async () => (await this.count()) === 0,
      visible: () => this.filter({ visible: true }).count(),
      hidden: async () => (await this.filter({ visible: true }).count()) === 0,
    };
    await this.#eventually(is[state], state);
  }

  focus() {
    return this.evaluate((node) => node.focus());
  }

  // Clicks the element, at its center or at a position from its corner.
  click({ button = "left", modifiers = [], position } = {}) {
    return this.#act((element) =>
      button === "left" && modifiers.length === 0 && !position
        ? element.click()
        : this.#page.mouse.click(element, { button, modifiers, position }),
    );
  }

  dblclick() {
    return this.#act((element) => this.#page.mouse.doubleClick(element));
  }

  hover() {
    return this.#act((element) => this.#page.mouse.hover(element));
  }

  async check() {
    if (!(await this.isChecked())) await this.click();
  }

  // Replaces the text of a field, as a user does who selects it and types.
  fill(text) {
    return this.#act(async (element) => {
      await this.#page.execute((node) => (node.focus(), node.select()), element);
      await element.sendKeys(text === "" ? Key.DELETE : text);
    });
  }

  async press(key) {
    await this.focus();
    await this.#page.keyboard.press(key);
  }

  async selectOption(option) {
    const wanted = typeof option === "string" ? { value: option } : option;
    const at = await this.evaluate((node, { value, label }) => {
      const is = (one) => (label === undefined ? one.value === value : one.label === label);
      return [...node.options].findIndex(is);
    }, wanted);
    if (at < 0) throw new Error(`there is no option ${JSON.stringify(option)}`);
    if (NAME !== "webkit") return this.locator("option").nth(at).click();
    // There, a click on some options leaves a menu open that stops the page.
    return this.evaluate((node, at) => {
      node.selectedIndex = at;
      for (const type of ["input", "change"]) node.dispatchEvent(new Event(type, { bubbles: true }));
    }, at);
  }

  // Chooses a file by its path.
  setInputFiles(path) {
    return this.#act((element) => element.sendKeys(path));
  }

  // Returns the first element, once there is one.
  element() {
    return this.#eventually(async () => (await this.#page.elements(this.#steps))[0]);
  }

  // Drags the element onto another, as browsers report it to the page: no driver of these engines sends the drop.
  async dragTo(target) {
    const [from, to] = [await this.element(), await target.element()];
    await this.#page.execute((from, to) => {
      const dataTransfer = new DataTransfer();
      const send = (node, type) =>
        node.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      send(from, "dragstart");
      send(to, "dragenter");
      // A browser drops only where the event before was handled.
      if (!send(to, "dragover")) send(to, "drop");
      send(from, "dragend");
    }, from, to);
  }

  async #act(act) {
    await this.#eventually(async () => {
      const [element] = await this.#page.elements(this.filter({ visible: true }).steps);
      // An input of files is often hidden behind its label.
      const [any] = element ? [element] : await this.#page.elements(this.#steps);
      if (!any) return false;
      await this.#page.execute((node) => node.scrollIntoView({ block: "nearest", inline: "nearest" }), any);
      await act(any);
      return true;
    });
  }

  #eventually(condition, what = "there") {
    return expectEventually(`${JSON.stringify(this.#steps)} to be ${what}`, condition);
  }
}
