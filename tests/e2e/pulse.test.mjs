// The pulse panel: any server response as text, bars and tables.

import assert from "node:assert/strict";
import { after, test } from "node:test";

import { closeBrowser } from "./support/browser.mjs";
import { PULSES, stage, whole } from "./support/pulse.mjs";
import { Stage } from "./support/stage.mjs";
import { expectEventually } from "./support/wait.mjs";

after(closeBrowser);

test("the pulse shows the counts of the service", async (t) => {
  const { service, page, id, name, pulse } = await stage(t);
  await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
  await pulse.settled();
  const { body } = await service.call("GET", `/api/accounts/${id}/pulse`);
  const funnel = await pulse.chart("Funnel").getAttribute("aria-label");
  assert.ok(funnel.startsWith(`Funnel: Leads ${body.total_leads}, In conversation ${body.leads_with_conversations}`), funnel);
  const [most] = Object.values(body.classification_counts).sort((a, b) => b - a);
  assert.match(await pulse.chart("Replies by class").getAttribute("aria-label"), new RegExp(` ${most}[,.]`));
  for (const { campaign_name } of body.campaigns.slice(0, 5)) {
    await pulse.part("Campaigns").getByText(campaign_name, { exact: true }).waitFor();
  }
  // The leads of a campaign are shown by name, whichever request the name comes from.
  await pulse.part("Campaigns").locator("summary").first().click();
  const first = pulse.part("Campaigns").getByRole("link").first();
  await first.waitFor();
  const campaign = body.campaigns[0].campaign_id;
  const [lead] = Object.entries(body.lead_campaigns).find(([, of]) => of.includes(campaign));
  const lead_name = (await service.call("GET", `/api/leads/${lead}`)).body.name;
  await pulse.part("Campaigns").getByRole("link", { name: lead_name, exact: true }).first().waitFor();

  // The best signal links to its lead, and Back returns to the pulse.
  await pulse.part("Best signal").getByRole("link").click();
  await page.getByRole("complementary", { name: "Lead details" }).getByRole("heading", { level: 2, name: body.best_signal.lead_name }).waitFor();
  const address = new URL(page.url());
  assert.deepEqual([address.pathname, address.searchParams.get("lead")], ["/leads", body.best_signal.lead_id]);
  await page.goBack();
  await pulse.settled();
});

test("accounts of the same industry and size with the nearest scores are linked", async (t) => {
  const { service, page, open, pulse } = await stage(t, { path: "/leads" });
  const { body } = await service.call("POST", "/api/accounts/query", { sort_by: "icp_score", page_size: 100 });
  const alike = (one) =>
    body.data.filter((other) =>
      other.id !== one.id && other.industry === one.industry && other.staff_count_range === one.staff_count_range
      && Math.abs(other.icp_score - one.icp_score) <= 10);
  const own = body.data.find((account) => alike(account).length > 1 && account.icp_score < 95 && account.icp_score > body.data.at(-1).icp_score + 10);
  const distance = (other) => Math.abs(other.icp_score - own.icp_score);
  const wanted = alike(own).sort((one, other) => distance(one) - distance(other)).slice(0, 5);
  const distances = async () => {
    const names = await pulse.similar.getByRole("link").allTextContents();
    return names.map((name) => alike(own).filter((other) => other.name === name).map(distance).sort()[0]);
  };
  for (const path of ["/portfolio", "/accounts"]) {
    await open(`${path}?account=${own.id}`);
    await pulse.similar.getByRole("link").first().waitFor();
    assert.deepEqual(await distances(), wanted.map(distance));
    const link = pulse.similar.getByRole("link").first();
    const name = await link.textContent();
    await link.click();
    await page.getByRole("heading", { level: 2, name, exact: true }).waitFor();
    const address = new URL(page.url());
    assert.deepEqual([address.pathname, address.searchParams.getAll("account").length], [path, 1]);
  }
});

test("text, bars and tables show the same data, and markup in it is escaped", async (t) => {
  const { page, pulse } = await stage(t, { json: whole });
  await pulse.settled();
  assert.equal(
    await pulse.chart("Funnel").getAttribute("aria-label"),
    "Funnel: Leads 1,240, In conversation 310 (25% of leads), Replied 93 (30% of conversations).",
  );
  assert.equal(
    await pulse.chart("Replies by class").getAttribute("aria-label"),
    "Replies by class: Interested 41, Not interested 29, Question 20, __proto__x 3, Out of office 2, A 1, and 2 more in the table.",
  );
  const lengths = await pulse.chart("Replies by class").locator("rect.long").evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute("width"))));
  assert.deepEqual(lengths, [1000, 707, 487, 73, 48, 24]);
  const text = await pulse.panel.innerText();
  for (const part of ["1,240", "310", "93", "25% of leads", "30% of conversations", "Interested", "__proto__x", "Nordic ports", "2 leads", "Bo Lind", "Ada <img"]) {
    assert.ok(text.includes(part), part);
  }
  assert.equal(await page.evaluate(() => globalThis.hurt), undefined);
  assert.equal(
    await pulse.chart("Conversations by campaign").getAttribute("aria-label"),
    "Conversations by campaign: Nordic ports 2, Berth planning 1.",
  );
  assert.equal(await pulse.chart("Conversations by campaign").locator(".mark").count(), 3);
  // A single line, without a frame.
  const campaign = await pulse.part("Campaigns").locator("summary").first().boundingBox();
  assert.ok(campaign.height < 40, `a campaign is ${campaign.height} px high`);

  const more = pulse.panel.getByRole("button", { name: "Show all 8 classes" });
  await more.click();
  await pulse.chart("Replies by class").locator("rect.long").nth(7).waitFor();

  // Switches to the tables and back by keyboard.
  await pulse.table.focus();
  await page.keyboard.press("Enter");
  assert.equal(await pulse.table.getAttribute("aria-pressed"), "true");
  const rows = (name) => pulse.panel.getByRole("table", { name, exact: true }).locator("tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  assert.deepEqual(await rows("Funnel"), [
    ["Step", "Leads", "vs. previous step", "Of all leads"],
    ["Leads", "1,240", "–", "100%"],
    ["In conversation", "310", "25%", "25%"],
    ["Replied", "93", "30%", "8%"],
  ]);
  assert.deepEqual(await rows("Conversations by campaign"), [
    ["Campaign", "Conversations", "First", "Latest"],
    ["Nordic ports", "2", "1 Apr 2025", "1 May 2025"],
    ["Berth planning", "1", "1 Apr 2025", "1 Apr 2025"],
  ]);
  const classes = await rows("Replies by class");
  assert.deepEqual([classes.length, classes[1], classes[4]], [9, ["Interested", "41"], ["__proto__x", "3"]]);
  assert.equal(await pulse.chart("Funnel").count(), 0);
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Show as table");
  await page.keyboard.press("Enter");
  await pulse.chart("Funnel").waitFor();
});

test("empty, partial, invalid and huge pulses are shown", async (t) => {
  const { service, page, id, pulse } = await stage(t, { json: {} });
  const screen = new Stage(page, service);
  const shown = async () => {
    await pulse.settled();
    await pulse.panel.getByRole("heading").nth(1).waitFor();
  };
  const show = async (json) => {
    await page.unrouteAll();
    await page.route(PULSES, (route) => route.fulfill({ contentType: "application/json", body: JSON.stringify(json) }));
    await screen.visit(`/portfolio?account=${encodeURIComponent(id)}`);
    await shown();
  };
  await shown();
  await pulse.panel.getByText("No data yet").waitFor();
  assert.equal(await pulse.table.count(), 0);
  await show({ total_leads: 0, leads_with_conversations: 0, leads_replied: 0, classification_counts: {}, best_signal: null, campaigns: [], chats: [], lead_campaigns: {} });
  await pulse.panel.getByText("No leads yet").waitFor();
  await show({ total_leads: 7, leads_with_conversations: 0, leads_replied: 0 });
  await pulse.panel.getByText("No conversations yet").waitFor();
  assert.equal(await pulse.chart("Funnel").getAttribute("aria-label"), "Funnel: Leads 7, In conversation 0 (0% of leads), Replied 0.");

  await show({ total_leads: 2, leads_with_conversations: 5, classification_counts: { odd: 1, none: null, part: 0.5 }, campaigns: ["bare", 7, null], chats: [null, {}, { lead_name: "Cy", last_message_at: "never" }], best_signal: { lead_name: "Nobody's lead" } });
  await pulse.panel.getByText("These counts are inconsistent").waitFor();
  assert.equal(await pulse.chart("Funnel").getAttribute("aria-label"), "Funnel: Leads 2, In conversation 5, Replied unknown.");
  assert.equal(await pulse.chart("Replies by class").getAttribute("aria-label"), "Replies by class: Odd 1.");
  const unread = pulse.part("Replies").getByText("2 of 3 classes could not be read: their counts are not whole numbers.");
  await unread.waitFor();
  await pulse.table.click();
  await pulse.panel.getByRole("table", { name: "Replies by class" }).waitFor();
  await unread.waitFor();
  await pulse.table.click();
  assert.equal(await pulse.part("Best signal").getByRole("link").count(), 0, "no lead to open");
  await pulse.part("Recent conversations").getByText("never").waitFor();

  await show({ total_leads: 4, classification_counts: { only: null } });
  await pulse.part("Replies").getByText("1 of 1 class could not be read: its count is not a whole number.").waitFor();

  const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));
  const classification_counts = Object.fromEntries([...many(199, (n) => [`class_${n}`, n]), ["__proto__", 9_007_199_254_740_991]]);
  await show({
    total_leads: 9_007_199_254_740_991, leads_with_conversations: 1, leads_replied: 1, classification_counts,
    campaigns: many(300, (n) => ({ campaign_id: `c${n}`, campaign_name: `Campaign ${n} ${"long ".repeat(40)}`, lead_count: n })),
    chats: many(500, (n) => ({ chat_id: `h${n}`, lead_id: `l${n}`, lead_name: `${"W".repeat(120)} ${n}` })),
    lead_campaigns: Object.fromEntries(many(2_000, (n) => [`l${n}`, ["c299"]])),
  });
  assert.ok((await pulse.panel.locator("*").count()) < 300, "drawn in steps");
  assert.match(await pulse.chart("Funnel").getAttribute("aria-label"), /In conversation 1 \(<1% of leads\)/);
  assert.match(await pulse.chart("Replies by class").getAttribute("aria-label"), /^Replies by class: __proto__ 9,007,199,254,740,991, Class 198 198, /);
  await pulse.panel.getByRole("button", { name: "Show all 200 classes" }).click();
  assert.match(await pulse.chart("Replies by class").getAttribute("aria-label"), /and 188 more in the table\.$/);
  const sideways = await page.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth);
  assert.equal(sideways, 0, "nothing scrolls sideways");
});

test("a pulse that fails to load shows an error, and Retry requests it again", async (t) => {
  const { page, pulse, id } = await stage(t, { expected: [/404/, /500/], path: "/portfolio?account=nobody" });
  const alert = pulse.panel.getByRole("alert");
  await alert.getByText("Not found").waitFor();
  await page.route(PULSES, (route) => route.fulfill({ status: 200, json: whole }));
  await alert.getByRole("button", { name: "Retry" }).click();
  await pulse.chart("Funnel").waitFor();
  assert.equal(await alert.count(), 0);
  assert.ok(id);
});

test("a pulse that was refused with the old key is requested again with the new one", async (t) => {
  const { service, page, pulse, open, id } = await stage(t, { expected: [/401/], path: "/leads" });
  const refuse = (route) => route.fulfill({ status: 401, json: { detail: "no such key" } });
  await page.route(PULSES, refuse);
  await open(`/accounts?account=${encodeURIComponent(id)}`);
  const dialog = page.getByRole("dialog", { name: "Workspace key" });
  await dialog.getByText("rejected the key").waitFor();
  await page.unroute(PULSES, refuse);
  await dialog.getByRole("textbox").fill(service.key);
  await page.keyboard.press("Enter");
  await pulse.chart("Funnel").waitFor();
  assert.equal(await pulse.panel.getByRole("alert").count(), 0);
});

test("the request of a closed pulse is aborted", async (t) => {
  const { page, pulse } = await stage(t);
  await pulse.settled();
  let given_up = 0;
  page.on("requestfailed", (request) => (given_up += Number(PULSES.test(new URL(request.url()).pathname))));
  const held = [];
  await page.route(PULSES, (route) => held.push(route));
  await page.reload();
  await expectEventually("the request", () => held.length === 1);
  assert.equal(await pulse.panel.getAttribute("aria-busy"), "true");
  await page.getByRole("navigation", { name: "Areas" }).getByRole("link", { name: "Leads" }).click();
  await expectEventually("the request to be aborted", () => given_up === 1);
});
