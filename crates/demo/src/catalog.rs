//! Objects that leads belong to: lists, campaigns, signals and their runs, posts, senders, imports.

use std::borrow::Cow;

use jiff::{SignedDuration, Timestamp};

use crate::clock::{self, Clock, EXAMPLE_NOW, HOUR};
use crate::ids::id;
use crate::random::{Kind, Random};
use crate::vocabulary::words;

/// A named object of the workspace.
pub struct Named {
    pub id: String,
    pub name: Cow<'static, str>,
    pub created_at: Timestamp,
}

pub struct Campaign {
    pub named: Named,
    pub status: &'static str,
}

/// A weekly run of a signal.
pub struct SignalRun {
    pub id: String,
    pub name: String,
    pub created_at: Timestamp,
}

/// A signal with its runs, latest first.
pub struct Signal {
    pub named: Named,
    /// Event type that it detects.
    pub event_type: &'static str,
    pub runs: Vec<SignalRun>,
}

/// All objects that leads of one seed belong to.
pub struct Catalog {
    pub lists: Vec<Named>,
    pub campaigns: Vec<Campaign>,
    pub signals: Vec<Signal>,
    pub posts: Vec<Named>,
    pub senders: Vec<Named>,
    pub imports: Vec<Named>,
}

/// The lists filled by discovery, as indexes into `LISTS`.
pub(crate) const FIRST_DISCOVERY: usize = 11;
const LAST_DISCOVERY: usize = 14;
const LISTS: &[&str] = &[
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
/// Lists of accounts, with the share of promoted accounts on each, in percent.
pub(crate) const ACCOUNT_LISTS: [(usize, u64); 2] = [(15, 14), (16, 4)];

/// Name, status, and the share of campaign leads, in percent.
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

/// Name, event type, and weight among all intent signals.
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

/// File, days ago, and the share of leads that were imported with it, in percent.
const IMPORTS: &[(&str, i64, u32)] = &[
    ("crm-export.csv", 108, 12),
    ("webinar-attendees.csv", 71, 8),
    ("trade-fair-badges.csv", 40, 6),
    ("partner-list.jsonl", 12, 4),
];

/// All leads of one import are created within this time.
pub const IMPORT_DURATION: SignedDuration = SignedDuration::from_mins(5);

/// Number of days within which leads were made.
pub(crate) const DAYS: i64 = 120;

/// Number of weekly runs of a signal: those of a year.
const RUNS: i64 = 52;

/// Number of runs that found most signals.
const RECENT_RUNS: usize = 17;

/// Age in runs from which a signal's age no longer changes the score by the default rules.
const STALE_RUNS: usize = 13;

impl Catalog {
    /// Whether discovery fills this list of `lists`.
    pub fn is_discovery(list: usize) -> bool {
        (FIRST_DISCOVERY..=LAST_DISCOVERY).contains(&list)
    }

    pub(crate) fn new(seed: u64, clock: Clock) -> Self {
        let mut random = Random::new(seed, Kind::Catalog, 0);
        let mut named = |prefix: &str, number: usize, name: &'static str| {
            let created_at = EXAMPLE_NOW - clock::days(DAYS) - random.up_to(clock::days(30));
            Named {
                id: id(seed, prefix, number as u64, created_at),
                name: name.into(),
                created_at: clock.moved(created_at),
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
                .map(|(at, (name, ..))| Named {
                    id: id(seed, "import", at as u64, import_time(at)),
                    name: (*name).into(),
                    created_at: clock.moved(import_time(at)),
                })
                .collect(),
        }
    }
}

/// Returns when an import began, on the fixed day.
pub(crate) fn import_time(import: usize) -> Timestamp {
    EXAMPLE_NOW - clock::days(IMPORTS[import].1) + 12 * HOUR
}

/// Returns when a run began, on the fixed day: one per week, at six in the morning.
pub(crate) fn run_time(week: i64) -> Timestamp {
    EXAMPLE_NOW - clock::days(1 + week * 7) + 6 * HOUR
}

fn runs(seed: u64, clock: Clock, signal: u64) -> Vec<SignalRun> {
    let run = |week: i64| {
        let number = signal * 1000 + week.unsigned_abs();
        let created_at = clock.moved(run_time(week));
        SignalRun {
            id: id(seed, "run", number, run_time(week)),
            name: format!("Run of {}", clock::date(created_at)),
            created_at,
        }
    };
    (0..RUNS).map(run).collect()
}

/// Picks the run that found a signal, as the weeks before the latest: most are recent, a few up to a year old.
pub(crate) fn any_run(random: &mut Random, of_signal: &mut Random) -> i64 {
    let recent = random.index(RECENT_RUNS).min(random.index(RECENT_RUNS));
    match i64::try_from(recent).unwrap_or_default() {
        week if recent < STALE_RUNS => week,
        week => of_signal.between(week.min(RUNS - 1), RUNS - 1),
    }
}

/// Picks a signal, by how often each finds something.
pub(crate) fn any_signal(random: &mut Random) -> usize {
    random.weighted(SIGNALS.iter().map(|row| row.2))
}

/// Picks a campaign, by how many leads each has.
pub(crate) fn any_campaign(random: &mut Random) -> usize {
    random.weighted(CAMPAIGNS.iter().map(|row| row.2))
}

/// Picks the import that a lead was created by, if any.
pub(crate) fn any_import(random: &mut Random) -> Option<usize> {
    let with_none = IMPORTS.iter().map(|row| row.2).chain([70]);
    let at = random.weighted(with_none);
    (at < IMPORTS.len()).then_some(at)
}
