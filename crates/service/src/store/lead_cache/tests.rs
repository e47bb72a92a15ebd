use serde_json::value::to_raw_value;

use super::{LeadCache, OVERHEAD};
use crate::store::Tenant;

const TENANT: Tenant = Tenant(1);

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
    let cache = LeadCache::new();
    put(&cache, 5, &[(1, "a"), (2, "b"), (3, "c")]);
    cache.record(TENANT, 6, Some(&[2]));
    cache.record(TENANT, 7, Some(&[]));
    assert_eq!(get(&cache, 7, &[1, 2, 3]), "a-c");
    put(&cache, 7, &[(2, "B")]);
    assert_eq!(get(&cache, 7, &[1, 2, 3]), "aBc");
}

#[test]
fn any_other_change_drops_all_leads() {
    let cache = LeadCache::new();
    put(&cache, 5, &[(1, "a")]);
    cache.record(Tenant(2), 9, None);
    assert_eq!(get(&cache, 5, &[1]), "a");
    cache.record(TENANT, 6, None);
    assert_eq!(get(&cache, 6, &[1]), "-");
}

/// A read that began before a decision neither gets the lead as it is after it, nor leaves it as it was before.
#[test]
fn a_read_of_an_older_state_is_kept_apart() {
    let cache = LeadCache::new();
    put(&cache, 5, &[(1, "a"), (2, "b")]);
    cache.record(TENANT, 6, Some(&[1]));
    put(&cache, 6, &[(1, "A")]);
    assert_eq!(get(&cache, 5, &[1, 2]), "-b");
    put(&cache, 5, &[(1, "a"), (2, "b")]);
    assert_eq!(get(&cache, 6, &[1, 2]), "Ab");

    let cache = LeadCache::new();
    put(&cache, 5, &[(2, "b")]);
    cache.record(TENANT, 6, Some(&[1]));
    put(&cache, 5, &[(1, "a")]);
    assert_eq!(get(&cache, 6, &[1]), "-");

    cache.record(TENANT, 7, None);
    put(&cache, 6, &[(1, "A")]);
    assert_eq!(get(&cache, 7, &[1]), "-");
    assert_eq!(get(&cache, 6, &[1]), "-");
}

/// The numbers of a deleted workspace and of its leads may be used again, and its versions begin anew.
#[test]
fn a_version_that_comes_again_finds_nothing() {
    let cache = LeadCache::new();
    put(&cache, 1, &[(1, "a")]);
    cache.record(TENANT, 2, Some(&[7]));
    put(&cache, 2, &[(2, "b")]);
    cache.record(TENANT, 1, Some(&[7]));
    assert_eq!(get(&cache, 1, &[1, 2]), "--");
    cache.record(TENANT, 2, Some(&[7]));
    assert_eq!(get(&cache, 2, &[1, 2]), "--");
}

#[test]
fn memory_is_limited() {
    let cache = LeadCache::new();
    let long = "x".repeat(1 << 20);
    for row in 0..40 {
        put(&cache, 5, &[(row, &long)]);
    }
    let all: Vec<i64> = (0..40).collect();
    let kept = get(&cache, 5, &all).replace(&long, "x");
    assert_eq!(kept, "-".repeat(9) + &"x".repeat(31));
    put(&cache, 5, &[(39, "short")]);
    let bytes = cache.lock().bytes;
    assert_eq!(bytes, 30 * (long.len() + 2 + OVERHEAD) + 7 + OVERHEAD);
}
