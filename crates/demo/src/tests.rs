use std::collections::HashSet;

use crate::clock::days;
use crate::{Demo, Lead, LeadScore, ScoreInput};

/// A score by title length and number of signals.
#[derive(Clone, Debug, PartialEq)]
struct TestScore(u32);

impl LeadScore for TestScore {
    fn points(&self) -> u32 {
        self.0
    }

    fn tier(&self) -> &str {
        if self.0 < 50 { "D" } else { "A" }
    }
}

fn score(input: &ScoreInput<'_>) -> TestScore {
    let points = input.title.len() * 4 + input.intents.len() * 10;
    TestScore(points.min(100) as u32)
}

fn lead(demo: &Demo, number: u64) -> Lead<TestScore> {
    demo.lead(number, score)
}

#[test]
fn records_depend_only_on_seed_and_number() {
    let (one, two) = (Demo::new(1, 2000), Demo::new(1, 2000));
    for number in [0, 1, 1999] {
        assert_eq!(lead(&one, number), lead(&two, number));
    }
    assert_ne!(lead(&one, 0), lead(&Demo::new(2, 2000), 0));
    assert_ne!(lead(&one, 0), lead(&one, 1));
}

#[test]
fn identities_are_unique() {
    let demo = Demo::new(7, 20_000);
    let mut seen = HashSet::new();
    for number in 0..20_000 {
        let lead = lead(&demo, number);
        assert!(seen.insert(lead.lead_id));
        assert!(seen.insert(lead.profile_url));
    }
    let slugs: HashSet<_> = (0..demo.companies)
        .map(|number| demo.company(number).slug)
        .collect();
    assert_eq!(slugs.len() as u64, demo.companies);
}

#[test]
fn related_fields_are_consistent() {
    let demo = Demo::new(3, 3000);
    let (end, start) = (demo.end(), demo.end() - days(121));
    let (mut on_lists, mut with_chat) = (0, 0);
    for number in 0..3000 {
        let lead = lead(&demo, number);
        // The score of a lead is the best of its scores.
        let scores = lead.lists.iter().map(|(_, score)| score).chain(&lead.score);
        assert_eq!(scores.max_by_key(|score| score.0), Some(&lead.best));
        on_lists += u32::from(lead.score.is_none());
        // No one is contacted before their lead is created, and nothing happens after the last day.
        let period = lead.created_at..end;
        assert!((start..end).contains(&lead.created_at));
        if let Some(campaign) = &lead.outreach.campaign {
            assert!(period.contains(&campaign.created_at));
        }
        if let Some(chat) = &lead.outreach.chat {
            assert!(period.contains(&chat.last_message_at));
            let campaign = lead.outreach.campaign.as_ref().unwrap();
            assert_eq!(campaign.replied, chat.classification.is_some());
            with_chat += 1;
        }
        for intent in &lead.intents {
            assert!(intent.created_at < end);
            assert!(serde_json::from_str::<serde_json::Value>(&intent.event_data).is_ok());
        }
        assert!(
            lead.intents
                .is_sorted_by(|one, next| one.created_at >= next.created_at)
        );
        for url in [&lead.profile_url, &lead.company.network_url()] {
            assert!(url.starts_with("https://") && url.contains(".example/"));
        }
    }
    assert!(on_lists > 0 && with_chat > 0);
}
