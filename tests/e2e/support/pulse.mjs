// Page object of an account's pulse.

import { openPage } from "./browser.mjs";
import { Service } from "./service.mjs";

export const PULSES = /\/api\/accounts\/[^/]+\/pulse$/;

export class PulsePanel {
  constructor(page) {
    this.page = page;
    this.panel = page.getByRole("region", { name: "Pulse", exact: true });
    this.table = this.panel.getByRole("button", { name: "Show as table" });
  }

  chart(what) {
    return this.panel.getByRole("img", { name: new RegExp(`^${what}: `) });
  }

  part(title) {
    return this.panel.locator("section").filter({
      has: this.page.getByRole("heading", { level: 4, name: title, exact: true }),
    });
  }

  get similar() {
    return this.panel.locator(".similar").filter({
      has: this.page.getByRole("heading", { level: 3, name: "Accounts most like it", exact: true }),
    });
  }

  async settled() {
    await this.panel.and(this.page.locator('[aria-busy="false"]')).waitFor();
  }
}

// Starts a service with demo leads and opens the account with the most leads.
export async function stage(t, { json, path, ...options } = {}) {
  const service = await Service.start(t, { demo: 600 });
  const page = await openPage(t, options);
  const query = { sort_by: "lead_count", page_size: 20 };
  const { body } = await service.call("POST", "/api/accounts/query", query);
  const { id, name } = body.data[0];
  if (json) await page.route(PULSES, (route) => route.fulfill({ json }));
  const { origin, hash } = new URL(service.url);
  const open = (to) => page.goto(`${origin}${to}${hash}`);
  await open(path ?? `/portfolio?account=${encodeURIComponent(id)}`);
  return { service, page, open, id, name, accounts: body.data, pulse: new PulsePanel(page) };
}

// A pulse with every field set, including names with markup injection.
export const whole = {
  total_leads: 1240,
  leads_with_conversations: 310,
  leads_replied: 93,
  classification_counts: { interested: 41, question: 20, __proto__x: 3, not_interested: 29, out_of_office: 2, a: 1, b: 1, c: 1 },
  best_signal: {
    lead_id: "lead-1",
    lead_name: `Ada <img src=x onerror="globalThis.hurt=1">`,
    classification: "interested",
    campaign_name: "Nordic ports",
  },
  campaigns: [
    { campaign_id: "c1", campaign_name: "Nordic ports", lead_count: 2 },
    { campaign_id: "c2", campaign_name: "Berth planning", lead_count: 1 },
  ],
  chats: [
    { chat_id: "h1", lead_id: "lead-1", lead_name: "Ada Novak", classification: "interested", last_message_at: "2025-05-01T10:00:00Z" },
    { chat_id: "h2", lead_id: "lead-2", lead_name: "Bo Lind", classification: "not_interested", last_message_at: "2025-04-01T10:00:00Z" },
  ],
  lead_campaigns: { "lead-1": ["c1"], "lead-2": ["c1", "c2"] },
};
