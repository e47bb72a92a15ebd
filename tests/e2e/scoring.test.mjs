// Scoring: started after a confirmation, polled by one tab, shown in all tabs, and never started twice.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser, openPage, PHONE } from "./support/browser.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const tray = (page) => page.getByRole("region", { name: "Jobs" });
const job = (page, title) => tray(page).getByRole("group", { name: title, exact: true });
const head = (page) => tray(page).getByRole("button").first();
const score = (page) => page.getByRole("button", { name: "Score selected" });
const question = (page) => page.getByRole("alertdialog");

async function says(page, title, text) {
  await job(page, title).getByText(text).first().waitFor();
}

async function open(t, { demo = 120, ...options } = {}) {
  const service = await Service.start(t, { demo });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads };
}

// Fulfills a request with a modified copy of the real response. The page may be closed by then.
async function altered(route, change) {
  try {
    const body = await (await route.fetch()).json();
    await route.fulfill({ json: change(body) });
  } catch (error) {
    if (!/disposed|closed/.test(error.message)) throw error;
  }
}

// Overrides fields of the service's job responses. Returns the requests.
async function onJobs(context, say) {
  const looks = [];
  await context.route("**/api/jobs/*", async (route) => {
    looks.push(route.request());
    await altered(route, (real) => ({ ...real, ...say() }));
  });
  return looks;
}

// Records every request that starts a job.
async function onStarts(page, meet = (route) => route.fallback()) {
  const starts = [];
  for (const noun of ["leads", "accounts"]) {
    await page.route(`**/api/${noun}/score`, async (route) => {
      starts.push({ noun, ...route.request().postDataJSON() });
      await meet(route);
    });
  }
  return starts;
}

const RUNNING = { status: "running", progress: 0.45, result: null };

async function selectRows(leads, many, from = 0) {
  const ids = (await leads.ids()).slice(from, from + many);
  for (const id of ids) await leads.row(id).getByRole("checkbox").click();
  return ids;
}

async function confirm(page, title) {
  await question(page).getByRole("heading", { name: title }).waitFor();
  await question(page).getByRole("button", { name: "Score", exact: true }).click();
}

async function command(page, words) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill(words);
  await page.keyboard.press("Enter");
}

test("selected leads are scored; rows show and announce the change", async (t) => {
  const { page, leads } = await open(t);
  let over = false;
  await onJobs(page, () => (over ? {} : RUNNING));
  const starts = await onStarts(page);
  const ids = await selectRows(leads, 3, 8);
  const before = await Promise.all(
    ids.map(async (id) => Number(await leads.row(id).locator(".points").innerText())),
  );
  // The first two leads get a new score, the third keeps its score.
  const [up, down] = [before[0] + 1, before[1] - 7];
  await page.route("**/api/leads/query", async (route) => {
    await altered(route, (body) => {
      for (const lead of over ? body.data : []) {
        const to = { [ids[0]]: up, [ids[1]]: down, [ids[2]]: before[2] }[lead.lead_id];
        if (to !== undefined) for (const one of lead.list_scores) one.icp_score = to;
      }
      return body;
    });
  });

  await score(page).click();
  await question(page).getByRole("heading", { name: "Score 3 leads?" }).waitFor();
  await question(page).getByRole("button", { name: "Cancel" }).click();
  assert.equal(starts.length, 0, "nothing starts before the confirmation");
  assert.equal(await score(page).evaluate((node) => node === document.activeElement), true);

  await score(page).click();
  await confirm(page, "Score 3 leads?");
  await says(page, "Score 3 leads", /45 % · \d+ s/);
  await says(page, "Score 3 leads", "Scoring in progress");
  assert.deepEqual(starts, [{ noun: "leads", lead_ids: [...ids].sort() }]);
  const order = await leads.ids();
  over = true;
  await says(page, "Score 3 leads", "Scored 3 leads: 1 up, 1 down");
  await page
    .getByRole("status")
    .filter({ hasText: "Score 3 leads. Scored 3 leads: 1 up, 1 down" })
    .waitFor({ state: "attached" });
  const cell = leads.row(ids[1]).getByRole("gridcell").filter({ hasText: "was" });
  assert.match(await cell.innerText(), new RegExp(`was\\s*${before[1]}\\s*→\\s*${down}`));
  assert.equal(await leads.row(ids[2]).locator(".rescored").count(), 0);
  assert.deepEqual(await leads.ids(), order, "no row moves");

  // The next refresh has the new scores and no longer shows the change.
  await page.getByRole("button", { name: "Refresh" }).click();
  await expectEventually("no change to be shown", async () => {
    return (await leads.grid.locator(".rescored").count()) === 0;
  });
  await job(page, "Score 3 leads").getByRole("button", { name: "Dismiss" }).click();
  await expectEventually("the tray to close", async () => (await tray(page).count()) === 0);
  assert.notEqual(await page.evaluate(() => document.activeElement.tagName), "BODY");
  assert.equal(await page.evaluate(() => Object.keys(localStorage).join().includes("job")), false);
});

test("a job survives reloads and navigation; only one of two tabs polls it", async (t) => {
  const { service, page, leads } = await open(t);
  let over = false;
  const context = page.context();
  const looks = await onJobs(context, () => (over ? {} : RUNNING));
  await selectRows(leads, 2);
  await score(page).click();
  await confirm(page, "Score 2 leads?");
  await says(page, "Score 2 leads", /45 %/);
  const kept = await page.evaluate(() => JSON.stringify({ ...localStorage }));
  assert.ok(kept.includes("lead-workspace.job"), kept);
  assert.ok(!kept.includes("lwk_"), "no key stands beside it");

  await page.getByRole("link", { name: "Accounts" }).click();
  await page.getByRole("grid", { name: "Accounts" }).waitFor();
  await says(page, "Score 2 leads", /45 %/);
  await page.reload();
  await says(page, "Score 2 leads", /45 %/);

  const second = await context.newPage();
  await LeadsPage.open(second, service.url);
  await says(second, "Score 2 leads", /45 %/);
  const lookers = (from) => new Set(looks.slice(from).map((look) => look.frame().page()));
  const from = looks.length;
  await expectEventually("two more polls", () => looks.length >= from + 2);
  assert.equal(lookers(from).size, 1, "one tab polls");
  assert.ok(lookers(from).has(page));

  // When the polling tab closes, the other one takes over.
  await page.close();
  await expectEventually("the other tab to poll", () => lookers(from).has(second));
  over = true;
  await says(second, "Score 2 leads", /^Scored 2 leads/);
  const third = await context.newPage();
  await LeadsPage.open(third, service.url);
  await says(third, "Score 2 leads", "Scored 2 leads");
  await job(third, "Score 2 leads").getByRole("button", { name: "Dismiss" }).click();
  await expectEventually("the tray to close in all tabs", async () => (await tray(second).count()) === 0);
});

test("the reason of a failed job and of a failed start is shown", async (t) => {
  const { page, leads } = await open(t, { expected: [/403/] });
  await onJobs(page, () => ({ status: "failed", error: "the rules name no industry", result: null }));
  let refuse = false;
  await onStarts(page, (route) =>
    refuse ? route.fulfill({ status: 403, json: { detail: "no" } }) : route.fallback(),
  );
  await selectRows(leads, 1);
  await score(page).click();
  await question(page).getByRole("button", { name: "Score", exact: true }).click();
  await tray(page).getByText("The job failed: the rules name no industry.").waitFor();
  await tray(page).getByText(/Scores saved so far are kept\. Score it again/).waitFor();
  refuse = true;
  await score(page).click();
  await question(page).getByRole("button", { name: "Score", exact: true }).click();
  await tray(page).getByText(/Not started, nothing was scored: This key doesn't have access/).waitFor();
  await head(page).getByText("2 to check").waitFor();
});

test("a lost response is explained, and checked before another job starts", async (t) => {
  const { page, leads } = await open(t, { expected: [/api\/leads\/score/, /ERR_FAILED/] });
  let began = false;
  const starts = await onStarts(page, async (route) => {
    if (began) await route.fetch();
    await route.abort();
  });
  // Pretends that the leads were last scored long ago.
  let old = true;
  await page.route(/\/api\/leads\/lead_|\/api\/leads\/[0-9a-f-]{20,}/, async (route) => {
    await altered(route, (body) => {
      if (old) for (const one of body.list_scores ?? []) one.scored_at = "2020-01-01T00:00:00Z";
      return body;
    });
  });
  await selectRows(leads, 2);
  await score(page).click();
  await confirm(page, "Score 2 leads?");
  await says(page, "Score 2 leads", /may or may not have started/);
  await says(page, "Score 2 leads", /not sent again automatically/);
  const again = job(page, "Score 2 leads").getByRole("button", { name: "Score again" });
  assert.equal(await again.count(), 0, "no second start without a check");

  const check = job(page, "Score 2 leads").getByRole("button", { name: "Check jobs" });
  await check.click();
  await says(page, "Score 2 leads", /None of 2 leads checked has a newer score/);
  assert.equal(starts.length, 1);
  began = true;
  await again.click();
  await confirm(page, "Score 2 leads?");
  await expectEventually("the second start", () => starts.length === 2);
  old = false;
  const newest = job(page, "Score 2 leads").first();
  await newest.getByText(/may or may not have started/).waitFor();
  await expectEventually("the check to find newer scores", async () => {
    await newest.getByRole("button", { name: "Check jobs" }).click();
    return newest.getByText(/2 leads of 2 checked have a newer score, so the job has started/).isVisible();
  });
  assert.equal(starts.length, 2);
});

test("a list and all matching leads are counted first; the whole workspace is never scored", async (t) => {
  const { service, page, leads } = await open(t);
  const starts = await onStarts(page);
  await command(page, "score a list");
  const dialog = page.getByRole("dialog", { name: "Score a list" });
  const lists = dialog.getByRole("combobox", { name: "List" });
  await lists.waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Continue" }).isDisabled(), true);
  const [id, name] = await lists.evaluate((node) => [node.options[1].value, node.options[1].text]);
  await lists.selectOption(id);
  const filters = [{ field: "list_id", operator: "eq", value: id }];
  const { body } = await service.call("POST", "/api/leads/query", { filters, page_size: 1 });
  await dialog.getByText(`It has ${body.total} lead`).waitFor();
  await dialog.getByRole("button", { name: "Continue" }).click();
  const leadsOf = `${body.total} lead${body.total === 1 ? "" : "s"}`;
  await confirm(page, `Score the ${leadsOf} of “${name}”?`);
  await says(page, `Score the ${leadsOf} of “${name}”`, /^Scored/);

  const pending = await leads.tab("Pending").innerText();
  const many = Number(pending.match(/\d+/)[0]);
  await command(page, "score all matching");
  await confirm(page, `Score ${many} leads?`);
  await says(page, `Score ${many} leads`, new RegExp(`^Scored ${many} leads`));
  assert.deepEqual(starts[0], { noun: "leads", lead_list_ids: [id] });
  assert.equal(starts[1].lead_ids.length, many);

  await page.getByRole("link", { name: "Accounts" }).click();
  const grid = page.getByRole("grid", { name: "Accounts" });
  const account = grid.locator("[data-account-id]").first();
  await account.getByRole("gridcell").first().click();
  await command(page, "score this account");
  await question(page).getByRole("button", { name: "Score", exact: true }).click();
  await tray(page).getByText(/Scored 1 account/).first().waitFor();
  const of = await account.getAttribute("data-account-id");
  assert.deepEqual(starts[2], { noun: "accounts", account_ids: [of] });
  for (const start of starts) {
    const named = [start.lead_ids, start.lead_list_ids, start.account_ids, start.lead_list_id];
    assert.ok(named.flat().filter(Boolean).length > 0, "every start names what to score");
  }
});

test("selected accounts are scored, and open details are reloaded", async (t) => {
  const { page } = await open(t);
  const starts = await onStarts(page);
  await page.getByRole("link", { name: "Accounts" }).click();
  const rows = page.getByRole("grid", { name: "Accounts" }).locator("[data-account-id]");
  await rows.nth(2).waitFor();
  const ids = await rows.evaluateAll((rows) => rows.map((row) => row.dataset.accountId));
  for (const n of [0, 2]) await rows.nth(n).getByRole("checkbox").check();
  await score(page).click();
  await confirm(page, "Score 2 accounts?");
  await says(page, "Score 2 accounts", /^Scored 2 accounts/);
  assert.deepEqual(starts, [{ noun: "accounts", account_ids: [ids[0], ids[2]].sort() }]);

  await rows.nth(1).getByRole("gridcell").nth(1).click();
  const details = page.getByRole("region", { name: "Account details" });
  await details.getByRole("heading", { name: "Fit", exact: true }).waitFor();
  await details.getByRole("button", { name: "Score this account" }).click();
  const again = page.waitForRequest((request) => new URL(request.url()).pathname === `/api/accounts/${ids[1]}`);
  await question(page).getByRole("button", { name: "Score", exact: true }).click();
  await again;
  assert.deepEqual(starts[1], { noun: "accounts", account_ids: [ids[1]] });
});

test("on a phone the tray covers no buttons", async (t) => {
  const { page, leads } = await open(t, { viewport: PHONE });
  let over = false;
  await onJobs(page, () => (over ? {} : RUNNING));
  await selectRows(leads, 1);
  await score(page).click();
  await question(page).getByRole("button", { name: "Score", exact: true }).click();
  await head(page).getByText("1 running · 45 %").waitFor();
  assert.equal(await head(page).getAttribute("aria-expanded"), "false");
  // The tray covers no decision buttons.
  await page.getByRole("button", { name: /^Approve [A-Z]/ }).first().click({ trial: true });
  await head(page).click();
  over = true;
  await tray(page).getByText(/Scored 1 lead/).waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= PHONE.width);
});
