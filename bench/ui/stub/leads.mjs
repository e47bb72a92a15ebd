// Generates leads. A lead depends only on its number, so two stubs with the same count have the same leads. Columns
// hold what sorting, search and filters need; the rest of a lead is generated when a page is served.

import {
  AREAS,
  CAMPAIGNS,
  COMPANY_ENDS,
  COMPANY_KINDS,
  COMPANY_STARTS,
  FIRST_NAMES,
  INDUSTRIES,
  INTENTS,
  LAST_NAMES,
  LEVELS,
  LISTS,
  PLACES,
  SIZES,
  slug,
} from "./words.mjs";

const COMPANIES = 2_000;
// Leads use their number as seed; companies must use different ones.
const COMPANY_SEED = 7_000_000;
const DAYS = 300;
const FIRST_DAY = Date.UTC(2025, 0, 1);

export class Leads {
  constructor(count) {
    this.count = count;
    this.companies = Array.from({ length: COMPANIES }, (_, number) => company(number));
    this.name = new Array(count);
    this.title = new Array(count);
    this.searched = new Array(count);
    this.company = new Uint32Array(count);
    this.place = new Uint8Array(count);
    this.score = new Float64Array(count);
    // Statuses and intents by index; lists and campaigns as bits.
    this.status = new Uint8Array(count);
    this.created = new Float64Array(count);
    this.intent = new Uint8Array(count);
    this.lists = new Uint16Array(count);
    this.campaigns = new Uint8Array(count);
    this.connections = new Uint32Array(count);
    this.premium = new Uint8Array(count);
    for (let number = 0; number < count; number += 1) this.#fill(number);
  }

  #fill(number) {
    const random = randoms(number);
    const below = (limit) => Math.floor(random() * limit);
    this.name[number] = `${pick(random, FIRST_NAMES)} ${pick(random, LAST_NAMES)}`;
    this.title[number] = `${pick(random, LEVELS)} ${pick(random, AREAS)}`;
    // Skewed: a few companies have many leads.
    this.company[number] = Math.floor(random() * random() * COMPANIES);
    this.place[number] = below(PLACES.length);
    this.score[number] = Math.round(random() * 1000) / 10;
    this.status[number] = statusAt(random());
    this.created[number] = FIRST_DAY + below(DAYS * 86_400) * 1000;
    this.intent[number] = below(INTENTS.length);
    this.lists[number] = 1 << below(LISTS.length);
    if (random() < 0.4) this.lists[number] |= 1 << below(LISTS.length);
    if (random() < 0.5) this.campaigns[number] = 1 << below(CAMPAIGNS.length);
    this.connections[number] = below(5_000);
    this.premium[number] = random() < 0.3 ? 1 : 0;
    const text = `${this.name[number]} ${this.title[number]} ${this.companyOf(number).name}`;
    this.searched[number] = text.toLowerCase();
  }

  companyOf(number) {
    return this.companies[this.company[number]];
  }

  tierOf(number) {
    return tier(this.score[number]);
  }

  // Returns the number of the lead with this id, if it exists.
  find(id) {
    const digits = /^lead-(\d{6,})$/.exec(id)?.[1];
    const number = digits === undefined ? this.count : Number(digits);
    return number < this.count ? number : undefined;
  }
}

export const leadId = (number) => `lead-${String(number).padStart(6, "0")}`;

export function tier(score) {
  if (score >= 80) return "A";
  if (score >= 55) return "B";
  return score >= 30 ? "C" : "D";
}

// Returns the elements of `all` whose bit is set.
export const chosen = (bits, all) => all.filter((_, at) => bits & (1 << at));

// Returns an index of STATUSES: 20 % approved, 58 % pending, 14 % rejected, 8 % filtered.
function statusAt(random) {
  if (random < 0.2) return 0;
  if (random < 0.78) return 1;
  return random < 0.92 ? 2 : 3;
}

function company(number) {
  const random = randoms(number + COMPANY_SEED);
  const stem = COMPANY_STARTS[number % 16] + COMPANY_ENDS[(number >> 4) % 16];
  const name = `${stem} ${COMPANY_KINDS[(number >> 8) % 8]}`;
  return {
    id: `acc-${String(number).padStart(5, "0")}`,
    name,
    slug: slug(name),
    industry: pick(random, INDUSTRIES),
    size: pick(random, SIZES),
    place: pick(random, PLACES).name,
    founded: 1950 + Math.floor(random() * 74),
  };
}

const pick = (random, all) => all[Math.floor(random() * all.length)];

// Mulberry32, a small generator of pseudo-random numbers.
function randoms(seed) {
  let state = (seed + 1) * 0x9e3779b1;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
