// Large text. The walk through the states checks narrow screens and reduced motion: support/walk.mjs.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { DESKTOP, closeBrowser, openPage } from "./support/browser.mjs";
import { Service } from "./support/service.mjs";
import { Stage } from "./support/stage.mjs";
import { STATES } from "./support/states.mjs";
import { reach } from "./support/walk.mjs";

after(closeBrowser);

async function stage(t, options) {
  const service = await Service.start(t, { demo: 300 });
  return new Stage(await openPage(t, { expected: [/./], ...options }), service);
}

async function each(stage, names, look) {
  const wrong = {};
  for (const name of names) {
    await reach(stage, STATES, name);
    const found = await look(stage.page);
    if (found.length > 0) wrong[name] = found;
  }
  assert.deepEqual(wrong, {});
}

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
  await reach(it, STATES, "list");
  const size = await it.page.locator(".row .who b").first().evaluate((name) => getComputedStyle(name).fontSize);
  assert.equal(size, "26px", "the text is larger");
  await each(it, names, crowded);
});
