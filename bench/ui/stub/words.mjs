// The words of generated leads. Changing their order changes the leads.

const list = (text) => text.split(/\s+/).filter(Boolean);

export const FIRST_NAMES = list(`
  Ada Amara Ananya Anton Astrid Beatriz Benjamin Camille Carlos Chidi Clara Daniel Dmitri Elena Emeka Erik Fatima
  Felix Freya Gabriel Grace Hana Hugo Ibrahim Ines Ivan Jana Joao Julia Kaito Karim Katya Lars Leila Liam Lucia
  Magnus Maria Mateo Mei Mina Nadia Nikolai Noor Olga Omar Paula Pedro Priya Rafael Rania Ravi Rosa Samuel Sara
  Sofia Tariq Thea Tomas Uma Victor Wei Yara Yusuf
`);

export const LAST_NAMES = list(`
  Abbott Adeyemi Alvarez Andersson Banerjee Becker Bianchi Brandt Carvalho Castillo Chen Costa Dubois Eriksen
  Fischer Fontaine Garcia Haddad Hansen Hashimoto Ivanova Jansen Johansson Kapoor Kaya Keller Khan Kowalski Larsen
  Laurent Lindqvist Lopez Mahmoud Marino Mbeki Meyer Moreau Nakamura Ndiaye Novak Okafor Oliveira Ortiz Park Petrov
  Popescu Rahman Ricci Rossi Sato Schmidt Silva Singh Sokolov Suzuki Tanaka Torres Vargas Virtanen Wagner Weber
  Yamada Zhang Zimmermann
`);

export const LEVELS = ["Head of", "VP of", "Director of", "Senior Manager,", "Lead,", "Chief Officer,"];

export const AREAS = [
  "Revenue",
  "Growth",
  "Data Platform",
  "Engineering",
  "Product",
  "Partnerships",
  "Customer Success",
  "Operations",
  "Procurement",
  "Security",
  "Supply Chain",
  "Marketing",
];

export const INDUSTRIES = [
  "Software Development",
  "Financial Services",
  "Hospitals and Health Care",
  "Logistics",
  "Renewable Energy",
  "Retail",
  "Industrial Machinery",
  "Telecommunications",
  "Higher Education",
  "Insurance",
  "Biotechnology",
  "Food Production",
];

export const PLACES = [
  { name: "Berlin, Germany", zone: "Europe/Berlin" },
  { name: "Lisbon, Portugal", zone: "Europe/Lisbon" },
  { name: "Toronto, Canada", zone: "America/Toronto" },
  { name: "Austin, United States", zone: "America/Chicago" },
  { name: "Sao Paulo, Brazil", zone: "America/Sao_Paulo" },
  { name: "Nairobi, Kenya", zone: "Africa/Nairobi" },
  { name: "Singapore", zone: "Asia/Singapore" },
  { name: "Osaka, Japan", zone: "Asia/Tokyo" },
  { name: "Leeds, United Kingdom", zone: "Europe/London" },
  { name: "Lyon, France", zone: "Europe/Paris" },
  { name: "Turin, Italy", zone: "Europe/Rome" },
  { name: "Malmo, Sweden", zone: "Europe/Stockholm" },
  { name: "Pune, India", zone: "Asia/Kolkata" },
  { name: "Dubai, United Arab Emirates", zone: "Asia/Dubai" },
  { name: "Cape Town, South Africa", zone: "Africa/Johannesburg" },
  { name: "Melbourne, Australia", zone: "Australia/Melbourne" },
];

export const COMPANY_STARTS = list(
  "North Blue Iron Clear Bright Silver Green Swift Deep High Open True Wild Prime Stone Golden",
);
export const COMPANY_ENDS = list(
  "wave peak field bridge harbor forge leaf gate point stream ridge light works path yard crest",
);
export const COMPANY_KINDS = list("Systems Labs Group Analytics Logistics Energy Health Capital");

export const SIZES = ["1-10", "11-50", "51-200", "201-500", "501-1000", "1001-5000", "5001-10000", "10001+"];
export const TIERS = ["A", "B", "C", "D"];
export const STATUSES = ["approved", "pending_approval", "rejected", "filtered"];
export const INTENTS = list("job_change funding_round post_engagement hiring_surge product_launch event_attendance");
export const REPLIES = list("interested not_now referral not_interested out_of_office");

const LIST_NAMES = [
  "Q3 outbound",
  "Partner referrals",
  "Conference scans",
  "Inbound trials",
  "Expansion",
  "Win-back",
  "Enterprise named",
  "Mid-market EMEA",
  "Mid-market AMER",
  "APAC pilot",
  "Champions moved",
  "Lookalikes",
];
const CAMPAIGN_NAMES = [
  "Warm intro",
  "Signal follow-up",
  "Event invite",
  "Benchmark report",
  "Founder note",
  "Re-engage",
  "Case study",
  "Onboarding offer",
];

export const LISTS = LIST_NAMES.map((name, at) => ({ list_id: `list-${at + 1}`, list_name: name, item_id: null }));
export const CAMPAIGNS = CAMPAIGN_NAMES.map((name, at) => ({ campaign_id: `camp-${at + 1}`, campaign_name: name }));

// Returns a name as part of a URL.
export const slug = (name) => name.toLowerCase().replaceAll(/\W+/g, "-");
