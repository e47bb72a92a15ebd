//! What leads belong to: lists, campaigns, signals and their runs, posts, senders, imports.

use super::clock::{self, Clock};
use super::ids::id;
use super::random::{Kind, Random};
use super::vocabulary::words;

/// A named thing of the workspace.
pub(crate) struct Named {
    pub id: String,
    pub name: &'static str,
    pub created_at: i64,
}

/// A campaign.
pub(crate) struct Campaign {
    pub named: Named,
    pub status: &'static str,
}

/// A weekly run of a signal.
pub(crate) struct Run {
    pub id: String,
    pub name: String,
    pub created_at: i64,
}

/// A signal with its runs, latest first.
pub(crate) struct Signal {
    pub named: Named,
    /// The event it looks for.
    pub event_type: &'static str,
    pub runs: Vec<Run>,
}

/// Everything that leads of one seed belong to.
pub(crate) struct Catalog {
    pub lists: Vec<Named>,
    pub campaigns: Vec<Campaign>,
    pub signals: Vec<Signal>,
    pub posts: Vec<Named>,
    pub senders: Vec<Named>,
    pub imports: Vec<Named>,
}

/// Lists from this index on are filled by discovery.
pub(crate) const FIRST_DISCOVERY: usize = 11;
pub(crate) const LAST_DISCOVERY: usize = 14;
pub(crate) const LISTS: &[&str] = &[
    "DACH software leaders",
    "UK & Ireland revenue teams",
    "Nordics, 51-500 people",
    "US vice presidents",
    "Founders below 50 people",
    "Webinar: forecasting without spreadsheets",
    "Trade fair, spring",
    "Customer referrals",
    "Marketing leaders, Europe",
    "Machine builders",
    "Re-engage after no reply",
    "Discovery: hiring",
    "Discovery: changed jobs",
    "Discovery: follows competitors",
    "Discovery: like our best customers",
    "Target accounts, autumn",
    "Key accounts",
];
/// Lists of accounts, with the share of accounts in a hundred that each holds.
pub(crate) const ACCOUNT_LISTS: [(usize, u64); 2] = [(15, 14), (16, 4)];

/// Name, status, and how many of a hundred campaign leads it holds.
const CAMPAIGNS: &[(&str, &str, u32)] = &[
    ("Revenue leaders DACH", "active", 22),
    ("Founders, short and personal", "active", 18),
    ("Marketing leaders Europe", "active", 16),
    ("Webinar follow-up", "completed", 14),
    ("UK enterprise, Q2", "paused", 10),
    ("Nordics pilot", "completed", 8),
    ("US vice presidents", "active", 8),
    ("Machine builders, trade fair", "paused", 4),
    ("Autumn re-engagement", "draft", 0),
];

/// Name, event, and weight among all signs of intent.
const SIGNALS: &[(&str, &str, u32)] = &[
    ("Companies hiring in sales", "hiring", 20),
    ("New in the job", "job_change", 18),
    ("Reacts to our posts", "post_reaction", 16),
    ("Comments on our posts", "post_comment", 9),
    ("Follows a competitor", "competitor_engagement", 12),
    ("Writes about forecasting", "keyword_post", 9),
    ("Raised money", "funding_round", 6),
    ("Visited the pricing page", "pricing_page_visit", 5),
    ("Looked at our profiles", "profile_visit", 5),
];

const SENDERS: &[&str] = &[
    "Ines Larkwood",
    "Tobias Fennwick",
    "Maëlle Corvain",
    "Jonas Haldrup",
    "Priya Venkateran",
];

/// File, days ago, and the share of leads in a hundred that came with it.
const IMPORTS: &[(&str, i64, u32)] = &[
    ("crm-export.csv", 108, 12),
    ("webinar-attendees.csv", 71, 8),
    ("trade-fair-badges.csv", 40, 6),
    ("partner-list.jsonl", 12, 4),
];

/// Days that the demo data reaches back.
pub(crate) const DAYS: i64 = 120;

impl Catalog {
    pub(crate) fn new(seed: u64, clock: Clock) -> Self {
        let mut random = Random::new(seed, Kind::Catalog, 0);
        let mut named = |prefix: &str, number: usize, name: &'static str| {
            let created_at = clock.today - clock::days(DAYS) - random.between(0, clock::days(30));
            Named {
                id: id(seed, prefix, number as u64, created_at),
                name,
                created_at,
            }
        };
        let lists = LISTS.iter().enumerate();
        let posts = words::POSTS.iter().enumerate();
        let senders = SENDERS.iter().enumerate();
        let campaigns = CAMPAIGNS.iter().enumerate();
        let signals = SIGNALS.iter().enumerate();
        let imports = IMPORTS.iter().enumerate();
        Self {
            lists: lists.map(|(at, name)| named("list", at, name)).collect(),
            posts: posts.map(|(at, name)| named("post", at, name)).collect(),
            senders: senders
                .map(|(at, name)| named("sender", at, name))
                .collect(),
            campaigns: campaigns
                .map(|(at, (name, status, _))| Campaign {
                    named: named("campaign", at, name),
                    status,
                })
                .collect(),
            signals: signals
                .map(|(at, (name, event_type, _))| Signal {
                    named: named("signal", at, name),
                    event_type,
                    runs: runs(seed, clock, at as u64),
                })
                .collect(),
            imports: imports
                .map(|(at, (name, days_ago, _))| {
                    let created_at = clock.today - clock::days(*days_ago) + clock::days(1) / 2;
                    Named {
                        id: id(seed, "import", at as u64, created_at),
                        name,
                        created_at,
                    }
                })
                .collect(),
        }
    }
}

/// One run a week, at six in the morning.
fn runs(seed: u64, clock: Clock, signal: u64) -> Vec<Run> {
    let run = |week: i64| {
        let created_at = clock.today - clock::days(1 + week * 7) + clock::days(1) / 4;
        let number = signal * 1000 + week.unsigned_abs();
        Run {
            id: id(seed, "run", number, created_at),
            name: format!("Run of {}", &clock::text(created_at)[..10]),
            created_at,
        }
    };
    (0..DAYS / 7).map(run).collect()
}

/// A signal, by how often each finds something.
pub(crate) fn any_signal(random: &mut Random) -> usize {
    random.weighted(SIGNALS.iter().map(|row| row.2))
}

/// A campaign, by how many leads each holds.
pub(crate) fn any_campaign(random: &mut Random) -> usize {
    random.weighted(CAMPAIGNS.iter().map(|row| row.2))
}

/// The import that a lead came with, if any.
pub(crate) fn any_import(random: &mut Random) -> Option<usize> {
    let with_none = IMPORTS.iter().map(|row| row.2).chain([70]);
    let at = random.weighted(with_none);
    (at < IMPORTS.len()).then_some(at)
}
