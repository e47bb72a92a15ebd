// What no state may have: parts that scroll sideways, and animations with reduced motion.

// Returns elements that overflow their container, except tabs and tables, and elements that extend beyond the
// viewport.
export const sideways = (page) =>
  page.evaluate(async () => {
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
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

// Returns animations longer than 10 ms.
export const moving = (page) =>
  page.evaluate(async () => {
    await new Promise((go) => requestAnimationFrame(() => requestAnimationFrame(go)));
    const running = document.getAnimations().filter((one) => one.playState === "running");
    const long = running.filter((one) => {
      const { duration, iterations } = one.effect.getComputedTiming();
      return duration * iterations > 10;
    });
    return long.map((one) => one.animationName ?? one.transitionProperty);
  });
