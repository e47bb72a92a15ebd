// The insights: how the decisions of the view fall, their scores, and the user's own progress.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, test } from "node:test";

import { DESKTOP, PHONE, closeBrowser, openPage } from "./support/browser.mjs";
import { isIn } from "./support/filters.mjs";
import { LeadsPage } from "./support/leads.mjs";
import { decideAsOther, isLive } from "./support/live.mjs";
import { Service } from "./support/service.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

const FACETS = "**/api/leads/facets";

async function open(t, { path = "/insights", demo = 1000, answer, init, ...options } = {}) {
  const service = await Service.start(t, { demo });
  const page = await openPage(t, options);
  const counted = [];
  await page.route(FACETS, (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    counted.push(route.request().postDataJSON());
    return answer ? answer(route) : route.fallback();
  });
  if (init) await page.addInitScript(init);
  const { origin, hash } = new URL(service.url);
  await page.goto(`${origin}${path}${hash}`);
  const total = async (filters, search) => {
    const body = { filters, search, page_size: 1 };
    return (await service.call("POST", "/api/leads/query", body)).body.total;
  };
  return { service, page, counted, total };
}

const approved = isIn("approval_status", "approved");
const rejected = isIn("approval_status", "rejected");
const card = (page, name) => page.getByRole("region", { name });
const differences = (page) => card(page, /^What gets approved/);
const bars = (page) => differences(page).getByRole("listitem").getByRole("link");
const percent = (part, whole) => `${Math.round((100 * part) / whole)}%`;

// Wilson's interval, as the page says.
function interval(part, whole) {
  const [z, share] = [1.96, part / whole];
  const middle = share + z ** 2 / (2 * whole);
  const spread = z * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2));
  return [middle - spread, middle + spread].map((end) => end / (1 + z ** 2 / whole));
}

test("the most significant differences from the average come first, and open the leads", async (t) => {
  const { page, counted, total } = await open(t, { demo: 3000 });
  await bars(page).first().waitFor();
  const [yes, no, all] = [await total([approved]), await total([rejected]), await total([])];
  const average = yes / (yes + no);
  await page.getByText(`approved of ${yes + no} decided`).waitFor();
  await page.getByText(percent(yes, yes + no), { exact: true }).first().waitFor();
  await page.getByText(percent(yes + no, all), { exact: true }).first().waitFor();
  const of = counted.filter(({ facets }) => facets.length === 9);
  assert.equal(of.length, 4, "one request for each status");
  await expectEventually("the scores", () => counted.length === 14);

  const names = await bars(page).evaluateAll((links) => links.map((link) => link.getAttribute("aria-label")));
  assert.ok(names.length > 3, "the demo has differences");
  let last = 1;
  for (const name of names) {
    const found = /: (\d+)% approved of ([\d,]+) decided, average (\d+)%$/.exec(name);
    const [share, decided] = [Number(found[1]) / 100, Number(found[2].replaceAll(",", ""))];
    const [low, high] = interval(Math.round(share * decided), decided);
    const least = Math.max(low - average, average - high);
    assert.ok(decided >= 10, `${name}: at least ten decisions`);
    // The shares on the screen are rounded.
    assert.ok(least > -0.02 && least <= last + 0.02, `${name} after one with ${last}`);
    last = least;
  }

  const tier = bars(page).filter({ hasText: "ICP tier" }).first();
  const [, value, share, decided] = /^(.), ICP tier: (\d+%) approved of ([\d,]+)/.exec(await tier.getAttribute("aria-label"));
  const in_tier = [isIn("icp_tier", value)];
  const [tier_yes, tier_no] = [await total([...in_tier, approved]), await total([...in_tier, rejected])];
  assert.deepEqual([share, decided], [percent(tier_yes, tier_yes + tier_no), String(tier_yes + tier_no)]);
  await tier.click();
  const leads = new LeadsPage(page);
  await leads.settled();
  assert.equal(new URL(page.url()).search, `?tab=all&icp_tier=${value}`);
});

test("the view of the leads is taken over, and is where to go back to", async (t) => {
  const { page, counted, total } = await open(t, { path: "/leads?tab=approved&q=manager&icp_tier=B&icp_tier=C" });
  await new LeadsPage(page).settled();
  counted.length = 0;
  await page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: "Insights" }).click();
  await page.getByText("How decisions fell among leads that match “manager” and 1 filter").waitFor();
  const filters = [isIn("icp_tier", "B", "C")];
  const [yes, no] = [await total([...filters, approved], "manager"), await total([...filters, rejected], "manager")];
  await page.getByText(`approved of ${yes + no} decided`).waitFor();
  const query = "?tab=approved&q=manager&icp_tier=B&icp_tier=C";
  assert.equal(new URL(page.url()).search, query);
  for (const { search, filters } of counted.filter(({ facets }) => facets.length === 9)) {
    assert.equal(search, "manager");
    assert.deepEqual(filters, [{ field: "icp_tier", operator: "in", value: ["B", "C"] }]);
  }
  await page.getByRole("searchbox", { name: "Search leads" }).fill("");
  await page.getByText("How decisions fell among leads that match 1 filter").waitFor();
  await page.getByRole("searchbox", { name: "Search leads" }).fill("manager");
  await page.getByText("match “manager” and 1 filter").waitFor();
  await page.getByRole("link", { name: "Change the view" }).click();
  await new LeadsPage(page).settled();
  assert.equal(new URL(page.url()).search, query);
  // From the palette, too.
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("go to insights");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/insights/);
  assert.equal(new URL(page.url()).search, query);
});

test("all values of a field can be compared, in a table with every status", async (t) => {
  const { page, total } = await open(t);
  await bars(page).first().waitFor();
  await differences(page).getByRole("combobox", { name: "Compare" }).selectOption("ICP tier");
  const tiers = () => bars(page).locator(".name").allInnerTexts();
  await expectEventually("the tiers in order", async () => (await tiers()).join() === "A,B,C,D");
  const toggle = differences(page).getByRole("button", { name: "Show as table" });
  await toggle.click();
  assert.equal(await toggle.getAttribute("aria-pressed"), "true");
  const row = differences(page).getByRole("row", { name: /^B / });
  const cells = await row.getByRole("cell").allInnerTexts();
  const statuses = ["approved", "rejected", "pending_approval", "filtered"];
  const counts = [];
  for (const status of statuses) counts.push(await total([isIn("icp_tier", "B"), isIn("approval_status", status)]));
  assert.deepEqual(cells.slice(1).map((cell) => Number(cell.replaceAll(",", ""))), counts);
  assert.equal(cells[0], percent(counts[0], counts[0] + counts[1]));
});

test("the threshold reproduces the most decisions", async (t) => {
  const { page, total } = await open(t);
  const scores = card(page, "Score and decision");
  await scores.getByRole("img").waitFor();
  const counts = [];
  for (let from = 0; from < 100; from += 10) {
    const filters = [{ field: "icp_score", operator: "gte", value: from }];
    if (from < 90) filters.push({ field: "icp_score", operator: "lt", value: from + 10 });
    counts.push([await total([...filters, approved]), await total([...filters, rejected])]);
  }
  const agreed = (from) => counts.reduce((sum, [yes, no], range) => sum + (range * 10 >= from ? yes : no), 0);
  const best = [10, 20, 30, 40, 50, 60, 70, 80, 90].reduce((one, two) => (agreed(two) > agreed(one) ? two : one));
  const all = counts.flat().reduce((sum, count) => sum + count, 0);
  await scores.getByText(`Approve from ${best}`, { exact: true }).waitFor();
  await page.getByText(`best score to approve from, ${percent(agreed(best), all)} agree`).waitFor();
  await scores.getByRole("button", { name: "Show as table" }).click();
  const cells = await scores.getByRole("row", { name: /^60 to 69/ }).getByRole("cell").allInnerTexts();
  assert.deepEqual(cells.slice(1).map(Number), counts[6]);
});

test("each chart is saved as a picture", async (t) => {
  const { page } = await open(t);
  // Before the first decision in this browser, a sentence says what will be there.
  await card(page, "Your decisions").getByText(/^Once you approve and reject leads in this browser/).waitFor();
  assert.equal(await card(page, /^Your decisions /).count(), 0);
  const area = (name) => page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name });
  await area("Leads").click();
  const leads = new LeadsPage(page);
  await leads.settled();
  await leads.decide(leads.rows.first(), "Approve");
  await area("Insights").click();
  await card(page, "Score and decision").getByRole("img").waitFor();
  const expected = {
    "what-gets-approved.svg": [/^What gets approved/, /What gets approved[^]*ICP tier/],
    "score-and-decision.svg": ["Score and decision", /Approve from \d0/],
    "decisions-today.svg": [/today, by hour/, /<rect/],
    "decisions-a-day.svg": [/last two weeks/, /<rect/],
  };
  const picture = await page.context().newPage();
  for (const [file, [name, content]] of Object.entries(expected)) {
    const saved = page.waitForEvent("download");
    await card(page, name).getByRole("button", { name: "Save picture" }).click();
    const download = await saved;
    assert.equal(download.suggestedFilename(), file);
    const svg = await readFile(await download.path(), "utf8");
    assert.match(svg, content);
    // As an image, which needs well-formed XML.
    await picture.goto(`data:image/svg+xml,${encodeURIComponent(svg)}`);
    assert.deepEqual(await picture.evaluate(() => [document.documentElement.nodeName, document.querySelector("parsererror")]), ["svg", null]);
  }
});

test("a server without counts by value shows the totals, and says so", async (t) => {
  const answer = (route) => route.fulfill({ status: 405, json: { detail: "POST is not allowed" } });
  const { page, total } = await open(t, { demo: 60, answer, expected: [/405/] });
  await page.getByRole("heading", { name: "This server cannot count decisions by value" }).waitFor();
  const [yes, no] = [await total([approved]), await total([rejected])];
  await page.getByText(`approved of ${yes + no} decided`).waitFor();
  await card(page, "Score and decision").waitFor({ state: "detached" });
});

test("a failure has a Retry, and a view without decisions says so", async (t) => {
  let failing = true;
  const answer = (route) => (failing ? route.fulfill({ status: 400, json: { detail: "no" } }) : route.fallback());
  const { page } = await open(t, { demo: 60, answer, path: "/insights?q=zzzz", expected: [/400/] });
  await page.getByRole("alert").waitFor();
  failing = false;
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("heading", { name: "No decisions in this view yet" }).waitFor();
  await page.getByRole("link", { name: "Review leads" }).click();
  await page.waitForURL(/\/leads\?q=zzzz/);
});

test("a failed recount after someone else's decision changes nothing, and the next decision is counted", async (t) => {
  let failing = false;
  const answer = (route) => (failing ? route.fulfill({ status: 404, json: { detail: "no" } }) : route.fallback());
  const { service, page, total } = await open(t, { demo: 300, answer, expected: [/404/] });
  await isLive(page);
  await card(page, "Score and decision").getByRole("img").waitFor();
  const decided = (await total([approved])) + (await total([rejected]));
  await page.getByText(`approved of ${decided} decided`).waitFor();
  const { body } = await service.call("POST", "/api/leads/query", {
    filters: [isIn("approval_status", "pending_approval")],
    page_size: 2,
  });
  const [one, other] = body.data.map((lead) => lead.lead_id);
  const shown = await page.getByRole("main").evaluateHandle((main) => {
    const texts = [];
    new MutationObserver(() => texts.push(main.innerText)).observe(main, { subtree: true, childList: true, characterData: true });
    return texts;
  });
  failing = true;
  let failed = 0;
  page.on("response", (response) => (failed += Number(response.status() === 404)));
  await decideAsOther(service, one, "approved");
  await expectEventually("a failure for each status", () => failed >= 4);
  failing = false;
  await decideAsOther(service, other, "approved");
  await page.getByText(`approved of ${decided + 2} decided`).waitFor();
  await card(page, "Score and decision").getByRole("img").waitFor();
  for (const text of await shown.jsonValue()) assert.doesNotMatch(text, /Retry|Counting the decisions by score/);
});

test("decisions are counted by day in this browser, an undo takes them back, and signing out forgets them", async (t) => {
  const { page, counted } = await open(t, { demo: 300, path: "/leads" });
  const leads = new LeadsPage(page);
  await leads.settled();
  await leads.grid.focus();
  for (const key of "jaara") await page.keyboard.press(key);
  await page.keyboard.press("u");
  const log = () => page.evaluate(() => Object.entries(localStorage).find(([name]) => name.startsWith("lead-workspace.pace "))?.[1]);
  const decided = async () => Number(/^\d+;\d+,(\d+)/.exec((await log()) ?? "")?.[1]);
  await expectEventually("three decisions", async () => (await decided()) === 3);
  // In focus mode, with those before it.
  await page.keyboard.press("o");
  await page.locator(".pace").getByText("3 today").waitFor();
  await page.keyboard.press("a");
  await page.locator(".pace").getByText("4 today").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: "Insights" }).click();
  const days = card(page, /last two weeks/);
  await days.getByText("4 decisions today.").waitFor();
  await days.getByRole("button", { name: "Show as table" }).click();
  assert.match(await days.getByRole("row").last().innerText(), /\t4$/);
  await page.getByText(/your pace today, \d+ s a lead/).waitFor();
  await card(page, "Score and decision").waitFor();
  for (const body of counted) assert.doesNotMatch(JSON.stringify(body), /pace/);
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command" }).fill("sign out");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "Sign out" }).getByRole("button", { name: "Sign out" }).click();
  await expectEventually("no log", async () => (await log()) === undefined);
});

for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
  test(`nothing moves when the numbers arrive, ${name}`, async (t) => {
    let release;
    const held = new Promise((resolve) => (release = resolve));
    const answer = async (route) => {
      await held;
      await route.fallback();
    };
    const { page } = await open(t, { answer, viewport });
    await page.locator(".differences").waitFor();
    const tops = () => page.evaluate(() => [".figure:last-child", ".insights-charts"].map((one) => {
      const box = document.querySelector(one).getBoundingClientRect();
      return Math.round(box.top);
    }));
    const before = await tops();
    release();
    await bars(page).first().waitFor();
    await card(page, "Score and decision").getByRole("img").waitFor();
    assert.deepEqual(await tops(), before);
  });
}
