// Reviewing by keyboard in a list of several pages: no lead is skipped or repeated.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "./support/browser.mjs";
import { imported, isDecision, total } from "./support/review.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const cursor = (leads) => leads.grid.locator('[role="row"][data-cursor="true"]');

test("fifty leads are reviewed by keyboard only, in order, each once", async (t) => {
  const { service, page, leads } = await imported(t, 120);
  const wanted = [];
  for (const number of [1, 2]) {
    const { body } = await service.call("POST", "/api/leads/query", {
      filters: [{ field: "approval_status", operator: "in", value: ["pending_approval"] }],
      sort_by: "icp_score",
      sort_dir: "desc",
      page: number,
      page_size: 50,
    });
    wanted.push(...body.data.map((lead) => lead.lead_id));
  }
  await leads.grid.focus();
  await page.keyboard.press("j");
  assert.equal(await cursor(leads).getAttribute("data-lead-id"), wanted[0]);
  const decided = new Map();
  for (let n = 0; n < 70; n += 1) {
    // The list continues past its first page, although decided leads no longer match on the server.
    const id = await expectEventually(`lead ${n + 1}`, () => cursor(leads).getAttribute("data-lead-id"));
    assert.equal(id, wanted[n], `lead ${n + 1} is the next one in the list`);
    await page.keyboard.press(n % 3 === 0 ? "r" : "a");
    decided.set(id, n % 3 === 0 ? "rejected" : "approved");
  }
  await allSaved(page);
  for (const [id, status] of decided) {
    const { body } = await service.call("GET", `/api/leads/${encodeURIComponent(id)}`);
    assert.equal(body.approval_status, status, id);
  }
  assert.equal(await total(service, "pending_approval"), 50);
});

test("a page that is read while decisions are saved has no gaps and repeats nothing", async (t) => {
  const { service, page, leads } = await imported(t, 120);
  let saved = 0;
  page.on("requestfinished", (request) => {
    if (isDecision(request)) saved += request.postDataJSON().lead_ids?.length ?? 1;
  });
  // The server reads the third page only after it has saved further decisions.
  let isHeld = false;
  await page.route("**/api/leads/query", async (route) => {
    if (!isHeld && saved > 0) {
      isHeld = true;
      const before = saved;
      await expectEventually("more decisions", () => saved >= before + 3);
    }
    await route.fallback();
  });
  await leads.grid.focus();
  await page.keyboard.press("j");
  const decided = [];
  for (let n = 0; n < 120; n += 1) {
    const id = await expectEventually(`lead ${n + 1}`, async () => {
      const id = await cursor(leads).getAttribute("data-lead-id");
      return id !== decided.at(-1) && id;
    });
    decided.push(id);
    await page.keyboard.press("a");
  }
  assert.ok(isHeld);
  assert.equal(new Set(decided).size, 120);
  await allSaved(page);
  assert.equal(await total(service, "approved"), 120);
});
