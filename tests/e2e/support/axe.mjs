// Runs axe on a page.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// The rules about colors.
const COLORS = ["color-contrast", "link-in-text-block"];

// All rows have the same markup: only the first ones are checked, to save time.
export const LATER_ROWS = ".grid .rows > [role=row]:nth-of-type(n + 6)";

// Checks all rules. Returns each violation as its rule and the affected elements. Colors are checked of texts that do not
// look as one in `seen` did: axe takes 1 ms for each of more than a hundred texts, and most of them are in every state.
// `seen` gets the looks that were checked.
export function violations(page, seen = new Set()) {
  // axe checks the size of touch targets only on request.
  return check(page, seen, { rules: { "target-size": { enabled: true } } });
}

// Checks only the rules about colors.
export function colorViolations(page, seen) {
  return check(page, seen, { runOnly: { type: "rule", values: COLORS } });
}

async function check(page, seen, options) {
  // Evaluated through DevTools, which the page's Content-Security-Policy does not block.
  if (!(await page.evaluate(() => Boolean(globalThis.axe)))) await page.evaluate(AXE);
  const looks = await page.evaluate(newLooks, [LATER_ROWS, [...seen]]);
  for (const look of looks) seen.add(look);
  if (options.runOnly && looks.length === 0) return [];
  return page.evaluate(run, [LATER_ROWS, COLORS, options]);
}

async function run([excluded, colors, options]) {
  const { axe } = globalThis;
  axe.configure({ rules: colors.map((id) => ({ id, selector: "[data-new-look]" })) });
  const { violations } = await axe.run({ exclude: [excluded] }, { resultTypes: ["violations"], ...options });
  for (const element of document.querySelectorAll("[data-new-look]")) element.removeAttribute("data-new-look");
  return violations.map(({ id, help, nodes }) => ({
    rule: `${id}: ${help}`,
    nodes: nodes.slice(0, 5).map(({ html, failureSummary }) => {
      const element = html.replaceAll(' data-new-look=""', "");
      return `${element.slice(0, 160)} ${failureSummary.slice(0, 200)}`;
    }),
  }));
}

// Marks the elements with texts of a look that is not in `seen`, and returns these looks. A look is everything that the
// contrast depends on: the styles of the text, and all backgrounds that may be behind it.
function newLooks([excluded, seen]) {
  const known = new Set(seen);
  const looks = new Set();
  const hash = (text) => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at += 1) {
      high = Math.imul(high ^ text.charCodeAt(at), 2654435761);
      low = Math.imul(low ^ text.charCodeAt(at), 1597334677);
    }
    return (high >>> 0).toString(36) + (low >>> 0).toString(36);
  };
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== "";
  const hasText = (element) => [...element.childNodes].some(isText) || element.matches("input, select, textarea");
  const ofText = (style) =>
    [style.color, style.fontSize, style.fontWeight, style.fontStyle, style.textDecorationLine, style.textShadow].join();
  const ofEffects = ({ opacity, filter, mixBlendMode }) =>
    opacity === "1" && filter === "none" && mixBlendMode === "normal" ? "" : [opacity, filter, mixBlendMode].join();
  const ofBackground = ({ backgroundColor, backgroundImage, backgroundClip }) =>
    backgroundColor === "rgba(0, 0, 0, 0)" && backgroundImage === "none"
      ? ""
      : [backgroundColor, backgroundImage, backgroundClip].join();
  // `effects` are those of all around the element; `behind` are the backgrounds since the last one that hides the others.
  const visit = (element, style, parent, effects, behind) => {
    const background = ofBackground(style);
    effects += ofEffects(style);
    if (background) {
      const isOpaque = style.backgroundColor.startsWith("rgb(") && effects === "";
      behind = isOpaque ? background : hash(behind + background);
    }
    if (hasText(element)) {
      const around = parent && hasText(element.parentElement) ? ofText(parent) : "";
      const look = hash([element.localName, ofText(style), around, effects, behind].join(";"));
      if (!known.has(look)) {
        looks.add(look);
        element.setAttribute("data-new-look", "");
      }
    }
    const children = [...element.children].filter((child) => !child.matches(excluded));
    const styles = children.map((child) => getComputedStyle(child));
    // What is positioned may be behind what is next to it.
    const isLayer = (style) => style.position !== "static" || style.float !== "none";
    const layers = styles.filter(isLayer).map(ofBackground).join("");
    children.forEach((child, at) => {
      if (styles[at].display !== "none") visit(child, styles[at], style, effects, layers ? hash(behind + layers) : behind);
    });
  };
  visit(document.body, getComputedStyle(document.body), undefined, "", "");
  return [...looks];
}
