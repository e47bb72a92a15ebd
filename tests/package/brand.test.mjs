// The brand of the host page: from the option `appearance` and from custom properties, with any value.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, networkIdle } from "../e2e/support/browser.mjs";
import { LeadsPage } from "../e2e/support/leads.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { contrastOf } from "./support/contrast.mjs";
import { mounted, openReview, plainPage } from "./support/review.mjs";

after(closeBrowser);

const BRANDS = {
  yellow: { accent: "#ffcc00" },
  black: { accent: "#000" },
  white: { accent: "#fff" },
  pastel: { accent: "#ffd6e0" },
  neon: { accent: "#39ff14", dark: { surface: "#000", text: "#eee" } },
  "dark red": { accent: "#8b0000", borderRadius: 0 },
  brown: { accent: "#5d4037", light: { surface: "#fbf5ee" }, fontFamily: "Georgia, serif", fontSize: 15 },
  teal: { accent: "teal", light: { surface: "#f3fbfa" }, dark: { surface: "#0c2321" }, rowHeight: 52 },
  "light gray": { accent: "#f2f2f2", text: "#888" },
  blue: { accent: "#00f", surface: "#0b1f4d", line: "#fff3" },
  "Material UI": { accent: "#1976d2", text: "rgba(0, 0, 0, 0.87)", line: "rgba(0, 0, 0, 0.12)" },
  "neither light nor dark": { accent: "#c0f", surface: "#888" },
};

// Those with the least contrast, for each of the smaller screens.
const HARDEST = ["yellow", "light gray", "blue", "neither light nor dark"];

// Sets the appearance of the element that is mounted first. Returns the exception, if there was one.
const dress = (page, appearance) =>
  page.evaluate((appearance) => {
    try {
      globalThis.mounted[0].element.appearance = appearance;
    } catch (error) {
      return error.message;
    }
  }, appearance);

// Sets custom properties of the page. Null removes one.
const setProperties = (page, properties) =>
  page.evaluate((properties) => {
    for (const [name, value] of Object.entries(properties)) document.documentElement.style.setProperty(name, value);
  }, properties);

// Computed styles of an element of the app, and the inherited tokens of the style sheet.
const styleOf = (page, selector, names) =>
  page.evaluate(
    ([selector, names]) => {
      const style = getComputedStyle(globalThis.mounted[0].element.shadowRoot.querySelector(selector));
      return names.map((name) => style.getPropertyValue(name).trim());
    },
    [selector, names],
  );

const valueOf = async (page, selector, name) => (await styleOf(page, selector, [name]))[0];

// Records the lines of the console that are for the developer of the page.
function warnings(page) {
  const lines = [];
  page.on("console", (message) => {
    if (message.type() === "warning" && message.text().startsWith("lead-workspace: ")) lines.push(message.text());
  });
  return lines;
}

// Opens a review on a page, and waits for its first rows.
async function openLeads(t, options) {
  const { origin } = await plainPage(t);
  const lines = [];
  const prepare = async (page) => {
    lines.push(warnings(page));
    await options?.prepare?.(page);
  };
  const opened = await openReview(t, origin, { view: "leads?tab=all", ...options, prepare });
  await mounted(opened.page);
  return { ...opened, lines: lines[0] };
}

async function expectAllReadable(page, least, names = HARDEST) {
  for (const name of names) {
    assert.equal(await dress(page, BRANDS[name]), undefined);
    const { unreadable, readable } = await contrastOf(page);
    assert.deepEqual(unreadable, [], name);
    assert.ok(readable >= least, `only ${readable} texts were checked`);
  }
}

for (const theme of ["light", "dark"]) {
  test(`every text of the review can be read with each brand, ${theme}`, async (t) => {
    const { page } = await openLeads(t, { theme });
    const leads = new LeadsPage(page);
    // Selected, open and below the pointer; with its details.
    await leads.rows.nth(3).getByRole("checkbox").click();
    await leads.rows.nth(1).getByRole("gridcell").nth(2).click();
    await page.getByRole("complementary", { name: "Lead details" }).getByRole("heading", { level: 2 }).waitFor();
    await leads.rows.nth(2).hover();
    await expectAllReadable(page, 60, Object.keys(BRANDS));
    for (const [view, place] of [["insights", "Insights"], ["portfolio", "All accounts"]]) {
      await page.evaluate((view) => globalThis.mounted[0].navigate(view), view);
      await page.getByRole("heading", { name: place }).waitFor();
      await networkIdle(page);
      await expectAllReadable(page, 10);
    }
  });

  test(`every text of the pulse can be read with each brand, ${theme}`, async (t) => {
    const { origin } = await plainPage(t);
    const { page, service } = await openReview(t, origin, { theme, accountId: "none", expected: [/404/] });
    const { body } = await service.call("POST", "/api/accounts/query", { sort_by: "lead_count", page_size: 1 });
    await page.evaluate((id) => globalThis.mounted[0].show(id), body.data[0].id);
    await page.getByRole("img", { name: /^Funnel/ }).waitFor();
    await expectAllReadable(page, 8);
  });
}

test("the main button has the accent, and a text that can be read on it", async (t) => {
  const { origin } = await plainPage(t);
  const { page } = await openReview(t, origin, { apiKey: "" });
  const button = page.getByRole("button", { name: "Enter the key" });
  await button.waitFor();
  for (const [name, brand] of Object.entries(BRANDS)) {
    await dress(page, brand);
    for (const act of ["hover", "blur"]) {
      await button[act]();
      assert.deepEqual((await contrastOf(page)).unreadable, [], `${name}, ${act}`);
    }
  }
  await dress(page, BRANDS.yellow);
  await page.mouse.move(0, 0);
  const shown = await valueOf(page, ".main", "background-color");
  const wanted = await page.evaluate((color) => {
    const style = document.body.style;
    style.color = `color-mix(in oklab, ${color}, ${color})`;
    return getComputedStyle(document.body).color;
  }, "#ffcc00");
  const numbers = (color) => color.match(/-?[\d.]+(e-\d+)?/g).map((number) => Number(number).toFixed(3));
  assert.deepEqual(numbers(shown), numbers(wanted));
});

test("sizes and font of a brand", async (t) => {
  const appearance = { fontFamily: "Georgia, serif", fontSize: 15, borderRadius: "0.25rem", rowHeight: 56 };
  const { page, lines } = await openLeads(t, { appearance: JSON.stringify(appearance) });
  const row = (name) => valueOf(page, "[data-lead-id]", name);
  assert.match(await row("font-family"), /^Georgia, serif, /);
  assert.equal(await row("font-size"), "15px");
  assert.equal(await row("height"), "56px");
  assert.equal(await valueOf(page, "[role=searchbox]", "border-top-left-radius"), "4px");
  await page.evaluate(() => globalThis.mounted[0].navigate("leads?tab=all&density=compact"));
  await expectEventually("compact rows", async () => (await row("height")) === "44px");
  // The place of rows that are scrolled to comes from the app, and their height from the style sheet.
  const last = new LeadsPage(page).rows.last();
  await page.getByRole("grid", { name: "Leads", exact: true }).evaluate((grid) => grid.scrollTo(0, grid.scrollHeight));
  await expectEventually("the last row at the end", async () => (await last.getAttribute("aria-rowindex")) === "41");
  const [end, grid] = [await last.boundingBox(), await page.getByRole("grid", { name: "Leads", exact: true }).boundingBox()];
  const gap = end.y + end.height - grid.y - grid.height;
  assert.ok(Math.abs(gap) <= 1, `the last row ends ${gap} px below the list`);
  await dress(page, undefined);
  await expectEventually("the usual compact rows", async () => (await row("height")) === "32px");
  assert.equal(await row("font-size"), "13px");
  assert.deepEqual(lines, []);
});

test("custom properties of the page reach the review and the pulse, and are followed", async (t) => {
  const { page, lines } = await openLeads(t);
  const accent = () => valueOf(page, ".embedded", "--accent-fill");
  const usual = await accent();
  await setProperties(page, {
    "--lead-workspace-accent": "light-dark(#0b57d0, #a8c7fa)",
    "--lead-workspace-row-height": "3rem",
  });
  await expectEventually("the accent", async () => (await accent()) !== usual);
  const light = await accent();
  assert.equal(await valueOf(page, "[data-lead-id]", "height"), "48px");
  await page.emulateMedia({ colorScheme: "dark" });
  await expectEventually("the accent of the dark theme", async () => ![usual, light].includes(await accent()));
  await page.emulateMedia({ colorScheme: "light" });
  await expectEventually("the accent of the light theme", async () => (await accent()) === light);

  // The option goes before, and what it does not say is still the page's.
  await dress(page, { accent: "#137333" });
  assert.notEqual(await accent(), light);
  assert.equal(await valueOf(page, "[data-lead-id]", "height"), "48px");
  await dress(page, undefined);
  assert.equal(await accent(), light);

  // While it is hidden, no change is reported.
  await page.evaluate(() => (document.querySelector("section").hidden = true));
  await setProperties(page, { "--lead-workspace-accent": null, "--lead-workspace-row-height": null });
  await page.evaluate(() => (document.querySelector("section").hidden = false));
  await expectEventually("the usual accent", async () => (await accent()) === usual);
  assert.deepEqual(lines, []);
});

test("the surface decides whether the screen is light or dark", async (t) => {
  const { page, lines } = await openLeads(t, { theme: "light" });
  const scheme = () => valueOf(page, ".embedded", "color-scheme");
  const ink = () => valueOf(page, ".embedded", "color");
  const dark = await ink();
  await dress(page, { surface: "#101418" });
  assert.equal(await scheme(), "dark");
  assert.notEqual(await ink(), dark);
  await dress(page, { dark: { surface: "#101418" } });
  assert.equal(await scheme(), "light");
  await dress(page, { theme: "dark", dark: { surface: "#101418" } });
  assert.equal(await scheme(), "dark");
  await dress(page, { theme: "dark", surface: "#fff8ec" });
  assert.equal(await scheme(), "light");
  await dress(page, { theme: "dark" });
  assert.equal(await scheme(), "dark");
  await dress(page, undefined);
  assert.equal(await scheme(), "light");
  assert.deepEqual(lines, []);
});

test("a color that cannot be read is adjusted, which is said once", async (t) => {
  const { page, lines } = await openLeads(t, { theme: "light" });
  for (const brand of [BRANDS.yellow, undefined, { text: "#999" }, BRANDS.yellow, { text: "#999" }]) await dress(page, brand);
  assert.deepEqual(lines, [
    "lead-workspace: `appearance.accent` (#ffcc00) has a contrast of 1.2:1 with what is behind texts, which need 4.5:1. " +
      "A darker tone of it is used for links and lines.",
    "lead-workspace: `appearance.text` (#999) has a contrast of 2.4:1 with what is behind texts, which need 4.5:1. " +
      "A darker tone of it is used for texts.",
  ]);
  await page.evaluate((appearance) => globalThis.mountAgain({ appearance }).ready, BRANDS.yellow);
  assert.equal(lines.length, 2);
});

// Values that are hostile or make no sense, and the only line about each.
const IGNORED = [
  [{ accent: "url(x)" }, "`appearance.accent` (url(x)) is not a color, and is ignored."],
  [{ accent: "}; body{display:none" }, "`appearance.accent` (}; body{display:none) is not valid CSS, and is ignored."],
  [{ accent: '"}; body{display:none' }, '`appearance.accent` ("}; body{display:none) is not a color, and is ignored.'],
  [{ surface: "red, blue" }, "`appearance.surface` (red, blue) is not a color, and is ignored."],
  [{ text: "red) , url(//evil.example" }, "`appearance.text` (red) , url(//evil.example) is not valid CSS, and is ignored."],
  [{ accent: "var(--nothing)" }, "`appearance.accent` (var(--nothing)) has no value, and is ignored."],
  [{ line: 7 }, "`appearance.line` (7px) is not a color, and is ignored."],
  [{ accent: {} }, "`appearance.accent` is not a text, and is ignored."],
  [{ acent: "red" }, "`appearance.acent` is not known, and is ignored."],
  [{ dark: { fontSize: 12 } }, "`appearance.dark.fontSize` is not known, and is ignored."],
  [{ light: "red" }, "`appearance.light` is not an object, and is ignored."],
  [{ fontFamily: "1px" }, "`appearance.fontFamily` (1px) is not a font family, and is ignored."],
  [{ fontFamily: "a; color: red" }, "`appearance.fontFamily` (a; color: red) is not valid CSS, and is ignored."],
  [{ borderRadius: "-3px" }, "`appearance.borderRadius` (-3px) is not a length, and is ignored."],
  [{ rowHeight: "50%" }, "`appearance.rowHeight` (50%) is not a length, and is ignored."],
];

test("values that are not valid change nothing, and one line says why", async (t) => {
  const reasons = [/`appearance` is not an object/, /"pink" is not a theme/];
  const { page, lines } = await openLeads(t, { theme: "light", expected: reasons });
  const errors = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  const look = async () =>
    JSON.stringify([
      await page.locator("body").evaluate((body) => getComputedStyle(body).display),
      await styleOf(page, ".embedded", ["color", "background-color", "font-family", "--accent", "--line", "--surface"]),
      await styleOf(page, "[data-lead-id]", ["height", "border-bottom-color", "font-size"]),
    ]);
  const usual = await look();
  for (const [appearance, line] of IGNORED) {
    assert.equal(await dress(page, appearance), undefined);
    assert.deepEqual(lines.splice(0), [`lead-workspace: ${line}`]);
    assert.equal(await look(), usual, line);
  }
  await dress(page, { rowHeight: 999 });
  assert.deepEqual(lines.splice(0), [
    "lead-workspace: `appearance.rowHeight` (999px) is not between 28 and 80 px. The nearer of the two is used.",
  ]);
  assert.equal(await valueOf(page, "[data-lead-id]", "height"), "80px");
  await dress(page, undefined);

  await setProperties(page, { "--lead-workspace-accent": "url(x)" });
  await expectEventually("the line", () => lines.length > 0);
  assert.deepEqual(lines.splice(0), ["lead-workspace: `--lead-workspace-accent` (url(x)) is not a color, and is ignored."]);
  assert.equal(await look(), usual);

  for (const [at, appearance] of ["red", { theme: "pink" }].entries()) {
    assert.equal(await dress(page, appearance), undefined);
    await expectEventually("the error", () => errors.length > at);
    assert.match(errors[at], reasons[at]);
  }
  assert.equal(await look(), usual);
});
