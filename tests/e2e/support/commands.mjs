// The command palette and the help: their parts, and a page to open them on.

import { openPage } from "./browser.mjs";
import { LeadsPage } from "./leads.mjs";
import { Service } from "./service.mjs";
import { expectEventually } from "./wait.mjs";

export const palette = (page) => page.getByRole("dialog", { name: "Commands" });
export const field = (page) => page.getByRole("combobox", { name: "Find a command" });
export const help = (page) => page.getByRole("dialog", { name: "Keyboard shortcuts" });
export const option = (page, name) => palette(page).getByRole("option", { name: new RegExp(`^${name}`) });
export const isCompact = (page) => page.url().includes("density=compact");

export async function open(t, options) {
  const service = await Service.start(t, { demo: 60 });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

export async function gone(dialog) {
  await expectEventually("the dialog to close", async () => (await dialog.count()) === 0);
}
