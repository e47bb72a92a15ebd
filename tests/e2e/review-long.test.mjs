// Reviewing by keyboard in a list of several pages: no lead is skipped or repeated, also while decisions are saved.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "./support/browser.mjs";
import { imported, isDecision, total } from "./support/review.mjs";
import { allSaved, expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const cursor = (leads) => leads.grid.locator('[role="row"][data-cursor="true"]');

test("a list of three pages is reviewed by keyboard only, in order, each lead once", async (t) => {
  const { service, page, leads } = await imported(t, 120);
  const wanted = [];
  for (const number of [1, 2, 3]) {
    const { body } = await service.call("POST", "/api/leads/query", {
      filters: [{ field: "approval_status", operator: "in", value: ["pending_approval"] }],
      sort_by: "icp_score",
      sort_dir: "desc",
      page: number,
      page_size: 50,
    });
    wanted.push(...body.data.map((lead) => lead.lead_id));
  }
  let saved = 0;
  page.on("requestfinished", (request) => {
    if (isDecision(request)) saved += request.postDataJSON().lead_ids?.length ?? 1;
  });
  // The server reads the third page only after it has saved further decisions: decided leads no longer match there.
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
    await page.keyboard.press(n % 3 === 0 ? "r" : "a");
  }
  assert.ok(isHeld);
  assert.deepEqual(decided, wanted);
  await allSaved(page);
  assert.equal(await total(service, "rejected"), 40);
  assert.equal(await total(service, "approved"), 80);
  const { body } = await service.call("GET", `/api/leads/${encodeURIComponent(wanted[3])}`);
  assert.equal(body.approval_status, "rejected");
});
