//! Other words: parts of company names, phrases of headlines, education, notes, posts.

/// Beginnings of invented company names.
pub(crate) const STEM_STARTS: &[&str] = &[
    "Al", "Aro", "Bel", "Bran", "Cal", "Cor", "Dal", "Dor", "El", "Eve", "Fal", "Fen", "Gal",
    "Gri", "Hal", "Hol", "Il", "Jor", "Kal", "Kes", "Lan", "Lor", "Mar", "Mel", "Nav", "Nor",
    "Ober", "Or", "Pal", "Pra", "Quil", "Ral", "Ros", "Sal", "Ser", "Tal", "Tor", "Ul", "Val",
    "Ver", "Wes", "Wil", "Yar", "Zel",
];
pub(crate) const STEM_MIDDLES: &[&str] = &[
    "va", "ri", "do", "ne", "mi", "lo", "ta", "vi", "ra", "so", "ki", "be", "lu", "na", "de", "fo",
];
pub(crate) const STEM_ENDS: &[&str] = &[
    "n", "ra", "lis", "tec", "mont", "dale", "vant", "ris", "nor", "wick", "dor", "stad", "quist",
    "ven", "mere", "gard", "lund", "port", "sen", "tia",
];
/// First halves of compound company names.
pub(crate) const COMPOUND_STARTS: &[&str] = &[
    "Amber", "Birch", "Bright", "Copper", "Drift", "Ember", "Fern", "Granite", "Harbor", "Iron",
    "Juniper", "Lantern", "Maple", "Night", "North", "Otter", "Pebble", "Quiet", "River", "Slate",
    "Thistle", "Umber", "Violet", "Willow", "Clear", "Stone", "Silver", "Tall", "Wander", "Elm",
];
pub(crate) const COMPOUND_ENDS: &[&str] = &[
    "bridge", "field", "forge", "gate", "haven", "hollow", "kite", "lane", "light", "mark", "mill",
    "moor", "path", "point", "reach", "ridge", "row", "sail", "spring", "stead", "thread", "tower",
    "vale", "ward", "way", "well", "wharf", "wright", "yard", "crest",
];

/// Goals in headlines such as "Helping … close more with less".
pub(crate) const AIMS: &[&str] = &[
    "close more with less",
    "ship faster",
    "hire better",
    "sell with data",
    "cut waste",
    "keep their customers",
    "grow in new markets",
    "plan with confidence",
    "work without paper",
    "answer in minutes",
];
/// Additions to headlines.
pub(crate) const EXTRAS: &[&str] = &[
    "Speaker",
    "Mentor",
    "Runner",
    "Advisor",
    "Podcast host",
    "Alumni board",
    "Trail runner",
    "Angel investor",
    "Dad of two",
    "Mum of three",
    "Cyclist",
    "Author",
    "Hiring!",
    "Lecturer",
];
pub(crate) const SCHOOLS: &[&str] = &[
    "Northmoor University",
    "Technical University of Eastwick",
    "Harborfield College",
    "Lakeside Business School",
    "Universität Lindental",
    "École de Valmont",
    "Universidad de Peñalta",
    "Institute of Applied Systems, Ridgeway",
    "St. Alder College",
    "Polytechnic of Rivermark",
];
pub(crate) const DEGREES: &[&str] = &["BSc", "MSc", "MBA", "BA", "Diploma", "PhD"];
pub(crate) const FIELDS_OF_STUDY: &[&str] = &[
    "Business Administration",
    "Computer Science",
    "Economics",
    "Industrial Engineering",
    "Communication",
    "Mathematics",
    "Law",
    "Psychology",
    "Mechanical Engineering",
    "International Management",
];
pub(crate) const LEAD_SOURCES: &[&str] = &[
    "Webinar",
    "Trade fair",
    "Referral",
    "Website form",
    "Newsletter",
    "Partner",
    "Outbound research",
];
pub(crate) const NOTES: &[&str] = &[
    "Met at the trade fair, asked for a price list.",
    "Prefers e-mail over calls.",
    "Budget is decided in Q4.",
    "Uses a competitor until next spring.",
    "Introduced by a customer.",
    "Asked for a case study in their industry.",
    "Out on parental leave until autumn.",
    "Wants to see the integration first.",
];
/// Posts that leads react to.
pub(crate) const POSTS: &[&str] = &[
    "Why our win rate doubled after we stopped chasing every lead",
    "Five questions to ask before a pricing change",
    "What I learned from 100 customer interviews",
    "The quiet cost of a slow handover",
    "How we plan territories without spreadsheets",
    "An honest look at our first outbound year",
    "Hiring your first sales manager: a checklist",
    "Forecasts that the board believes",
    "Three dashboards I deleted",
    "The onboarding call that saved an account",
    "Cold mail is not dead, lazy mail is",
    "How to say no to a customer",
    "A year of four-day weeks in support",
    "What the trade fair really brought us",
    "Data hygiene, one field at a time",
    "Negotiating with procurement, from the other side",
    "Our playbook for renewals",
    "Why marketing and sales share one number here",
    "Moving upmarket without losing the core",
    "Ten years of the same CRM",
];
