// The UI checks that every project of the matrix runs: render it, and lazily load the rest.

import assert from "node:assert/strict";
import { join } from "node:path";

import { networkIdle, openPage } from "../../e2e/support/browser.mjs";
import { LeadsPage } from "../../e2e/support/leads.mjs";
import { DetailsPane, click, nameOf } from "../../e2e/support/details-pane.mjs";
import { serviceFor } from "./matrix.mjs";
import { project, replaceIn } from "./project.mjs";
import { serve } from "./site.mjs";

const FIXTURE = join(import.meta.dirname, "..", "fixtures", "ui");

// The module's files, by any name that a bundler gives them: the Wasm files, and the pack of small parts.
const CODE = /\.(wasm|bin)(\?|$)/;

export const uiProject = (t) => project(t, { from: FIXTURE });

// Serves the same project without a bundler.
export async function plainPage(t, options) {
  const folder = await uiProject(t);
  const entry = "./node_modules/lead-workspace/ui.js";
  await replaceIn(join(folder, "main.js"), '"lead-workspace/ui"', JSON.stringify(entry));
  return { folder, origin: await serve(t, folder, options) };
}

// Opens the fixture's page with a service. Returns both, and the URLs of code requested so far.
export async function openReview(t, origin, { path = "/", demo, expected, viewport, prepare = () => {}, ...options } = {}) {
  const service = await serviceFor(t, origin, demo);
  const page = await openPage(t, { expected, viewport });
  await prepare(page);
  const asked = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(service.origin)) asked.push(request.url());
  });
  const parameters = { baseUrl: service.origin, apiKey: service.key, ...options };
  await page.goto(`${origin}${path}#${new URLSearchParams(parameters)}`);
  return { service, page, asked, code: () => asked.filter((url) => CODE.test(url)) };
}

// Waits until everything that loads without user action is loaded.
export async function mounted(page) {
  const leads = new LeadsPage(page);
  await leads.settled();
  await page.getByRole("complementary", { name: "Filters" }).waitFor();
  await networkIdle(page);
  return leads;
}

// Keys work only while the focus is inside the review.
export async function askForHelp(page) {
  await page.getByRole("button", { name: /^Commands/ }).focus();
  await page.keyboard.press("?");
}

export const openHelp = async (page) => {
  await askForHelp(page);
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  return help;
};

// Checks the review, the details of a lead and two dialogs, each of which is lazily loaded.
export async function expectReviewWorks(t, origin, path) {
  const { service, page, code } = await openReview(t, origin, { path });
  const leads = await mounted(page);
  const first = code().length;

  const [id] = await leads.ids();
  await click(leads, id);
  const pane = new DetailsPane(page);
  await pane.shows(await nameOf(service, id));
  const withDetails = code().length;
  assert.ok(withDetails > first, "the details were not loaded lazily");
  await page.keyboard.press("Escape");
  await pane.closed();

  const help = await openHelp(page);
  assert.ok(code().length > withDetails, "the help was not loaded lazily");
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  // The browser restores the focus one task later; keys work only while it is inside the review.
  await page.getByRole("button", { name: /^Commands/ }).focus();
  await page.keyboard.press("h");
  await page.getByRole("dialog", { name: "Recent decisions" }).waitFor();

  assert.equal(new Set(code()).size, code().length, "a file was requested twice");
}
