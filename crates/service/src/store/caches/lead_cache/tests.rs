use serde_json::value::to_raw_value;

use super::{LeadCache, OVERHEAD};
use crate::store::index_host::Changes;
use crate::store::tenant::Tenant;

const TENANT: Tenant = Tenant(1);

fn cache() -> (Changes, LeadCache) {
    let changes = Changes::default();
    (changes.clone(), LeadCache::new(changes))
}

fn put(cache: &LeadCache, version: i64, leads: &[(i64, &str)]) {
    let leads = leads
        .iter()
        .map(|(row, text)| (*row, to_raw_value(text).unwrap().into()));
    cache.put(TENANT, version, leads);
}

/// The texts of leads at a version, `-` for those that are not kept.
fn get(cache: &LeadCache, version: i64, leads: &[i64]) -> String {
    let found = cache.get(TENANT, version, leads).into_iter();
    let texts = found.map(|lead| match lead {
        Some(lead) => lead.0.get().trim_matches('"').to_owned(),
        None => "-".to_owned(),
    });
    texts.collect()
}

#[test]
fn a_decision_drops_its_leads_and_keeps_the_others() {
    let (changes, cache) = cache();
    put(&cache, 5, &[(1, "a"), (2, "b"), (3, "c")]);
    changes.add(TENANT, 6, Some(&[2]));
    changes.add(TENANT, 7, Some(&[]));
    assert_eq!(get(&cache, 7, &[1, 2, 3]), "a-c");
    put(&cache, 7, &[(2, "B")]);
    assert_eq!(get(&cache, 7, &[3, 2, 9, 1]), "cB-a");
}

#[test]
fn any_other_change_drops_all_leads() {
    let (changes, cache) = cache();
    put(&cache, 5, &[(1, "a")]);
    changes.add(Tenant(2), 9, None);
    assert_eq!(get(&cache, 5, &[1]), "a");
    changes.add(TENANT, 6, None);
    assert_eq!(get(&cache, 6, &[1]), "-");
}

/// A read that began before a decision neither gets the lead as it is after it, nor leaves it as it was before.
#[test]
fn a_read_of_an_older_state_is_kept_apart() {
    let (changes, cache) = cache();
    put(&cache, 5, &[(1, "a"), (2, "b")]);
    changes.add(TENANT, 6, Some(&[1]));
    put(&cache, 6, &[(1, "A")]);
    assert_eq!(get(&cache, 5, &[1, 2]), "-b");
    put(&cache, 5, &[(1, "a"), (2, "b")]);
    assert_eq!(get(&cache, 6, &[1, 2]), "Ab");

    put(&cache, 5, &[(3, "c"), (4, "d")]);
    changes.add(TENANT, 7, Some(&[3]));
    assert_eq!(get(&cache, 7, &[3, 4]), "-d");
    // Its version is now 7, also for this read.
    assert_eq!(get(&cache, 5, &[3, 4]), "cd");

    changes.add(TENANT, 8, None);
    put(&cache, 7, &[(5, "e")]);
    assert_eq!(get(&cache, 8, &[5]), "-");
    assert_eq!(get(&cache, 7, &[5]), "e");
}

/// The numbers of leads may be used again in another workspace.
#[test]
fn workspaces_are_kept_apart() {
    let (_, cache) = cache();
    put(&cache, 5, &[(1, "a")]);
    assert!(cache.get(Tenant(2), 5, &[1])[0].is_none());
    cache.retain(|tenant| tenant == TENANT);
    assert_eq!(get(&cache, 5, &[1]), "a");
    cache.retain(|tenant| tenant != TENANT);
    assert_eq!(get(&cache, 5, &[1]), "-");
}

#[test]
fn memory_is_limited() {
    let (_, cache) = cache();
    let long = "x".repeat((1 << 20) - OVERHEAD - 2);
    for row in 0..40 {
        put(&cache, 5, &[(row, &long)]);
    }
    let all: Vec<i64> = (0..40).collect();
    let kept = get(&cache, 5, &all).replace(&long, "x");
    assert_eq!(kept, "-".repeat(8) + &"x".repeat(32));
}
