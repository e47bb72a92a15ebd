//! Intent signals, with details that fit the lead.

use std::cmp::Reverse;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::Demo;
use crate::catalog::{self, Catalog};
use crate::clock::{self, EXAMPLE_NOW, HOUR};
use crate::company::Company;
use crate::ids::id;
use crate::random::{Kind, Random};
use crate::vocabulary::words;

/// An intent signal.
#[derive(Debug, PartialEq)]
pub struct Intent {
    pub intent_id: String,
    pub event_type: &'static str,
    /// A JSON object.
    pub event_data: String,
    pub signal_id: String,
    pub signal_run_id: String,
    pub feed_post_id: Option<String>,
    /// Index of the discovery list that it puts the lead on.
    pub list: Option<usize>,
    /// Age at the end of the period.
    pub age_days: i64,
    pub created_at: Timestamp,
}

const KEYWORDS: &[&str] = &[
    "forecasting",
    "pipeline reviews",
    "CRM hygiene",
    "sales onboarding",
    "win rates",
];
const COMPETITORS: &[&str] = &["Pipelantern", "Forecastle CRM", "Dealmoor", "Quotawright"];
const ROUNDS: &[(&str, i64, i64)] = &[
    ("Seed", 1, 4),
    ("Series A", 5, 18),
    ("Series B", 20, 60),
    ("Series C", 60, 140),
];

impl Demo {
    /// Returns the intent signals of a lead, latest first.
    pub(crate) fn intents(
        &self,
        random: &mut Random,
        number: u64,
        company: &Company,
        title: &str,
    ) -> Vec<Intent> {
        let count = match random.below(100) {
            0..=63 => 0,
            64..=89 => 1,
            90..=96 => 2,
            _ => 3,
        };
        let mut intents: Vec<_> = (0..count)
            .map(|nth| self.intent(random, number * 8 + nth, company, title))
            .collect();
        intents.sort_by_key(|intent| Reverse(intent.created_at));
        intents
    }

    fn intent(&self, random: &mut Random, number: u64, company: &Company, title: &str) -> Intent {
        let Catalog { signals, posts, .. } = &self.catalog;
        let signal = &signals[catalog::any_signal(random)];
        let mut of_signal = Random::new(self.seed, Kind::SignalRun, number);
        let week = catalog::any_run(random, &mut of_signal);
        let run = &signal.runs[usize::try_from(week).unwrap_or_default()];
        // A run finds its leads one after another within two hours.
        let found = catalog::run_time(week) + random.up_to(2 * HOUR);
        let happened = found - random.up_to(clock::days(6));
        let event_type = signal.event_type;
        let post = matches!(event_type, "post_reaction" | "post_comment")
            .then(|| &posts[random.index(posts.len())]);
        let mut data = event_data(random, event_type, company, title, post.map(|p| &*p.name));
        data["date"] = json!(clock::date(self.clock.moved(happened)));
        let list = match event_type {
            "hiring" => Some(catalog::FIRST_DISCOVERY),
            "job_change" => Some(catalog::FIRST_DISCOVERY + 1),
            "competitor_engagement" => Some(catalog::FIRST_DISCOVERY + 2),
            _ => None,
        };
        Intent {
            intent_id: id(self.seed, "intent", number, found),
            event_type,
            event_data: data.to_string(),
            signal_id: signal.named.id.clone(),
            signal_run_id: run.id.clone(),
            feed_post_id: post.map(|post| post.id.clone()),
            list,
            age_days: EXAMPLE_NOW.duration_since(found).as_hours() / 24,
            created_at: self.clock.moved(found),
        }
    }
}

fn event_data(
    random: &mut Random,
    event_type: &str,
    company: &Company,
    title: &str,
    post: Option<&str>,
) -> Value {
    let name = &company.name;
    match event_type {
        "job_change" => {
            let before = format!(
                "{}{}",
                random.pick(words::COMPOUND_STARTS),
                random.pick(words::COMPOUND_ENDS)
            );
            json!({"summary": format!("Started as {title} at {name}"), "previous_company": before})
        }
        "hiring" => {
            let roles = random.between(1, 9);
            let noun = if roles == 1 { "role" } else { "roles" };
            json!({"summary": format!("{name} has {roles} open sales {noun}"), "open_roles": roles})
        }
        "funding_round" => {
            let (round, low, high) = ROUNDS[random.index(ROUNDS.len())];
            let millions = random.between(low, high);
            json!({"summary": format!("{name} raised {millions} million euros ({round})"),
                "round": round, "amount_eur": millions * 1_000_000})
        }
        "competitor_engagement" => {
            let competitor = random.pick(COMPETITORS);
            json!({"summary": format!("Commented on a post of {competitor}"), "competitor": competitor})
        }
        "keyword_post" => {
            let keyword = random.pick(KEYWORDS);
            json!({"summary": format!("Wrote a post about {keyword}"), "keyword": keyword,
                "likes": random.between(3, 180)})
        }
        "post_reaction" => {
            let reaction = random.pick(&["like", "insightful", "celebrate", "support"]);
            json!({"summary": format!("Reacted to “{}”", post.unwrap_or_default()), "reaction": reaction})
        }
        "post_comment" => {
            let comment = random.pick(&[
                "We had the same last year.",
                "How large was the team?",
                "Saved for our next offsite.",
                "Number three is so true.",
            ]);
            json!({"summary": format!("Commented on “{}”", post.unwrap_or_default()), "comment": comment})
        }
        "pricing_page_visit" => {
            let visits = random.between(1, 6);
            let times = if visits == 1 {
                "once".into()
            } else {
                format!("{visits} times")
            };
            json!({"summary": format!("Visited the pricing page {times}"), "visits": visits})
        }
        _ => json!({"summary": "Looked at the profile of a colleague"}),
    }
}
