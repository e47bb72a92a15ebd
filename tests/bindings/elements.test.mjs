// What a page adds to the review, as properties of `<lead-review>` in each framework: changed with the state of a component, and its
// events handled by it.

import assert from "node:assert/strict";
import { readdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";
import { build } from "vite";

import { closeBrowser, openPage } from "../e2e/support/browser.mjs";
import { DetailsPane, click } from "../e2e/support/details-pane.mjs";
import { LeadsPage } from "../e2e/support/leads.mjs";
import { Service } from "../e2e/support/service.mjs";
import { project } from "../package/support/project.mjs";
import { serve } from "../package/support/site.mjs";

after(closeBrowser);

const MODULES = join(import.meta.dirname, "node_modules");

/** Builds the page of a framework. Returns the origin of its page. */
async function publish(t, name) {
  const root = await project(t, { from: join(import.meta.dirname, "elements", name) });
  const installed = await readdir(join(root, "node_modules"));
  for (const library of await readdir(MODULES)) {
    if (installed.includes(library) || library.startsWith(".")) continue;
    await symlink(join(MODULES, library), join(root, "node_modules", library));
  }
  await build({ root, logLevel: "error", build: { target: "es2022" } });
  return serve(t, join(root, "dist"));
}

for (const [framework, name] of [["React", "react"], ["Vue", "vue"], ["Svelte", "svelte"]]) {
  test(`${framework}: columns, actions, a section and events`, async (t) => {
    const origin = await publish(t, name);
    const service = await Service.start(t, { demo: 40, args: ["--allow-origin", origin] });
    const page = await openPage(t);
    await page.goto(`${origin}/#${new URLSearchParams({ baseUrl: service.origin, apiKey: service.key })}`);
    const leads = new LeadsPage(page);
    await leads.settled();
    const cell = leads.rows.first().locator('[data-column="host:word"]');
    await cell.getByText("first").waitFor();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await cell.getByText("second").waitFor();

    const [id] = await leads.ids();
    await leads.row(id).getByRole("checkbox").check();
    await page.getByText("1 selected by the page").waitFor();
    await page.getByRole("toolbar", { name: "Selection" }).getByRole("button", { name: /^Send/ }).click();
    await page.getByText(`sent ${id}`).waitFor();

    await click(leads, id);
    await new DetailsPane(page).section("Harbour").waitFor();
    await page.getByText(`notes on ${id}`).waitFor();
    const review = await page.locator("lead-review").elementHandle();
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.locator("lead-review").waitFor({ state: "detached" });
    assert.equal(await review.evaluate((review) => review.querySelectorAll("[slot]").length), 0);
  });
}
