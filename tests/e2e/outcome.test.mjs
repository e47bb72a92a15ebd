// The outcome of a bulk decision for each lead; and a pause that survives a reload.

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test } from "node:test";

import { closeBrowser, openPage } from "./support/browser.mjs";
import { writeLeads } from "./support/csv.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service, temporaryFolder } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const LEADS = 300;

const progress = (page) => page.getByRole("region", { name: "Progress" });
const button = (page, name) => progress(page).getByRole("button", { name, exact: true });

async function open(t, options) {
  const file = join(await temporaryFolder(t), "leads.csv");
  await writeLeads(file, LEADS);
  const service = await Service.start(t, { importFile: file });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  const held = async (status) => {
    const filters = [{ field: "approval_status", operator: "eq", value: status }];
    return (await service.call("POST", "/api/leads/query", { filters, page_size: 1 })).body.total;
  };
  return { service, page, leads, held };
}

async function approveAll(page) {
  await page.keyboard.press("Control+a");
  await page.getByRole("button", { name: `Select all ${LEADS} matching` }).click();
  await page.getByText(`${LEADS} selected`, { exact: true }).waitFor();
  await page.keyboard.press("Shift+A");
}

test("failed leads are listed by name, retried one by one or all, and opened", async (t) => {
  const { page, held } = await open(t, { expected: [/409/] });
  let last;
  await page.route("**/api/leads", async (route) => {
    if (route.request().method() !== "PATCH") return route.fallback();
    const ids = route.request().postDataJSON().lead_ids;
    last ??= [...ids].sort().at(-1);
    if (!ids.includes(last)) return route.fallback();
    await route.fulfill({ status: 409, contentType: "application/json", body: '{"detail":"not now"}' });
  });
  await approveAll(page);
  await button(page, "200 approved").waitFor();
  await button(page, "100 not saved").click();
  const dialog = page.getByRole("dialog", { name: "Not saved: 100 leads" });
  const lines = dialog.getByRole("listitem");
  await expectEventually("twenty lines", async () => (await lines.count()) === 20);
  // Each line has the lead's name, even for leads far down the list.
  await expectEventually("twenty names", async () => {
    const names = await lines.getByRole("link").allInnerTexts();
    return names.length === 20 && names.every((name) => /-\d{3}$/.test(name)) && new Set(names).size === 20;
  });
  assert.match(await lines.first().innerText(), /Not saved · /);
  await dialog.getByRole("button", { name: "Show 20 more" }).click();
  await expectEventually("forty lines", async () => (await lines.count()) === 40);

  await page.unroute("**/api/leads");
  await lines.nth(1).getByRole("button", { name: /^Retry / }).click();
  await lines.nth(1).getByText("Approved").waitFor();
  assert.equal(await lines.count(), 40, "the line stays in the list");
  await expectEventually("the retried lead to be saved", async () => (await held("approved")) === 201);
  await dialog.getByRole("button", { name: "Retry all 99" }).click();
  await expectEventually("all", async () => (await held("approved")) === LEADS);
  await expectEventually("no failed leads", async () =>
    (await dialog.getByRole("button", { name: /^Re(try|vert)/ }).count()) === 0,
  );
  await expectEventually("focus to stay in the dialog", async () =>
    (await page.evaluate(() => document.activeElement.tagName)) !== "BODY",
  );

  const name = await lines.first().getByRole("link").innerText();
  await lines.first().getByRole("link").click();
  const details = page.getByRole("complementary", { name: "Lead details" });
  await details.getByRole("heading", { level: 2, name }).waitFor();
  await button(page, `${LEADS} approved`).waitFor();
});

test("a paused bulk change is still paused after a reload, and can be resumed", async (t) => {
  const { page, leads, held } = await open(t);
  let release;
  const waits = new Promise((go) => (release = go));
  await page.route("**/api/leads", async (route) => {
    if (route.request().method() === "PATCH") await waits;
    await route.fallback();
  });
  await approveAll(page);
  await button(page, "Pause").click();
  release();
  await button(page, "200 approved").waitFor();
  await button(page, "Resume").waitFor();
  await page.waitForTimeout(300);
  await page.unrouteAll();
  await page.reload();
  await leads.settled();
  await progress(page).getByText("Paused. Unsent changes are waiting.").waitFor();
  await progress(page).getByText("Approve 100 leads").waitFor();
  await page.waitForTimeout(500);
  assert.equal(await held("approved"), 200, "nothing is sent without Resume");
  await button(page, "Resume").click();
  await button(page, "100 approved").waitFor();
  assert.equal(await held("approved"), LEADS);
  await button(page, "Undo all").click();
  await expectEventually("the changed leads to be restored", async () => (await held("approved")) === 200);
});
