// The facets of leads, and how many leads have each value.

import { FIELDS, STATUS } from "./query.mjs";
import { CAMPAIGNS, INTENTS, LISTS, REPLIES, SIZES, TIERS, slug } from "./words.mjs";

const LIMIT = { default: 20, most: 100 };

// The response to GET /api/leads/facets.
export const FACETS = {
  company_sizes: SIZES,
  icp_tiers: TIERS,
  intent_types: INTENTS,
  discovery_lists: [],
  signals: [],
  signal_runs: [],
  lists: LISTS,
  campaigns: CAMPAIGNS,
  import_jobs: [],
  feed_posts: [],
  chat_labels: [],
  reply_classifications: REPLIES,
  network_accounts: [],
};

const LABELS = new Map([
  ...LISTS.map((list) => [list.list_id, list.list_name]),
  ...CAMPAIGNS.map((campaign) => [campaign.campaign_id, campaign.campaign_name]),
]);

export class FacetSearch {
  #values = new Map();

  // Counted once, so that all responses take the same time.
  constructor(leads) {
    for (const field of Object.keys(FIELDS)) {
      // Decisions would change these counts.
      if (field !== STATUS) this.#values.set(field, count(leads, field));
    }
  }

  run(parameters, refuse) {
    const field = parameters.get("field");
    const values = this.#values.get(field);
    if (!values) throw refuse("field", "unknown facet field", field);
    const limit = Number(parameters.get("limit") ?? LIMIT.default);
    if (!(limit >= 1 && limit <= LIMIT.most)) throw refuse("limit", `1 to ${LIMIT.most}`, limit);
    const text = (parameters.get("q") ?? "").toLowerCase();
    const found = values.filter(({ label }) => label.toLowerCase().includes(text));
    return {
      field,
      items: found.slice(0, limit),
      total_distinct: found.length,
      has_more: found.length > limit,
    };
  }
}

// Returns the values of a field, the most frequent first.
function count(leads, field) {
  const counts = new Map();
  for (let number = 0; number < leads.count; number += 1) {
    for (const value of FIELDS[field].values(leads, number)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const items = [...counts].map(([value, count]) => ({
    value,
    label: LABELS.get(value) ?? value,
    count,
    company_logo_url: field === "company" ? `https://img.example/logo/${slug(value)}.png` : null,
  }));
  return items.sort((a, b) => b.count - a.count);
}
