// Sorting, search and filters.

import { chosen } from "./leads.mjs";
import { CAMPAIGNS, INTENTS, LISTS, PLACES, STATUSES } from "./words.mjs";

// How many results are cached: more than the queries of one run.
const CACHED = 128;
// The only field that changes.
export const STATUS = "approval_status";

// The sort key of a lead, by column.
const SORTS = {
  name: (leads, number) => leads.name[number],
  title: (leads, number) => leads.title[number],
  headline: (leads, number) => `${leads.title[number]} at ${leads.companyOf(number).name}`,
  company: (leads, number) => leads.companyOf(number).name,
  industry: (leads, number) => leads.companyOf(number).industry,
  location: (leads, number) => PLACES[leads.place[number]].name,
  icp_score: (leads, number) => leads.score[number],
  // Reversed: A is the highest tier.
  icp_tier: (leads, number) => -leads.tierOf(number).charCodeAt(0),
  created_at: (leads, number) => leads.created[number],
  [STATUS]: (leads, number) => STATUSES[leads.status[number]],
};

// The fields of filters and facets.
export const FIELDS = {
  company: one((leads, number) => leads.companyOf(number).name),
  company_size: one((leads, number) => leads.companyOf(number).size),
  industry: one((leads, number) => leads.companyOf(number).industry),
  title: one((leads, number) => leads.title[number]),
  location: one((leads, number) => PLACES[leads.place[number]].name),
  icp_tier: one((leads, number) => leads.tierOf(number)),
  intent_type: one((leads, number) => INTENTS[leads.intent[number]]),
  list_id: some("lists", LISTS.map((list) => list.list_id)),
  campaign_id: some("campaigns", CAMPAIGNS.map((campaign) => campaign.campaign_id)),
  [STATUS]: one((leads, number) => STATUSES[leads.status[number]]),
};

// A field with one value per lead.
function one(valueOf) {
  return {
    values: (leads, number) => [valueOf(leads, number)],
    filter: (leads, wanted) => (number) => wanted.has(valueOf(leads, number)),
  };
}

// A field with any number of `ids` per lead, stored as bits in a column.
function some(column, ids) {
  const bits = (wanted) => ids.reduce((sum, id, at) => (wanted.has(id) ? sum | (1 << at) : sum), 0);
  return {
    values: (leads, number) => chosen(leads[column][number], ids),
    filter(leads, wanted) {
      const mask = bits(wanted);
      return (number) => (leads[column][number] & mask) !== 0;
    },
  };
}

export class Queries {
  #leads;
  #orders = new Map();
  #results = new Map();

  constructor(leads) {
    this.#leads = leads;
  }

  // Returns the numbers of the matching leads in order. For an invalid query, throws the error that `refuse` returns.
  run({ search, filters = [], sort_by: column = "icp_score", sort_dir: direction = "desc" }, refuse) {
    if (!(column in SORTS)) throw refuse("sort_by", "unknown column", column);
    if (!["asc", "desc"].includes(direction)) throw refuse("sort_dir", "asc or desc", direction);
    const wrong = filters.find(({ field, operator, value }) => {
      return !(field in FIELDS) || operator !== "in" || !Array.isArray(value);
    });
    if (wrong) throw refuse("filters", 'expected {field, operator: "in", value: […]}', wrong);
    const text = (search ?? "").trim().toLowerCase();
    const order = () => this.#order(column, direction);
    if (!text && filters.length === 0) return order();
    const select = () => this.#select(order(), text, filters);
    // Decisions change these results, so they are not cached.
    if (column === STATUS || filters.some(({ field }) => field === STATUS)) return select();
    return this.#cached(JSON.stringify([column, direction, text, filters]), select);
  }

  #order(column, direction) {
    const make = () => sorted(this.#leads, SORTS[column], direction);
    if (column === STATUS) return make();
    const key = `${column} ${direction}`;
    if (!this.#orders.has(key)) this.#orders.set(key, make());
    return this.#orders.get(key);
  }

  #select(order, text, filters) {
    const leads = this.#leads;
    const tests = filters.map(({ field, value }) => FIELDS[field].filter(leads, new Set(value)));
    if (text) tests.push((number) => leads.searched[number].includes(text));
    return order.filter((number) => tests.every((test) => test(number)));
  }

  #cached(key, select) {
    const result = this.#results.get(key) ?? select();
    // Moves it to the end: the first entry is the least recently used.
    this.#results.delete(key);
    this.#results.set(key, result);
    if (this.#results.size > CACHED) this.#results.delete(this.#results.keys().next().value);
    return result;
  }
}

// Returns all leads by sort key; equal ones by number, in both directions.
function sorted(leads, valueOf, direction) {
  const values = Array.from({ length: leads.count }, (_, number) => valueOf(leads, number));
  const distinct = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));
  const rankOf = new Map(distinct.map((value, rank) => [value, rank]));
  const ranks = Float64Array.from(values, (value) => rankOf.get(value));
  const sign = direction === "desc" ? -1 : 1;
  return Uint32Array.from(ranks.keys()).sort((a, b) => sign * (ranks[a] - ranks[b]) || a - b);
}
