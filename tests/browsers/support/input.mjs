// Keys and the mouse, as WebDriver's actions.

import { Button, Key, Origin } from "selenium-webdriver";

// The names of keys that are not their own character.
const KEYS = {
  ArrowDown: Key.ARROW_DOWN,
  ArrowLeft: Key.ARROW_LEFT,
  ArrowRight: Key.ARROW_RIGHT,
  ArrowUp: Key.ARROW_UP,
  Backspace: Key.BACK_SPACE,
  Control: Key.CONTROL,
  Delete: Key.DELETE,
  End: Key.END,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  F10: Key.F10,
  Home: Key.HOME,
  PageDown: Key.PAGE_DOWN,
  PageUp: Key.PAGE_UP,
  Shift: Key.SHIFT,
  Space: " ",
  Tab: Key.TAB,
};

const codeOf = (name) => KEYS[name] ?? name;

export class Keyboard {
  #start;

  constructor(start) {
    this.#start = start;
  }

  // Presses a key, with the modifiers before it: `Control+Shift+Z`.
  async press(keys) {
    const [key, ...modifiers] = keys.split(/\+(?!$)/).reverse().map(codeOf);
    const actions = await this.#start();
    for (const modifier of modifiers.toReversed()) actions.keyDown(modifier);
    actions.keyDown(key).keyUp(key);
    for (const modifier of modifiers) actions.keyUp(modifier);
    await actions.perform();
  }

  // Holds a key down while the keyboard repeats it.
  async hold(key, times) {
    const actions = await this.#start();
    for (let n = 0; n < times; n += 1) actions.keyDown(codeOf(key));
    await actions.keyUp(codeOf(key)).perform();
  }
}

export class Mouse {
  #start;

  constructor(start) {
    this.#start = start;
  }

  async hover(element) {
    const actions = await this.#start();
    await actions.move({ origin: element }).perform();
  }

  // Clicks at the center, or at a position from the corner.
  async click(element, { button, modifiers, position }) {
    const actions = await this.#start();
    if (position) {
      const { width, height } = await element.getRect();
      actions.move({ origin: element, x: Math.round(position.x - width / 2), y: Math.round(position.y - height / 2) });
    } else {
      actions.move({ origin: element });
    }
    for (const modifier of modifiers) actions.keyDown(codeOf(modifier));
    actions.press(Button[button.toUpperCase()]).release(Button[button.toUpperCase()]);
    for (const modifier of modifiers) actions.keyUp(codeOf(modifier));
    await actions.perform();
  }

  async doubleClick(element) {
    const actions = await this.#start();
    await actions.doubleClick(element).perform();
  }

  // Presses on an element, and releases after this distance.
  async dragBy(element, x, y) {
    const actions = await this.#start();
    actions.move({ origin: element }).press();
    for (let step = 1; step <= 3; step += 1) {
      actions.move({ origin: Origin.POINTER, x: Math.round(x / 3), y: Math.round(y / 3), duration: 20 });
    }
    await actions.release().perform();
  }
}
