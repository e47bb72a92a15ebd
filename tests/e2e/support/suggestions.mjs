// Suggestions: switching them on, deciding by a rule, and decisions as the browser stores them.

import { openSettings } from "./menu.mjs";
import { allSaved, expectEventually } from "./wait.mjs";

export const SWITCH = "Learn from my decisions in this browser";

// The slots of the browser's storage with what suggestions learned.
export const slots = (page) =>
  page.evaluate(() => Object.keys(localStorage).filter((slot) => slot.startsWith("lead-workspace.suggestions ")));

export const stored = (page) => page.evaluate(() => localStorage.getItem("lead-workspace.suggestions decisions "));

// Returns the number of stored decisions.
export async function storedDecisions(page) {
  const text = await stored(page);
  return text ? JSON.parse(text)[2].length : 0;
}

// Opens the settings, and switches suggestions on or off.
export async function switchSuggestions(page, on) {
  await openSettings(page);
  await page.getByRole("checkbox", { name: SWITCH }).setChecked(on);
}

export async function backToLeads(page, leads) {
  await page.getByRole("link", { name: "Leads", exact: true }).click();
  await leads.settled();
}

// Returns the pending leads in the order of the list.
export async function pendingLeads(service, count) {
  const leads = [];
  for (let page = 1; leads.length < count; page += 1) {
    const query = {
      page,
      page_size: 100,
      filters: [{ field: "approval_status", operator: "eq", value: "pending_approval" }],
    };
    const { body } = await service.call("POST", "/api/leads/query", query);
    leads.push(...body.data);
    if (!body.has_more) break;
  }
  return leads.slice(0, count);
}

const industry = (lead) => lead.current_account?.industry ?? "";

// Returns about half of the industries of these leads.
export function halfOfTheIndustries(leads) {
  const counts = new Map();
  for (const lead of leads) counts.set(industry(lead), (counts.get(industry(lead)) ?? 0) + 1);
  const wanted = new Set();
  let size = 0;
  for (const [name, count] of [...counts].sort((a, b) => b[1] - a[1])) {
    if (size + count > leads.length * 0.6) continue;
    wanted.add(name);
    size += count;
  }
  return (lead) => wanted.has(industry(lead));
}

// Decides on the first leads of the list by keys.
export async function decideByRule(page, leads, count, approves) {
  await leads.grid.focus();
  await page.keyboard.press("j");
  const cursor = leads.grid.locator('[role="row"][data-cursor="true"]');
  let before;
  for (let done = 0; done < count; done += 1) {
    // The next row may still be loading.
    const id = await expectEventually("the next lead", async () => {
      const id = await cursor.getAttribute("data-lead-id");
      return id !== before && id;
    });
    await page.keyboard.press(approves(id) ? "a" : "r");
    before = id;
  }
  await allSaved(page);
}

// Decides on these leads, and stores the decisions as if they were made in this browser. Their only fact is the industry.
export async function decideEarlier(service, page, leads, approves) {
  for (const status of ["approved", "rejected"]) {
    const ids = leads.filter((lead) => approves(lead) === (status === "approved")).map((lead) => lead.lead_id);
    for (let from = 0; from < ids.length; from += 100) {
      await service.call("PATCH", "/api/leads", { lead_ids: ids.slice(from, from + 100), approval_status: status });
    }
  }
  const industries = [...new Set(leads.map(industry))];
  const rows = leads.map((lead, at) => [lead.lead_id, approves(lead) ? 1 : 0, at, 41 + industries.indexOf(industry(lead))]);
  const text = JSON.stringify([1, industries.map((name) => `i${name}`), rows]);
  await page.evaluate((text) => {
    localStorage.setItem("lead-workspace.suggestions on ", "1");
    localStorage.setItem("lead-workspace.suggestions decisions ", text);
  }, text);
}
