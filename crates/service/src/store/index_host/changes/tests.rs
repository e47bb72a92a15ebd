use lead_workspace_index::ChangeKind;

use super::{Changes, Entry, REMEMBERED, TouchedRows, lock};
use crate::store::tenant::Tenant;

fn rows(changes: &Changes, tenant: Tenant, one: i64, other: i64) -> Option<Vec<u32>> {
    let rows = changes.between(tenant, one, other, ChangeKind::STATUS)?;
    let mut rows: Vec<u32> = rows.into_iter().collect();
    rows.sort_unstable();
    Some(rows)
}

/// Many workspaces, and one with many changes: only that one loses its older ones.
#[test]
fn changes_are_limited_over_all_workspaces() {
    let changes = Changes::default();
    let (few, many) = (Tenant(1), Tenant(2));
    changes.add(few, 1, Some(&[7]));
    let all: Vec<i64> = (0..1_000).collect();
    for version in 1..=250 {
        changes.add(many, version, Some(&all));
        assert!(lock(&changes.0).remembered <= REMEMBERED);
    }
    let log = lock(&changes.0);
    let kept = log
        .workspaces
        .values()
        .map(|workspace| workspace.rows.len());
    assert_eq!(kept.sum::<usize>(), log.remembered);
    let memory: usize = log
        .workspaces
        .values()
        .map(|workspace| workspace.rows.capacity())
        .sum();
    assert!(memory * 16 <= super::BYTES, "{memory}");
    drop(log);
    assert_eq!(rows(&changes, few, 0, 1), Some(vec![7]));
    assert_eq!(rows(&changes, many, 0, 250), None);
    assert_eq!(
        rows(&changes, many, 249, 250).map(|rows| rows.len()),
        Some(1_000)
    );
    changes.retain(|tenant| tenant == few);
    assert_eq!(rows(&changes, many, 249, 250), None);
    assert_eq!(lock(&changes.0).remembered, 1);
}

#[test]
fn nothing_is_known_across_a_gap() {
    let changes = Changes::default();
    let tenant = Tenant(1);
    changes.add(tenant, 5, Some(&[1]));
    assert_eq!(rows(&changes, tenant, 4, 5), Some(vec![1]));
    assert_eq!(rows(&changes, tenant, 3, 5), None);
    assert_eq!(rows(&changes, tenant, 4, 6), None);
    changes.add(tenant, 7, Some(&[2]));
    assert_eq!(rows(&changes, tenant, 5, 7), None);
    assert_eq!(rows(&changes, tenant, 6, 7), Some(vec![2]));
}

#[test]
fn leads_are_the_same_if_no_decision_on_them_is_between() {
    let changes = Changes::default();
    let tenant = Tenant(1);
    let leads = [(3, 6), (1, 6), (2, 6)];
    assert_eq!(changes.same_leads(tenant, 6, &leads), [true; 3]);
    assert_eq!(changes.same_leads(tenant, 7, &leads), [false; 3]);
    changes.add(tenant, 7, Some(&[2]));
    changes.add(tenant, 8, Some(&[3, i64::MAX]));
    assert_eq!(changes.same_leads(tenant, 6, &leads), [true; 3]);
    assert_eq!(changes.same_leads(tenant, 7, &leads), [true, true, false]);
    assert_eq!(changes.same_leads(tenant, 8, &leads), [false, true, false]);
    assert_eq!(changes.same_leads(tenant, 9, &leads), [false; 3]);
    // Read at a later version than this read sees.
    let later = [(1, 8), (2, 8), (3, 8), (u32::MAX, 8)];
    assert_eq!(
        changes.same_leads(tenant, 7, &later),
        [true, true, false, false]
    );
    changes.add(tenant, 9, None);
    assert_eq!(changes.same_leads(tenant, 9, &later), [false; 4]);
}

#[test]
fn leads_are_not_the_same_if_their_changes_were_forgotten() {
    for kind in [ChangeKind::STATUS, ChangeKind::LEAD, ChangeKind::CAMPAIGN] {
        let (changes, tenant) = (Changes::default(), Tenant(1));
        changes.begin_at(tenant, 6);
        let mut rows = TouchedRows::default();
        let all = u32::try_from(REMEMBERED).unwrap() + 2;
        (0..all).for_each(|row| rows.note(kind, row));
        let entry = Entry {
            version: 7,
            rows,
            any_lead: false,
        };
        lock(&changes.0).add(tenant, 7, vec![entry]);
        let same = changes.same_leads(tenant, 7, &[(0, 6), (all - 1, 6), (all, 6)]);
        assert_eq!(same, [false; 3], "{kind:?}");
    }
}
