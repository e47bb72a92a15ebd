use std::collections::BTreeMap;

use super::ScoredDemo;
use lead_workspace_demo::EXAMPLE_NOW;

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
fn proportions_are_realistic() {
    const LEADS: usize = 10_000;
    let demo = ScoredDemo::new(1, LEADS as u64, EXAMPLE_NOW);
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
            .filter_map(|lead| lead.outreach.chat.as_ref()?.classification),
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
    let foreign = leads.iter().filter(|lead| !lead.name.is_ascii()).count();
    assert!((15.0..45.0).contains(&share(foreign, LEADS)), "{foreign}");
}
