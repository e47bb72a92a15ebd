// The elements of the screen in components: `appearance` is set as a property, as it is and only when it changes.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FRAMEWORKS, window } from "./support/harness.mjs";
import { until } from "./support/until.mjs";

/** Stands for the elements of the package, which need a real browser. */
class Review extends window.HTMLElement {
  seen = [];
  get appearance() {
    return this.seen.at(-1);
  }
  set appearance(appearance) {
    this.seen.push(appearance);
  }
}
window.customElements.define("lead-review", Review);

for (const [name, load] of Object.entries(FRAMEWORKS)) {
  // React 18 sets attributes only.
  if (name === "React 18") continue;
  test(`${name}: \`appearance\` is a property of the element`, async (t) => {
    const framework = await load();
    const target = document.createElement("main");
    const [yellow, dark] = [{ accent: "#fc0" }, { theme: "dark", dark: { surface: "#111" } }];
    const app = framework.mountElement(target, { appearance: yellow });
    t.after(() => app.unmount());
    const element = () => target.querySelector("lead-review");
    await until(() => assert.equal(element()?.appearance, yellow));
    app.set({ appearance: dark });
    await until(() => assert.equal(element().appearance, dark));
    assert.deepEqual(element().seen, [yellow, dark]);
    assert.equal(element().getAttribute("appearance"), null);
  });
}
