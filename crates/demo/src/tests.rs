use std::collections::HashSet;

use crate::clock::days;
use crate::{Demo, EXAMPLE_NOW, Lead, LeadScore, ScoreInput};

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
    let (one, two) = (
        Demo::new(1, 2000, EXAMPLE_NOW),
        Demo::new(1, 2000, EXAMPLE_NOW),
    );
    for number in [0, 1, 1999] {
        assert_eq!(lead(&one, number), lead(&two, number));
    }
    assert_ne!(lead(&one, 0), lead(&Demo::new(2, 2000, EXAMPLE_NOW), 0));
    assert_ne!(lead(&one, 0), lead(&one, 1));
}

#[test]
fn identities_are_unique() {
    let demo = Demo::new(7, 20_000, EXAMPLE_NOW);
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
    let demo = Demo::new(3, 3000, EXAMPLE_NOW);
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

#[test]
fn another_day_moves_the_times_and_nothing_else() {
    let later = "2027-03-02T15:30:00Z".parse().unwrap();
    let (known, moved) = (Demo::new(3, 3000, EXAMPLE_NOW), Demo::new(3, 3000, later));
    assert_eq!(moved.end(), later);
    let (mut today, mut this_month, mut older_than_90_days, mut all) = (0, 0, 0, 0);
    let mut oldest = 0;
    for number in 0..3000 {
        let (one, other) = (lead(&known, number), lead(&moved, number));
        assert_eq!(
            (&one.lead_id, &one.name, one.status, &one.best, &one.lists),
            (
                &other.lead_id,
                &other.name,
                other.status,
                &other.best,
                &other.lists
            )
        );
        assert_eq!(one.company.account_id, other.company.account_id);
        let chat = other.outreach.chat.iter().map(|chat| chat.last_message_at);
        let campaign = other
            .outreach
            .campaign
            .iter()
            .map(|campaign| campaign.created_at);
        for time in [other.created_at, other.company.created_at]
            .into_iter()
            .chain(chat)
            .chain(campaign)
        {
            assert!(time <= later && time > later - days(122), "{time}");
        }
        for (before, intent) in one.intents.iter().zip(&other.intents) {
            assert_eq!(before.intent_id, intent.intent_id);
            assert!(intent.created_at <= later);
            let age = later.duration_since(intent.created_at).as_hours() / 24;
            all += 1;
            today += u32::from(age == 0);
            this_month += u32::from(age < 30);
            older_than_90_days += u32::from(age > 90);
            oldest = oldest.max(age);
        }
    }
    assert!(
        today > 0 && older_than_90_days > 20 && (300..366).contains(&oldest),
        "{today} {older_than_90_days} {oldest}"
    );
    assert!(this_month * 10 > all * 4, "{this_month} of {all}");
}
