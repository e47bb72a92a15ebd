// Checks every state with axe: on a desktop in light, dark and forced colors, on a phone in light colors. No page may scroll
// sideways, some also not at 320 pixels. Nothing may move on a desktop, as the pages have reduced motion.
// SHOTS=folder saves a screenshot of each, STATE=pattern limits the states.

import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";

import { colorViolations, violations } from "./axe.mjs";
import { openPage } from "./browser.mjs";
import { moving, sideways } from "./layout.mjs";
import { Service } from "./service.mjs";
import { Stage } from "./stage.mjs";
import { STATES } from "./states.mjs";

// The narrowest screen, and the states of a phone that are looked at on it, too.
const NARROW = { width: 320, height: 640 };
const NARROW_STATES = [
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

async function look(stage, size, name, untouched, seen) {
  const { page } = stage;
  const found = {};
  if (size === "desktop") {
    const moves = await moving(page);
    if (moves.length > 0) found[`${name}, motion`] = moves;
  }
  // Colors do not depend on the width.
  const schemes = size === "phone" ? ["light"] : Object.keys(SCHEMES);
  // Begins with the scheme of the state before: after each change, all styles are computed again.
  if (stage.scheme === schemes.at(-1)) schemes.reverse();
  for (const scheme of schemes) {
    if (scheme !== stage.scheme) await page.emulateMedia(SCHEMES[scheme]);
    stage.scheme = scheme;
    await shoot(page, `${size} ${name} ${scheme}`);
    // The elements are the same in every scheme, so the other schemes only check the color rules.
    const check = scheme === "light" ? violations : colorViolations;
    const problems = await check(page, seen[scheme]);
    if (problems.length > 0) found[`${name}, ${scheme}`] = problems;
  }
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) found[`${name}, width`] = `scrolls sideways by ${wide} pixels`;
  if (size === "phone" && NARROW_STATES.includes(name)) {
    const viewport = page.viewportSize();
    await page.setViewportSize(NARROW);
    const overflows = await sideways(page);
    if (overflows.length > 0) found[`${name}, at ${NARROW.width} pixels`] = overflows;
    await page.setViewportSize(viewport);
  }
  const isNowhere = await page.evaluate(() => document.activeElement === document.body);
  if (isNowhere && !untouched.includes(name)) found[`${name}, focus`] = "nowhere";
  return found;
}

// Brings the page into a state, from a first visit or from the state that comes before it. Returns false if the state does
// not exist at this size.
export async function reach(stage, states, name) {
  const { after, enter = states[name] } = states[name];
  if (!after) await stage.forget();
  else if (stage.state !== after) await reach(stage, states, after);
  // Not known if this fails.
  stage.state = undefined;
  const exists = (await enter(stage)) !== false;
  if (exists) stage.state = name;
  return exists;
}

// Visits all states at a screen size, and fails with everything that is wrong in any of them.
export async function walk(t, size, viewport, states = STATES, untouched = UNTOUCHED) {
  const service = await Service.start(t, { demo: 300 });
  // Error states are among those visited.
  const page = await openPage(t, { viewport, expected: [/./] });
  const stage = new Stage(page, service);
  const found = {};
  const seen = Object.fromEntries(Object.keys(SCHEMES).map((scheme) => [scheme, new Set()]));
  for (const name of Object.keys(states)) {
    if (!new RegExp(process.env.STATE ?? "").test(name)) continue;
    try {
      if (!(await reach(stage, states, name))) continue;
      Object.assign(found, await look(stage, size, name, untouched, seen));
    } catch (error) {
      found[name] = `could not reach this state: ${error.message}`;
    }
  }
  assert.deepEqual(found, {});
}
