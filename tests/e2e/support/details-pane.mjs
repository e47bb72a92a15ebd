// Page object of the lead details.

import { openPage } from "./browser.mjs";
import { LeadsPage } from "./leads.mjs";
import { Service } from "./service.mjs";
import { expectEventually } from "./wait.mjs";

export class DetailsPane {
  constructor(page) {
    this.page = page;
    this.panel = page.getByRole("complementary", { name: "Lead details" });
    this.heading = this.panel.getByRole("heading", { level: 2 });
  }

  button(name) {
    return this.panel.getByRole("button", { name, exact: true });
  }

  // The status in the header.
  status(word) {
    return this.panel.locator(".top").getByText(word, { exact: true });
  }

  section(name) {
    return this.panel.locator("section").filter({
      has: this.page.getByRole("heading", { level: 3, name, exact: true }),
    });
  }

  // Opens a collapsed part.
  async expand(label) {
    await this.panel.locator("details:not([open]) > summary").getByText(label, { exact: true }).first().click();
  }

  // Waits until the details of the lead with this name are shown and no request is pending.
  async shows(name) {
    await expectEventually(`the details of ${name}`, async () => {
      const busy = await this.panel.getAttribute("aria-busy", { timeout: 1_000 });
      return busy === "false" && (await this.heading.innerText({ timeout: 1_000 })) === name;
    });
  }

  async closed() {
    await this.panel.waitFor({ state: "detached" });
  }

  // Returns the id of the lead in the URL.
  openId() {
    return new URL(this.page.url()).searchParams.get("lead");
  }
}

// Starts a service with demo leads and opens the leads page. Returns the ids of the first rows, too.
export async function stage(t, options) {
  const service = await Service.start(t, { demo: 120 });
  const page = await openPage(t, options);
  const leads = await LeadsPage.open(page, service.url);
  return { service, page, leads, pane: new DetailsPane(page), ids: await leads.ids() };
}

// Returns the service's name of a lead.
export const nameOf = async (service, id) =>
  (await service.call("GET", `/api/leads/${encodeURIComponent(id)}`)).body.name;

// The URL pattern of one lead's details, for `page.route` and `page.unroute`.
export const isDetail = (id) => `**/api/leads/${encodeURIComponent(id)}`;

// Opens a row's details by a click on its title.
export const click = (leads, id) => leads.row(id).getByRole("gridcell").nth(2).click();

// Answers with these details, which `wholeLead` made, and with the account of their company.
export async function answerLead(page, id, lead = wholeLead(id)) {
  await page.route(isDetail(id), (route) => route.fulfill({ json: lead }));
  const { account_id: account, name } = lead.current_account;
  const leads = [{ lead_id: id, name: lead.name, approval_status: lead.approval_status }];
  await page.route(`**/api/accounts/${account}?*`, (route) => route.fulfill({ json: { id: account, name, leads } }));
}

// A lead with every field set, including texts with markup injection.
export function wholeLead(id) {
  const evil = `<img src=x onerror="globalThis.hurt=1">`;
  return {
    id,
    provider_id: "provider-77",
    name: `Ada ${evil} Novak`,
    headline: "Ports, mostly",
    profile_url: "https://network.example/in/ada",
    profile_picture_url: "javascript:globalThis.hurt=1",
    background_image_url: "https://network.example/back.png",
    is_premium: true,
    profile_data: {
      title: "VP Operations",
      location: "Bergen, Norway",
      connections_count: 1812,
      follower_count: 64,
      skills: ["Forecasting", "Berth planning"],
      experience: [{ company: "Halvorsen Marine", since: 2021 }],
      [evil]: evil,
    },
    custom_data: {
      email: "ada@example.com",
      site: "https://ada.example/",
      trap: "javascript:globalThis.hurt=1",
      last_call: "2025-03-04T10:20:00Z",
      large: 12345678901234567000,
      nested: { deeper: { deepest: { end: "the end of it" } } },
    },
    current_account: {
      account_id: "account-5",
      name: "Halvorsen Marine",
      logo_url: "data:text/html,x",
      network_url: "https://network.example/company/halvorsen",
      network_username: "halvorsen-marine",
      industry: "Maritime logistics",
      staff_count_range: "201-500",
      title: "Head of Operations",
      tagline: "We move ships",
      founded_year: 1987,
      description: "Long words. ".repeat(80) + "The last of them.",
      location: "Oslo, Norway",
    },
    approval_status: "pending_approval",
    list_scores: [
      { list_id: "list-2", list_name: "Q4 targets", icp_score: 44, icp_tier: "D", icp_reasoning: "Said otherwise." },
      {
        list_id: "list-1",
        list_name: "Nordic operators",
        icp_score: 91.4,
        icp_tier: "A",
        icp_reasoning: `Industry 25/25: ${evil} is a target industry; Intent 4/10: job change 19 days ago`,
        scored_at: new Date(Date.now() - 3 * 86_400_000).toISOString(),
      },
    ],
    lead_lists: [
      { lead_list_id: "list-1", lead_list_name: "Nordic operators", lead_list_item_id: "item-1", added_at: "2025-01-01T00:00:00Z" },
    ],
    campaigns: [
      {
        campaign_lead_id: "place-9",
        campaign_id: "campaign-3",
        campaign_name: "Port automation",
        campaign_status: "active",
        lead_status: "in_progress",
        connection_accepted: true,
        message_replied: false,
        assigned_sender_name: "Bo Sender",
        created_at: "2025-02-01T00:00:00Z",
      },
    ],
    intents: [
      { id: "sign-1", event_type: "hiring", event_data: { summary: "Six open roles", open_roles: 6 }, created_at: "2025-01-05T00:00:00Z", signal_id: "signal-4", signal_run_id: "run-4", lead_list_id: "list-1" },
      { id: "sign-2", event_type: "job_change", event_data: { summary: "Started as VP Operations" }, created_at: new Date(Date.now() - 19 * 86_400_000).toISOString() },
      "an_odd_one",
    ],
    nurture: { tracker_profile_id: "tracker-8", like_mode: "every_post", is_active: true, created_at: "2025-03-03T00:00:00Z" },
    chat_id: "chat-6",
  };
}
