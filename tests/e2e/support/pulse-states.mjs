// Every state of an account's pulse, in the account details and on its own page, by name, with the steps to reach it.

import { PulsePanel, PULSES, whole } from "./pulse.mjs";

const many = (count, make) => Array.from({ length: count }, (_, n) => make(n));

// Unrealistically large numbers and lists, and names longer than any line.
const huge = {
  total_leads: 9_007_199_254_740_991,
  leads_with_conversations: 12_345_678,
  leads_replied: 1,
  classification_counts: Object.fromEntries(many(200, (n) => [`class_${n}${"x".repeat(90)}`, n * n])),
  best_signal: { lead_id: "l1", lead_name: "W".repeat(300), classification: "y".repeat(90), campaign_name: "z".repeat(300) },
  campaigns: many(300, (n) => ({ campaign_id: `c${n}`, campaign_name: `Campaign ${n} ${"long ".repeat(40)}`, lead_count: n })),
  chats: many(500, (n) => ({ chat_id: `h${n}`, lead_id: `l${n}`, lead_name: `${"W".repeat(120)} ${n}`, classification: "interested" })),
  lead_campaigns: Object.fromEntries(many(2_000, (n) => [`l${n}`, ["c299"]])),
};

// Counts that contradict each other, and invalid ones.
const odd = {
  total_leads: 2,
  leads_with_conversations: 5,
  classification_counts: { interested: 2, question: null, referral: 0.5 },
  best_signal: { lead_name: "Nobody's lead" },
  campaigns: ["bare", 7, null],
  chats: [null, {}, { lead_name: "Cy", last_message_at: "never" }],
};

const PLACES = {
  "in details": (id) => `/accounts?account=${encodeURIComponent(id)}`,
  "on its own": (id) => `/portfolio?account=${encodeURIComponent(id)}`,
};

async function account(service) {
  const { body } = await service.call("POST", "/api/accounts/query", { sort_by: "lead_count", page_size: 1 });
  return body.data[0].id;
}

// Each state: the server's response, or null for none, and then the user's action.
const STATES = {
  whole: [{ json: whole }, (pulse) => pulse.part("Campaigns").locator("summary").first().click()],
  "as a table": [{ json: whole }, (pulse) => pulse.table.click()],
  empty: [{ json: {} }],
  silent: [{ json: { total_leads: 3, leads_with_conversations: 0, campaigns: whole.campaigns } }],
  odd: [{ json: odd }],
  huge: [{ json: huge }, (pulse) => pulse.panel.getByRole("button", { name: "Show all 200 classes" }).click()],
  failed: [{ status: 500, json: { detail: "out of order" } }],
  gone: [{ status: 404, json: { detail: "no such account" } }],
  "loading": [null],
};

const said = {
  failed: "The service failed",
  gone: "Not found",
};

async function enter(stage, place, name) {
  const [answer, act] = STATES[name];
  const { page, service } = stage;
  // Without a response, the request stays pending until the page is left.
  await page.route(PULSES, (route) => answer && route.fulfill(answer));
  await stage.visit(PLACES[place](await account(service)));
  const pulse = new PulsePanel(page);
  if (!answer) {
    await pulse.panel.and(page.locator('[aria-busy="true"]')).waitFor();
    return;
  }
  await pulse.settled();
  await pulse.panel.getByText(said[name] ?? /./).first().waitFor();
  await act?.(pulse);
}

// The panel is the same in both places: on its own page, only the states that fill the page differently.
const ON_ITS_OWN = ["whole", "as a table", "empty", "huge", "failed"];

export const PULSE_STATES = {};
for (const place of Object.keys(PLACES)) {
  for (const name of place === "on its own" ? ON_ITS_OWN : Object.keys(STATES)) {
    PULSE_STATES[`pulse ${place}, ${name}`] = (stage) => enter(stage, place, name);
  }
}

// States without user action, in which nothing has the focus.
export const PULSE_UNTOUCHED = Object.keys(PULSE_STATES).filter((name) => !STATES[name.split(", ")[1]][1]);
