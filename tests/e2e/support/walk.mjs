// Checks every state with axe: on a desktop in light, dark and forced colors, on a phone in light colors. No page may scroll
// sideways. SHOTS=folder saves a screenshot of each, STATE=pattern limits the states.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { colorViolations, violations } from "./axe.mjs";
import { openPage } from "./browser.mjs";
import { Service } from "./service.mjs";
import { Stage } from "./stage.mjs";
import { STATES } from "./states.mjs";

const SCHEMES = {
  light: { colorScheme: "light", forcedColors: "none" },
  dark: { colorScheme: "dark", forcedColors: "none" },
  forced: { colorScheme: "light", forcedColors: "active" },
};

// States without user action, in which nothing has the focus.
const UNTOUCHED = [
  "list",
  "decided by others",
  "leads are new",
  "reconnecting",
  "skeleton",
  "no leads",
  "nothing pending",
  "no search results",
  "no filter results",
  "chips",
  "broken",
  "offline",
  "details, not found",
];

async function shoot(page, name) {
  const folder = process.env.SHOTS;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^a-z0-9]+/gi, "-")}.png`) });
}

async function look(page, size, name, untouched, seen) {
  const found = {};
  for (const [scheme, media] of Object.entries(SCHEMES)) {
    // Colors do not depend on the width.
    if (scheme !== "light" && size === "phone") continue;
    await page.emulateMedia(media);
    await shoot(page, `${size} ${name} ${scheme}`);
    // The elements are the same in every scheme, so the other schemes only check the color rules.
    const check = scheme === "light" ? violations : colorViolations;
    const problems = await check(page, seen[scheme]);
    if (problems.length > 0) found[`${name}, ${scheme}`] = problems;
  }
  await page.emulateMedia(SCHEMES.light);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) found[`${name}, width`] = `scrolls sideways by ${wide} pixels`;
  const isNowhere = await page.evaluate(() => document.activeElement === document.body);
  if (isNowhere && !untouched.includes(name)) found[`${name}, focus`] = "nowhere";
  return found;
}

// Visits all states at a screen size, and fails with everything that is wrong in any of them.
export async function walk(t, size, viewport, states = STATES, untouched = UNTOUCHED) {
  const service = await Service.start(t, { demo: 300 });
  // Error states are among those visited.
  const page = await openPage(t, { viewport, expected: [/./] });
  const stage = new Stage(page, service);
  const found = {};
  const seen = Object.fromEntries(Object.keys(SCHEMES).map((scheme) => [scheme, new Set()]));
  for (const [name, enter] of Object.entries(states)) {
    if (!new RegExp(process.env.STATE ?? "").test(name)) continue;
    try {
      if ((await enter(stage)) === false) continue;
      Object.assign(found, await look(page, size, name, untouched, seen));
    } catch (error) {
      found[name] = `could not reach this state: ${error.message}`;
    }
    await stage.forget();
  }
  assert.deepEqual(found, {});
}
