// Takes the pictures of the main screens: `cargo xtask pictures`. Each at three widths, in light and dark, into the
// folder LEAD_WORKSPACE_PICTURES. Like a test, it fails if a page reports an error.

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser, networkIdle, openPage } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";

const FOLDER = process.env.LEAD_WORKSPACE_PICTURES;
const WIDTHS = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];
const DEMO_LEADS = 20_000;

// The screens by the names of their files: the path, and the steps after it is loaded.
const SCREENS = {
  leads: ["/leads", (page) => new LeadsPage(page).settled()],
  review: [
    "/leads",
    async (page) => {
      const leads = new LeadsPage(page);
      await leads.settled();
      await leads.grid.focus();
      for (const key of ["j", "j", "Enter"]) await page.keyboard.press(key);
      await page.getByRole("complementary", { name: "Lead details" }).waitFor();
    },
  ],
  portfolio: ["/portfolio", (page) => page.getByRole("link", { name: /^Open pulse/ }).first().waitFor()],
  pulse: [
    "/portfolio?sort=conversations",
    async (page) => {
      await page.getByRole("link", { name: /^Open pulse/ }).first().click();
      await page.getByRole("region", { name: "Pulse" }).waitFor();
    },
  ],
};

after(closeBrowser);

test("pictures", async (t) => {
  await mkdir(FOLDER, { recursive: true });
  const service = await Service.start(t, { demo: DEMO_LEADS });
  const { origin, hash } = new URL(service.url);
  for (const viewport of WIDTHS) {
    for (const colorScheme of ["light", "dark"]) {
      const page = await openPage(t, { viewport, colorScheme });
      for (const [name, [path, steps]] of Object.entries(SCREENS)) {
        // Forces a new document, whatever the URL was before.
        await page.goto("about:blank");
        await page.goto(`${origin}${path}${hash}`);
        await steps(page);
        // Until counts and the parts that load later are there.
        await networkIdle(page);
        await page.screenshot({ path: join(FOLDER, `${name}-${viewport.width}-${colorScheme}.png`) });
      }
    }
  }
});
