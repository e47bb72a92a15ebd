//! Intent signals, with details that fit the lead.

use serde_json::{Value, json};

use super::Demo;
use super::catalog::{self, Catalog};
use super::clock;
use super::company::Company;
use super::ids::id;
use super::random::Random;
use super::vocabulary::words;
use crate::store::insert::IntentRow;

/// An intent signal, with the data that scoring needs.
pub(crate) struct Intent {
    pub row: IntentRow,
    pub event_type: &'static str,
    pub age_days: i64,
    /// The discovery list that it puts the lead on.
    pub list: Option<usize>,
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
    pub(super) fn intents(
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
            .map(|nth| self.sign(random, number * 8 + nth, company, title))
            .collect();
        intents.sort_by(|one, other| other.row.created_at.cmp(&one.row.created_at));
        intents
    }

    fn sign(&self, random: &mut Random, number: u64, company: &Company, title: &str) -> Intent {
        let Catalog {
            signals,
            posts,
            lists,
            ..
        } = &self.catalog;
        let signal = &signals[catalog::any_signal(random)];
        let run = random
            .index(signal.runs.len())
            .min(random.index(signal.runs.len()));
        let run = &signal.runs[run];
        // A run finds its leads one after another within two hours.
        let found = run.created_at + random.between(0, clock::days(1) / 12);
        let happened = found - random.between(0, clock::days(6));
        let event_type = signal.event_type;
        let post = matches!(event_type, "post_reaction" | "post_comment")
            .then(|| &posts[random.index(posts.len())]);
        let mut event_data = particulars(random, event_type, company, title, post.map(|p| p.name));
        event_data["date"] = json!(&clock::text(happened)[..10]);
        let list = match event_type {
            "hiring" => Some(catalog::FIRST_DISCOVERY),
            "job_change" => Some(catalog::FIRST_DISCOVERY + 1),
            "competitor_engagement" => Some(catalog::FIRST_DISCOVERY + 2),
            _ => None,
        };
        let row = IntentRow {
            intent_id: id(self.seed, "intent", number, found),
            event_type,
            event_data: event_data.to_string(),
            signal_run_id: Some(run.id.clone()),
            lead_list_id: list.map(|list| lists[list].id.clone()),
            signal_id: Some(signal.named.id.clone()),
            feed_post_id: post.map(|post| post.id.clone()),
            created_at: clock::text(found),
        };
        Intent {
            row,
            event_type,
            age_days: clock::days_between(found, self.clock.today),
            list,
        }
    }
}

fn particulars(
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
