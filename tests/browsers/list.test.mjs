// The list: scrolling, sorting, searching, filters and columns.

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, test } from "node:test";

import { LeadsPage } from "../e2e/support/leads.mjs";
import { Service, temporaryFolder } from "../e2e/support/service.mjs";
import { Sidebar } from "../e2e/support/sidebar.mjs";
import { expectEventually } from "../e2e/support/wait.mjs";
import { withLongList } from "./support/long-list.mjs";
import { closeBrowser, openPage } from "./support/page.mjs";
import { cursor, openLeads, startKeys } from "./support/stage.mjs";

after(closeBrowser);

const columns = (page) => page.getByRole("dialog", { name: "Columns" });

const heads = (leads) =>
  leads.grid.getByRole("columnheader").evaluateAll((heads) => heads.map((head) => head.innerText.trim()).filter(Boolean));

async function expectHeads(leads, ...expected) {
  await expectEventually(`the columns ${expected}`, async () => {
    const shown = (await heads(leads)).filter((label) => expected.includes(label));
    return shown.join() === expected.join();
  });
}

const param = async (page, name) => (await page.url()).searchParams.get(name);

test("the list shows the pending leads, the best first", async (t) => {
  const { service, page, leads, ids } = await openLeads(t);
  const { body } = await service.call("POST", "/api/leads/query", {
    filters: [{ field: "approval_status", operator: "in", value: ["pending_approval"] }],
    sort_by: "icp_score",
    sort_dir: "desc",
    page_size: 50,
  });
  assert.ok(ids.length >= 20, `${ids.length} rows`);
  assert.deepEqual(ids, body.data.map((lead) => lead.lead_id).slice(0, ids.length));
  assert.equal(await leads.tab("Pending").getAttribute("aria-selected"), "true");
  assert.equal((await page.url()).hash, "", "the key is not kept in the address");
});

test("keys and the scrollbar reach both ends and the middle of 100,000 leads, and the list is never empty", async (t) => {
  const all = 100_000;
  const service = await Service.start(t, { demo: 20 });
  const page = await openPage(t);
  await page.goto(`${await withLongList(t, service, all)}/leads${new URL(service.url).hash}`);
  const leads = new LeadsPage(page);
  await leads.settled();
  assert.equal(await leads.grid.getAttribute("aria-rowcount"), String(all + 1));
  // Records the smallest number of rows in any frame.
  await leads.grid.evaluate((grid) => {
    window.fewest = Number.POSITIVE_INFINITY;
    const look = () => {
      window.fewest = Math.min(window.fewest, grid.querySelectorAll(".rows > [role=row]").length);
      requestAnimationFrame(look);
    };
    look();
  });
  const isOn = (n) =>
    leads.grid.locator(`[role="row"][data-cursor="true"][data-lead-id="lead-${n}"][aria-rowindex="${n + 2}"]`).waitFor();
  await leads.grid.focus();
  await page.keyboard.press("Control+End");
  await isOn(all - 1);
  await page.keyboard.press("PageUp");
  await expectEventually("a page up", async () => Number(await cursor(leads).getAttribute("aria-rowindex")) < all - 15);
  await page.keyboard.press("Control+Home");
  await isOn(0);

  await leads.grid.evaluate((grid) => grid.scrollTo(0, (grid.scrollHeight - grid.clientHeight) / 2));
  await expectEventually("rows of the middle", async () => {
    const row = await leads.rows.first().getAttribute("aria-rowindex");
    return Math.abs(Number(row) - all / 2) < 1_000;
  });
  assert.ok((await leads.grid.locator("[role=row]").count()) <= 61, "60 rows and the head");
  assert.ok((await page.evaluate(() => window.fewest)) >= 20, "the grid was nearly empty");
});

test("no frame of a scroll shows a blank list", async (t) => {
  const { leads } = await openLeads(t, { demo: 3_000, path: "/leads?tab=all" });
  const blank = await leads.grid.evaluate(async (grid) => {
    const frame = () => new Promise(requestAnimationFrame);
    let blank = 0;
    for (let n = 0; n < 25; n += 1) {
      grid.scrollBy(0, 90);
      await frame();
      await frame();
      const { left, top, bottom } = grid.getBoundingClientRect();
      for (const y of [top + 80, (top + bottom) / 2, bottom - 20]) {
        if (!document.elementFromPoint(left + 200, y)?.closest("[role=row]")) blank += 1;
      }
    }
    return blank;
  });
  assert.equal(blank, 0);
});

test("a click on a header sorts, and another one turns the order round", async (t) => {
  const { service, page, leads } = await openLeads(t);
  const ids = async (sort_dir) => {
    const filters = [{ field: "approval_status", operator: "eq", value: "pending_approval" }];
    const query = { filters, sort_by: "name", sort_dir, page_size: 5 };
    return (await service.call("POST", "/api/leads/query", query)).body.data.map((lead) => lead.lead_id).join();
  };
  for (const [dir, order] of [["asc", "ascending"], ["desc", "descending"]]) {
    await leads.header("Name").getByRole("button").click();
    await expectEventually(`${order} names`, async () => (await leads.ids()).slice(0, 5).join() === (await ids(dir)));
    assert.equal(await leads.header("Name").getAttribute("aria-sort"), order);
  }
  await page.goBack();
  await expectEventually("Back to undo the last sort", async () =>
    (await leads.header("Name").getAttribute("aria-sort")) === "ascending");
});

test("a search finds leads by name, stays in the address and is left by Escape", async (t) => {
  const { page, leads } = await openLeads(t, { path: "/leads?tab=all" });
  const name = await leads.name(leads.rows.nth(3));
  await leads.grid.focus();
  await page.keyboard.press("/");
  await expectEventually("the focus in the search", () => leads.search.hasFocus());
  await leads.search.fill(name);
  await page.waitForURL(/[?&]q=/);
  await expectEventually("the lead alone", async () => (await leads.rows.count()) === 1);
  assert.equal(await leads.name(leads.rows.first()), name);
  await page.reload();
  await leads.settled();
  assert.equal(await leads.search.inputValue(), name);
  assert.equal(await leads.rows.count(), 1);
});

test("values of the sidebar and a filter of any field narrow the list", async (t) => {
  const { service, page, leads } = await openLeads(t, { demo: 300, path: "/leads?tab=all" });
  const sidebar = new Sidebar(page);
  const shown = (count) =>
    expectEventually(`${count} leads`, async () => Number(await leads.grid.getAttribute("aria-rowcount")) === count + 1);
  const count = async (...filters) => (await service.call("POST", "/api/leads/query", { filters, page_size: 1 })).body.total;
  const tier = { field: "icp_tier", operator: "in", value: ["A"] };
  await sidebar.choose("ICP tier", "A");
  await shown(await count(tier));
  assert.equal(await sidebar.box("ICP tier", "A").isChecked(), true);
  await sidebar.addFilter({ field: "Title", condition: "contains", values: ["manager"] });
  await shown(await count(tier, { field: "title", operator: "contains", value: "manager" }));
  await sidebar.chip("manager").waitFor();
  await page.goBack();
  await shown(await count(tier));
});

test("a column is moved by dragging its header", async (t) => {
  const { leads } = await openLeads(t);
  await expectHeads(leads, "Fit", "Name", "Title", "Company");
  await leads.header("Company").dragTo(leads.header("Title"));
  await expectHeads(leads, "Fit", "Name", "Company", "Title");
});

test("a column is resized by its edge, and reset by a double click", async (t) => {
  const { page, leads } = await openLeads(t);
  const width = async () => Math.round((await leads.header("Title").boundingBox()).width);
  const before = await width();
  await page.mouse.dragBy(await leads.header("Title").locator(".edge").element(), 30, 0);
  await expectEventually("the width in the address", async () =>
    (await param(page, "cols"))?.includes(`title-${before + 30}`));
  assert.equal(await width(), before + 30);
  assert.equal(await leads.header("Title").getAttribute("aria-sort"), "none", "a drag does not sort");
  await leads.header("Title").locator(".edge").dblclick();
  await expectEventually("the default width", async () => (await param(page, "cols")) === null);
});

test("a right click on a header opens the menu of columns, which shows and hides them", async (t) => {
  const { page, leads } = await openLeads(t);
  await leads.header("Title").click({ button: "right" });
  await columns(page).waitFor();
  await columns(page).getByRole("checkbox", { name: "Location", exact: true }).click();
  await expectHeads(leads, "Title", "Location");
  await columns(page).getByRole("checkbox", { name: "Title", exact: true }).click();
  await expectEventually("no Title", async () => !(await heads(leads)).includes("Title"));
  await page.keyboard.press("Escape");
  await columns(page).waitFor({ state: "detached" });
  await page.reload();
  await leads.settled();
  assert.ok((await heads(leads)).includes("Location") && !(await heads(leads)).includes("Title"));
});

test("columns of the user's file are shown as what they are, and sort", async (t) => {
  const importFile = join(await temporaryFolder(t), "deals.csv");
  const line = (n) => `Ada Lind-${n},ada${n}@example.com,${1_000 * (n + 1)},2019-0${(n % 9) + 1}-14,https://wiki.example/${n}`;
  await writeFile(importFile, ["Name,Email,Deal size,Renewal,Wiki", ...Array.from({ length: 30 }, (_, n) => line(n))].join("\n"));
  const { page, leads } = await openLeads(t, { importFile });
  const cell = (name) => leads.rows.first().locator(`[data-column="custom:${name}"]`);
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  for (const name of ["Deal size", "Renewal", "Wiki"]) {
    await page.getByRole("list", { name: "Your columns" }).getByRole("checkbox", { name, exact: true }).click();
  }
  await page.keyboard.press("Escape");
  const sorted = (order, deal) =>
    expectEventually(`${order} deals`, async () =>
      (await leads.header("Deal size").getAttribute("aria-sort")) === order &&
      (await cell("Deal size").innerText()).replace(/\D/g, "") === deal);
  await leads.header("Deal size").getByRole("button").click();
  await sorted("descending", "30000");
  await leads.header("Deal size").getByRole("button").click();
  await sorted("ascending", "1000");
  assert.match(await cell("Renewal").innerText(), /years ago$/);
  assert.equal(await cell("Wiki").getByRole("link").getAttribute("href"), "https://wiki.example/0");
  const align = () => cell("Deal size").evaluate((node) => getComputedStyle(node).textAlign);
  assert.match(await align(), /^(end|right)$/);
});

test("compact rows are lower, and Back undoes that", async (t) => {
  const { page, leads } = await openLeads(t);
  const height = async () => Math.round((await leads.rows.first().boundingBox()).height);
  assert.equal(await height(), 40);
  await startKeys(leads);
  await page.keyboard.press("z");
  await expectEventually("lower rows", async () => (await height()) === 32);
  await page.goBack();
  await expectEventually("higher rows", async () => (await height()) === 40);
});

test("a view is saved under a name and opened again", async (t) => {
  const { page, leads } = await openLeads(t, { path: "/leads?tab=all&sort=company" });
  const views = page.getByRole("dialog", { name: "Views" });
  await leads.grid.focus();
  await page.keyboard.press("v");
  await views.getByRole("textbox").fill("By company");
  await views.getByRole("button", { name: "Save", exact: true }).click();
  await views.getByRole("link", { name: "By company" }).waitFor();
  await page.keyboard.press("Escape");
  await views.waitFor({ state: "detached" });
  await leads.tab("Approved").click();
  await page.waitForURL(/tab=approved/);
  await leads.settled();
  await leads.grid.focus();
  await page.keyboard.press("v");
  await views.getByRole("link", { name: "By company" }).click();
  await page.waitForURL(/tab=all/);
  await expectEventually("the order", async () => (await leads.header("Company").getAttribute("aria-sort")) === "ascending");
});
