// The command palette and the help: their parts, and a page to open them on.

import { openPage } from "./browser.mjs";
import { LeadsPage } from "./leads.mjs";
import { Service } from "./service.mjs";
import { expectEventually } from "./wait.mjs";

// Also hidden: the app learns a moment after the browser that one was closed, and takes keys again when it has removed it.
const dialog = (page, name) => page.getByRole("dialog", { name, includeHidden: true });
export const palette = (page) => dialog(page, "Commands");
export const field = (page) => page.getByRole("combobox", { name: "Find a command" });
export const help = (page) => dialog(page, "Keyboard shortcuts");
export const option = (page, name) => palette(page).getByRole("option", { name: new RegExp(`^${name}`) });
export const isCompact = (page) => page.url().includes("density=compact");

export async function open(t, options) {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

export async function gone(found) {
  await expectEventually("it to be gone", async () => (await found.count()) === 0);
}
