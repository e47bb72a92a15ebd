// Takes pictures of screens in one engine, in light and dark, to compare them with those of another: the folder is
// LEAD_WORKSPACE_PICTURES.

import { join } from "node:path";
import { after, test } from "node:test";

import { palette } from "../e2e/support/commands.mjs";
import { LeadsPage } from "../e2e/support/leads.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { NAME } from "./support/engines.mjs";
import { closeBrowser } from "./support/page.mjs";
import { open, startKeys } from "./support/stage.mjs";

const FOLDER = process.env.LEAD_WORKSPACE_PICTURES;

async function list(page) {
  const leads = new LeadsPage(page);
  await leads.settled();
  await startKeys(leads);
}

// The screens by the names of their files: the path, and the steps after it is loaded.
const SCREENS = {
  list: ["/leads", list],
  details: [
    "/leads",
    async (page) => {
      await list(page);
      await page.keyboard.press("Enter");
      await page.getByRole("complementary", { name: "Lead details" }).getByRole("heading", { name: "Fit" }).waitFor();
    },
  ],
  palette: [
    "/leads",
    async (page) => {
      await list(page);
      await page.keyboard.press("Control+k");
      await palette(page).getByRole("option").first().waitFor();
    },
  ],
  import: ["/import", (page) => page.getByRole("heading", { level: 2, name: "Import leads" }).waitFor()],
  focus: [
    "/leads",
    async (page) => {
      await list(page);
      await page.keyboard.press("o");
      await page.getByRole("region", { name: "Lead", exact: true }).getByRole("heading", { name: "Fit" }).waitFor();
    },
  ],
  pulse: [
    "/portfolio",
    async (page) => {
      await page.getByRole("link", { name: /^Open pulse/ }).first().click();
      await page.getByRole("img", { name: /^Funnel: / }).waitFor();
    },
  ],
  settings: ["/settings", (page) => page.getByRole("heading", { name: "Settings", level: 1 }).waitFor()],
};

after(closeBrowser);

test(`pictures of ${NAME}`, async (t) => {
  const { service, page } = await open(t, { demo: 20_000 });
  const { origin, hash } = new URL(service.url);
  for (const theme of ["light", "dark"]) {
    for (const [name, [path, steps]] of Object.entries(SCREENS)) {
      await page.goto(`${origin}${path}${hash}`);
      await page.evaluate((theme) => localStorage.setItem("lead-workspace.theme", theme), theme);
      await page.goto("about:blank");
      await page.goto(`${origin}${path}${hash}`);
      await steps(page);
      // Until counts and the parts that load later are there.
      let [before, quiet] = [-1, 0];
      await expectEventually("all requests", async () => {
        const count = await page.evaluate(() => performance.getEntriesByType("resource").length);
        quiet = count === before ? quiet + 1 : 0;
        before = count;
        return quiet === 10;
      });
      // WebKit's first picture is black before it has painted one.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      await page.screenshot(join(FOLDER, `${name}-${theme}-${NAME}.png`));
    }
  }
});
