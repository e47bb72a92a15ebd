// Narrow screens, large text, and reduced motion.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { DESKTOP, closeBrowser, openPage } from "./support/browser.mjs";
import { Service } from "./support/service.mjs";
import { Stage } from "./support/stage.mjs";
import { STATES } from "./support/states.mjs";

after(closeBrowser);

async function stage(t, options) {
  const service = await Service.start(t, { demo: 300 });
  return new Stage(await openPage(t, { expected: [/./], ...options }), service);
}

async function each(stage, names, look) {
  const wrong = {};
  for (const name of names) {
    await STATES[name](stage);
    const found = await look(stage.page);
    if (found.length > 0) wrong[name] = found;
    await stage.forget();
  }
  assert.deepEqual(wrong, {});
}

// Returns elements that overflow their container, except tabs and tables, and elements that extend beyond the
// viewport.
const sideways = (page) =>
  page.evaluate(() => {
    const shown = (element) => element.checkVisibility({ visibilityProperty: true });
    const may = "[role=tablist], [role=grid], [role=treegrid], table";
    const name = (element) => `${element.tagName}.${element.className}`.slice(0, 60);
    const wrong = [];
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) wrong.push(`the page: ${root.scrollWidth}`);
    for (const element of document.querySelectorAll("body *")) {
      if (element.closest(may) || !shown(element)) continue;
      const style = getComputedStyle(element);
      const scrolls = ["auto", "scroll"].includes(style.overflowX);
      if (scrolls && element.scrollWidth > element.clientWidth + 1) {
        wrong.push(`${name(element)} scrolls: ${element.scrollWidth} in ${element.clientWidth}`);
      }
      if (!element.matches("button, a, input, select, h1, h2, h3, p, kbd, label")) continue;
      const { left, right, width } = element.getBoundingClientRect();
      // Elements for screen readers only are one pixel wide.
      if (width > 1 && (left < -1 || right > innerWidth + 1)) {
        wrong.push(`${name(element)} from ${Math.round(left)} to ${Math.round(right)}`);
      }
    }
    return wrong;
  });

test("at 320 pixels only tabs and tables scroll sideways", async (t) => {
  const it = await stage(t, { viewport: { width: 320, height: 640 } });
  const names = [
    "list",
    "selected",
    "decided",
    "no filter results",
    "facets",
    "filter builder",
    "broken later",
    "offline",
    "limited",
    "not saved",
    "details",
    "delete confirmation",
    "bulk change, failures",
    "palette",
    "help",
    "view renaming",
    "recent",
  ];
  await each(it, names, sideways);
});

// Returns buttons whose text is cut off, that overlap, or that cannot be scrolled into view.
const crowded = (page) =>
  page.evaluate(() => {
    const dialog = document.querySelector("dialog[open]");
    const all = [...(dialog ?? document).querySelectorAll("button, a.button, [role=tab], select")];
    const shown = all.filter((control) => {
      const { width, height, x, y } = control.getBoundingClientRect();
      if (width < 2 || height < 2 || !control.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
        return false;
      }
      // Only controls that can be seen and clicked now.
      const top = document.elementFromPoint(x + width / 2, y + height / 2);
      return top !== null && (control.contains(top) || top.contains(control));
    });
    const wrong = [];
    const name = (control) => (control.getAttribute("aria-label") ?? control.textContent).slice(0, 40);
    // Returns the part of a control that no container clips.
    const visible = (control) => {
      let { left, right, top, bottom } = control.getBoundingClientRect();
      for (let around = control.parentElement; around; around = around.parentElement) {
        if (getComputedStyle(around).overflow === "visible") continue;
        const box = around.getBoundingClientRect();
        left = Math.max(left, box.left);
        right = Math.min(right, box.right);
        top = Math.max(top, box.top);
        bottom = Math.min(bottom, box.bottom);
      }
      return { left, right, top, bottom };
    };
    // Floating bars cover rows, which scroll below them.
    const floats = (control) => Boolean(control.closest(".bulks, .toasts, .tasks"));
    for (const [at, control] of shown.entries()) {
      const one = visible(control);
      const inTable = Boolean(control.closest("[role=grid]"));
      if (!inTable && control.matches("button, a.button") && control.scrollWidth > control.clientWidth + 2) {
        wrong.push(`cut off: ${name(control)}`);
      }
      for (const other of shown.slice(at + 1)) {
        if (control.contains(other) || other.contains(control)) continue;
        if (floats(control) !== floats(other)) continue;
        const two = visible(other);
        const over = Math.min(one.right, two.right) - Math.max(one.left, two.left) > 2
          && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 2;
        if (over) wrong.push(`“${name(control)}” lies over “${name(other)}”`);
      }
    }
    return wrong;
  });

test("at 200 % text size nothing is cut off or covered", async (t) => {
  const it = await stage(t, { viewport: DESKTOP });
  // Sets the text size as a user would in the browser: for every page from its start.
  await it.page.addInitScript(() => {
    const larger = () => document.documentElement?.style.setProperty("font-size", "200%");
    larger();
    document.addEventListener("DOMContentLoaded", larger);
  });
  const names = ["list", "selected", "decided", "broken later", "details", "delete confirmation", "palette", "help", "columns", "view renaming", "recent", "bulk change, failures"];
  await STATES.list(it);
  const size = await it.page.locator(".row .who b").first().evaluate((name) => getComputedStyle(name).fontSize);
  assert.equal(size, "26px", "the text is larger");
  await it.forget();
  await each(it, names, crowded);
});

// Returns animations longer than 10 ms.
const moving = (page) =>
  page.evaluate(async () => {
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
    const running = document.getAnimations().filter((one) => one.playState === "running");
    const long = running.filter((one) => {
      const { duration, iterations } = one.effect.getComputedTiming();
      return duration * iterations > 10;
    });
    return long.map((one) => one.animationName ?? one.transitionProperty);
  });

test("with reduced motion nothing is animated", async (t) => {
  const it = await stage(t, { reducedMotion: "reduce" });
  await each(it, ["list", "busy", "skeleton", "decided", "details", "palette", "bulk change running", "recent"], moving);
});
