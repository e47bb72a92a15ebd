// The page starts with one style sheet. The second one is lazily loaded, and must not change what is on the screen by
// then. Needs the UI of `cargo xtask build --release`, which is split.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { DESKTOP, PHONE, closeBrowser, networkIdle, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const LATER = "link[href$='/later.css']";

// The style properties whose changes would be visible.
const LOOK = [
  "align-items", "background-color", "background-image", "border-bottom-color", "border-bottom-width", "border-left-width",
  "border-right-width", "border-top-color", "border-top-left-radius", "border-top-width", "box-shadow", "color",
  "column-gap", "display", "flex-basis", "flex-grow", "font-family", "font-size", "font-weight", "grid-template-columns",
  "height", "justify-content", "left", "line-height", "margin-bottom", "margin-left", "margin-right", "margin-top",
  "opacity", "outline-width", "overflow-x", "padding-bottom", "padding-left", "padding-right", "padding-top", "position",
  "row-gap", "text-align", "text-decoration-line", "top", "transform", "visibility", "white-space-collapse", "width",
  "z-index",
];

// Compares the style properties of every element with those of the call before. They stay in the page: there are
// hundreds of thousands.
const changes = (page) =>
  page.evaluate((names) => {
    const before = globalThis.looksBefore;
    const now = [...document.querySelectorAll("#app *")].map((element) => {
      const styles = [null, "::before", "::after"].map((part) => getComputedStyle(element, part));
      return [element, styles.flatMap((style) => names.map((name) => style.getPropertyValue(name)))];
    });
    globalThis.looksBefore = now;
    const changed = new Set();
    if (before && before.length !== now.length) changed.add("elements were added or removed");
    now.forEach(([element, look], at) => {
      look.forEach((is, which) => {
        const was = before?.[at]?.[1][which] ?? is;
        // A property without a value does not exist.
        if (is === was && is !== "") return;
        changed.add(`${element.tagName} ${element.getAttribute("class")}: ${names[which % names.length]} from "${was}" to "${is}"`);
      });
    });
    return [...changed];
  }, LOOK);

// Waits until no element was added or removed for half a second: the filters are rendered after their response.
const elementsSettled = (page) =>
  page.waitForFunction(
    () => {
      const before = globalThis.elementsBefore;
      globalThis.elementsBefore = document.querySelectorAll("#app *").length;
      return globalThis.elementsBefore === before;
    },
    null,
    { polling: 500 },
  );

for (const [name, viewport] of [["desktop", DESKTOP], ["tablet", { width: 1024, height: 768 }], ["phone", PHONE]]) {
  test(`the second style sheet changes nothing on the screen, ${name}`, async (t) => {
    const service = await Service.start(t, { demo: 60 });
    const page = await openPage(t, { viewport });
    const { origin, hash } = new URL(service.url);
    await page.goto(`${origin}/leads?tab=all&search=a&icp_tier=A&lead_sort=name${hash}`);
    const leads = new LeadsPage(page);
    await leads.settled();
    await networkIdle(page);
    await elementsSettled(page);
    assert.equal(await page.locator(LATER).count(), 0, "it was loaded before it was needed");
    assert.deepEqual(await changes(page), []);
    const first = await page.locator("link[href$='/style.css']").getAttribute("href");
    await page.addStyleTag({ url: first.replace("style.css", "later.css") });
    assert.deepEqual(await changes(page), []);
  });
}

test("the details load with their style", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t);
  const leads = await LeadsPage.open(page, service.url);
  await leads.rows.first().getByRole("gridcell").nth(2).click();
  const details = page.getByRole("complementary", { name: "Lead details" });
  await details.getByRole("heading", { level: 2 }).waitFor();
  assert.equal(await page.locator(LATER).count(), 1);
  assert.equal(await details.locator(".sections").evaluate((node) => getComputedStyle(node).display), "grid");
});

test("a part whose style fails to load shows an error, and Retry loads it", async (t) => {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, { expected: [/later\.css/] });
  await page.route("**/later.css", (route) => route.abort());
  const leads = await LeadsPage.open(page, service.url);
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog");
  await dialog.getByText("could not be loaded").waitFor();
  await page.unroute("**/later.css");
  await dialog.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await leads.settled();
});

test("a dark page is printed in light colors, with its bars, also before the second sheet is there", async (t) => {
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t, { colorScheme: "dark" });
  await page.route("**/later.css", (route) => route.abort());
  const leads = await LeadsPage.open(page, service.url);
  await page.evaluate(() => (document.documentElement.dataset.theme = "dark"));
  const looks = () =>
    page.locator("body").evaluate((body) => {
      const { colorScheme, printColorAdjust } = getComputedStyle(body);
      return `${colorScheme} ${printColorAdjust}`;
    });
  assert.equal(await looks(), "dark economy");
  await page.emulateMedia({ media: "print" });
  await expectEventually("light colors", async () => (await looks()) === "light exact");
  await leads.rows.first().waitFor();
});
