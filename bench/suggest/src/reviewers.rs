//! Simulated reviewers: rules that decide on a lead.

use fastrand::Rng;

use crate::leads::ReviewLead;

/// A reviewer with a rule.
pub struct Reviewer {
    pub name: &'static str,
    pub approves: fn(&ReviewLead) -> bool,
}

/// Reviewers of different kinds. The last three are controls.
pub const REVIEWERS: &[Reviewer] = &[
    Reviewer {
        name: "industry: software, IT, internet",
        approves: in_software,
    },
    Reviewer {
        name: "size: 51 to 1,000 people",
        approves: |lead| (51..1001).contains(&lead.heads),
    },
    Reviewer {
        name: "seniority: directors and above",
        approves: leads_others,
    },
    Reviewer {
        name: "location: DACH and Nordics",
        approves: |lead| is_one_of(&lead.country, DACH) || is_one_of(&lead.country, NORDICS),
    },
    Reviewer {
        name: "intent: hiring, new job, funding",
        approves: |lead| is_one_of(&lead.intent, &["hiring", "job_change", "funding_round"]),
    },
    Reviewer {
        name: "sales or marketing, 51 or more, Europe",
        approves: |lead| has_word(&lead.title, REVENUE) && lead.heads >= 51 && in_europe(lead),
    },
    Reviewer {
        name: "sum of four wishes",
        approves: |lead| {
            let wishes = [
                (3, lead.heads <= 200),
                (3, is_one_of(&lead.industry, MAKERS)),
                (2, leads_others(lead)),
                (2, in_europe(lead)),
            ];
            let sum: u32 = wishes.iter().filter(|wish| wish.1).map(|wish| wish.0).sum();
            sum >= 7
        },
    },
    Reviewer {
        name: "software leaders, no US, or pricing page",
        approves: |lead| {
            let software = in_software(lead) && leads_others(lead);
            software && lead.country != "United States" || lead.intent == "pricing_page_visit"
        },
    },
    Reviewer {
        name: "founders of small, directors of large",
        approves: |lead| match lead.heads {
            ..=50 => has_word(&lead.title, FOUNDERS),
            _ => leads_others(lead) && lead.heads >= 201,
        },
    },
    Reviewer {
        name: "control: score of 75 or more",
        approves: |lead| lead.score >= 75.0,
    },
    Reviewer {
        name: "control: founded before 1990 (not in the list)",
        approves: |lead| lead.founded < 1990,
    },
    Reviewer {
        name: "control: three of ten, at random",
        approves: |lead| Rng::with_seed(lead.number).u64(..10) < 3,
    },
];

const DACH: &[&str] = &["Germany", "Austria", "Switzerland"];
const NORDICS: &[&str] = &["Denmark", "Sweden", "Norway", "Finland", "Iceland"];
const WEST: &[&str] = &[
    "United Kingdom",
    "Ireland",
    "Netherlands",
    "Belgium",
    "France",
    "Spain",
    "Portugal",
    "Italy",
    "Poland",
    "Czechia",
    "Greece",
];
const MAKERS: &[&str] = &[
    "Industrial Machinery Manufacturing",
    "Automation Machinery Manufacturing",
    "Motor Vehicle Manufacturing",
    "Medical Equipment Manufacturing",
    "Food and Beverage Manufacturing",
    "Construction",
    "Transportation, Logistics, Supply Chain and Storage",
];
const SOFTWARE: &[&str] = &[
    "Software Development",
    "IT Services and IT Consulting",
    "Technology, Information and Internet",
    "Computer and Network Security",
];
const FOUNDERS: &[&str] = &[
    "Founder",
    "CEO",
    "Owner",
    "Inhaber",
    "Inhaberin",
    "Gründer",
    "Gründerin",
    "Geschäftsführer",
    "Geschäftsführerin",
    "Managing",
    "général",
    "générale",
];
const LEADERS: &[&str] = &[
    "Chief",
    "CRO",
    "CMO",
    "COO",
    "CTO",
    "CIO",
    "CFO",
    "CHRO",
    "Counsel",
    "VP",
    "SVP",
    "Vice",
    "Director",
    "Head",
    "Leitung",
    "Responsable",
    "Directeur",
    "Directrice",
];
const REVENUE: &[&str] = &[
    "Sales",
    "Business",
    "Partnerships",
    "Revenue",
    "CRO",
    "CMO",
    "Account",
    "Marketing",
    "Growth",
    "Brand",
    "Demand",
    "Vertrieb",
    "Commercial",
    "SEO",
    "Campaign",
];

fn in_software(lead: &ReviewLead) -> bool {
    is_one_of(&lead.industry, SOFTWARE)
}

fn in_europe(lead: &ReviewLead) -> bool {
    [DACH, NORDICS, WEST]
        .iter()
        .any(|countries| is_one_of(&lead.country, countries))
}

/// "Legal Counsel" is not a leader, "General Counsel" is.
fn leads_others(lead: &ReviewLead) -> bool {
    let is_leader = has_word(&lead.title, LEADERS) || has_word(&lead.title, FOUNDERS);
    is_leader && !has_word(&lead.title, &["Assistant", "Intern", "Legal"])
}

fn is_one_of(value: &str, of: &[&str]) -> bool {
    of.contains(&value)
}

fn has_word(title: &str, words: &[&str]) -> bool {
    let is_separator = |char: char| !char.is_alphanumeric();
    title.split(is_separator).any(|word| words.contains(&word))
}
