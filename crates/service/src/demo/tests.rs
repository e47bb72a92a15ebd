use std::collections::{BTreeMap, HashSet};

use super::{Demo, clock};

fn share(count: usize, of: usize) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "small counts")]
    let share = count as f64 * 100.0 / of as f64;
    share
}

fn counts<'a>(values: impl Iterator<Item = &'a str>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for value in values {
        *counts.entry(value.to_owned()).or_default() += 1;
    }
    counts
}

#[test]
fn rows_depend_only_on_seed_and_number() {
    let (one, two) = (Demo::new(1, 2000), Demo::new(1, 2000));
    for number in [0, 1, 1999] {
        assert_eq!(one.lead(number).row, two.lead(number).row);
    }
    assert_ne!(one.lead(0).row, Demo::new(2, 2000).lead(0).row);
    assert_ne!(one.lead(0).row, one.lead(1).row);
}

#[test]
fn identities_are_unique() {
    let demo = Demo::new(7, 20_000);
    let mut seen = HashSet::new();
    for number in 0..20_000 {
        let lead = demo.lead(number).row;
        assert!(seen.insert(lead.lead_id));
        assert!(seen.insert(lead.identity.unwrap()));
    }
    let slugs: HashSet<_> = (0..demo.companies)
        .map(|number| demo.company(number).slug)
        .collect();
    assert_eq!(slugs.len() as u64, demo.companies);
}

#[test]
fn proportions_are_realistic() {
    const LEADS: usize = 10_000;
    let demo = Demo::new(1, LEADS as u64);
    let leads: Vec<_> = (0..LEADS as u64).map(|number| demo.lead(number)).collect();

    let statuses = counts(leads.iter().map(|lead| lead.status));
    for (status, expected) in [
        ("pending_approval", 68.0),
        ("approved", 14.0),
        ("rejected", 12.0),
        ("filtered", 6.0),
    ] {
        let found = share(statuses[status], LEADS);
        assert!(
            (found - expected).abs() < 1.5,
            "{status} {found} %: {statuses:?}"
        );
    }
    let tiers = counts(leads.iter().map(|lead| lead.best.tier));
    for (tier, low, high) in [
        ("A", 8.0, 20.0),
        ("B", 35.0, 50.0),
        ("C", 28.0, 45.0),
        ("D", 4.0, 15.0),
    ] {
        let found = share(tiers[tier], LEADS);
        assert!((low..high).contains(&found), "{tier} {found} %: {tiers:?}");
    }
    let classes = counts(
        leads
            .iter()
            .filter_map(|lead| lead.story.chat.as_ref()?.classification),
    );
    let replies = classes.values().sum();
    for (class, expected) in [
        ("interested", 22.0),
        ("not_interested", 26.0),
        ("not_now", 22.0),
        ("out_of_office", 12.0),
    ] {
        let found = share(classes[class], replies);
        assert!(
            (found - expected).abs() < 6.0,
            "{class} {found} %: {classes:?}"
        );
    }
    let with_intent = leads.iter().filter(|lead| !lead.intents.is_empty()).count();
    assert!((32.0..40.0).contains(&share(with_intent, LEADS)));
    let on_lists = leads.iter().filter(|lead| !lead.lists.is_empty()).count();
    assert!((40.0..75.0).contains(&share(on_lists, LEADS)), "{on_lists}");
    let foreign = leads
        .iter()
        .filter(|lead| !lead.row.name.as_ref().unwrap().is_ascii())
        .count();
    assert!((15.0..45.0).contains(&share(foreign, LEADS)), "{foreign}");
}

#[test]
fn related_fields_are_consistent() {
    let demo = Demo::new(3, 3000);
    for number in 0..3000 {
        let made = demo.lead(number);
        let row = &made.row;
        // The score of a lead is the best of its scores.
        let scores = made.lists.iter().map(|(_, score)| score).chain(&made.score);
        let best = scores.map(|score| score.points).max().unwrap();
        assert_eq!(made.best.points, best);
        // No one is contacted before their lead is created, and nothing happens after the last day.
        let last = clock::text(demo.clock.today);
        assert!(
            row.created_at < last
                && row.created_at > clock::text(demo.clock.today - clock::days(121))
        );
        if let Some(campaign) = &made.story.campaign {
            assert!(campaign.created_at >= row.created_at && campaign.created_at < last);
            assert_eq!(made.story.outreach.sender, campaign.assigned_sender_name);
        }
        if let Some(chat) = &made.story.chat {
            assert!(chat.last_message_at >= row.created_at && chat.last_message_at < last);
            assert_eq!(chat.replied, chat.classification.is_some());
        }
        for intent in &made.intents {
            assert!(intent.row.created_at < last);
            assert!(serde_json::from_str::<serde_json::Value>(&intent.row.event_data).is_ok());
        }
        assert!(
            made.intents
                .is_sorted_by(|one, next| one.row.created_at >= next.row.created_at)
        );
        for address in [&row.profile_url, &made.account.network_url]
            .into_iter()
            .flatten()
        {
            assert!(address.starts_with("https://") && address.contains(".example/"));
        }
    }
}
