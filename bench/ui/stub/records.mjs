// A lead as the API returns it: as an item of a list, and as a detail.

import { chosen, leadId, tier } from "./leads.mjs";
import { CAMPAIGNS, INTENTS, LISTS, PLACES, SIZES, STATUSES, slug } from "./words.mjs";

const HOUR_MS = 3_600_000;

export function item(leads, number) {
  const company = leads.companyOf(number);
  const name = leads.name[number];
  const place = PLACES[leads.place[number]];
  const person = `${slug(name)}-${number}`;
  return {
    lead_id: leadId(number),
    provider_id: `prov-${number * 31}`,
    name,
    headline: `${leads.title[number]} at ${company.name}`,
    profile_url: `https://network.example/in/${person}`,
    profile_picture_url: `https://img.example/face/${person}.jpg`,
    profile_data: profile(leads, number),
    custom_data: {
      owner: `rep-${number % 9}`,
      segment: SIZES.indexOf(company.size) > 4 ? "enterprise" : "mid-market",
      note: number % 5 === 0 ? "Met at the spring meetup." : "",
    },
    current_account: { ...account(company), title: leads.title[number] },
    list_scores: scores(leads, number),
    intent: intent(leads, number),
    import_job_id: `job-${number % 53}`,
    approval_status: STATUSES[leads.status[number]],
    created_at: timestamp(leads.created[number]),
    chat_id: number % 4 === 0 ? `chat-${number}` : null,
    resolved_timezone: place.zone,
    timezone_label: place.zone.split("/")[1].replace("_", " "),
    lists: listsOf(leads, number).map((list) => ({ ...list, item_id: `item-${number}-${list.list_id}` })),
    campaigns: chosen(leads.campaigns[number], CAMPAIGNS),
  };
}

export function detail(leads, number) {
  const { lead_id: id, lists, campaigns, intent, ...lead } = item(leads, number);
  return {
    id,
    provider_id: lead.provider_id,
    name: lead.name,
    headline: lead.headline,
    profile_url: lead.profile_url,
    profile_picture_url: lead.profile_picture_url,
    background_image_url: `https://img.example/bg/${number % 16}.jpg`,
    is_premium: leads.premium[number] === 1,
    profile_data: lead.profile_data,
    custom_data: lead.custom_data,
    current_account: lead.current_account,
    approval_status: lead.approval_status,
    list_scores: lead.list_scores,
    lead_lists: lists.map((list) => ({
      lead_list_id: list.list_id,
      lead_list_name: list.list_name,
      lead_list_item_id: list.item_id,
      added_at: lead.created_at,
    })),
    campaigns: campaigns.map((campaign) => ({
      campaign_lead_id: `cl-${number}`,
      campaign_id: campaign.campaign_id,
      campaign_name: campaign.campaign_name,
      campaign_status: "active",
      lead_status: "in_progress",
      connection_accepted: number % 3 === 0,
      message_replied: number % 7 === 0,
      assigned_sender_name: "Sam Sender",
      created_at: lead.created_at,
    })),
    intents: [intent],
    nurture: {
      tracker_profile_id: `trk-${number}`,
      like_mode: "auto",
      is_active: number % 2 === 0,
      created_at: lead.created_at,
    },
    chat_id: lead.chat_id,
  };
}

function profile(leads, number) {
  const [first, last] = leads.name[number].split(" ");
  return {
    first_name: first,
    last_name: last,
    location: PLACES[leads.place[number]].name,
    connections_count: leads.connections[number],
    follower_count: leads.connections[number] * 3 + 17,
    is_premium: leads.premium[number] === 1,
    languages: ["en"],
  };
}

function account(company) {
  return {
    account_id: company.id,
    name: company.name,
    logo_url: `https://img.example/logo/${company.slug}.png`,
    network_url: `https://network.example/company/${company.slug}`,
    network_username: company.slug,
    industry: company.industry,
    staff_count_range: company.size,
    tagline: `${company.industry} that ships`,
    founded_year: company.founded,
    description: `${company.name} serves ${company.industry.toLowerCase()} customers.`,
    location: company.place,
  };
}

function scores(leads, number) {
  return listsOf(leads, number).map((list, at) => {
    const score = Math.max(0, leads.score[number] - 5 * at);
    return {
      list_id: list.list_id,
      icp_score: score,
      icp_tier: tier(score),
      icp_reasoning: "Matches seniority and segment.",
    };
  });
}

function intent(leads, number) {
  return {
    id: `int-${number}`,
    event_type: INTENTS[leads.intent[number]],
    event_data: { source: "network", url: `https://network.example/p/${number}` },
    signal_run_id: `run-${number % 37}`,
    lead_list_id: listsOf(leads, number)[0].list_id,
    signal_id: `sig-${number % 11}`,
    created_at: timestamp(leads.created[number] + HOUR_MS),
  };
}

const listsOf = (leads, number) => chosen(leads.lists[number], LISTS);
const timestamp = (milliseconds) => new Date(milliseconds).toISOString();
