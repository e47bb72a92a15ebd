use lead_workspace_api::{ApprovalStatus, Change, LeadId, MAX_CHANGED_IDS, NewApprovalStatus};
use lead_workspace_index::ChangeKind;

use super::{ROWS, Step, StepEvent, step};
use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::index_host::versions;
use crate::store::records::insert::{LeadRow, NewLead, NewRows, RowNumbers};
use crate::store::tenant::Tenant;

const TENANT: Tenant = Tenant(1);

fn store() -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    (dir, store)
}

async fn version(store: &Store) -> i64 {
    let version = |db: Db<'_>| versions::version(db, TENANT);
    store.read(version).await.unwrap()
}

/// Adds leads with the ids `lead-FIRST`, `lead-…`.
async fn add_leads(store: &Store, first: usize, count: usize) {
    let add = move |db: Db<'_>| {
        let mut numbers = RowNumbers::new("leads", count);
        let mut new = NewRows::new(TENANT);
        for number in first..first + count {
            let row = LeadRow {
                lead_id: format!("lead-{number}"),
                ..LeadRow::default()
            };
            new.add_lead(numbers.next(db)?, NewLead::of(row));
        }
        new.write(db)
    };
    store.write_in(TENANT, add).await.unwrap();
}

async fn decide(store: &Store, ids: &[&str], status: NewApprovalStatus) {
    let ids = ids.iter().map(|id| LeadId::from(*id)).collect();
    store.decide(TENANT, ids, status, None).await.unwrap();
}

/// Returns the steps between two versions.
async fn steps(store: &Store, mut from: i64, to: i64) -> Vec<Step> {
    let mut steps = Vec::new();
    while from != to {
        let step = store.change_step(TENANT, from, to).await.unwrap();
        from = step.version;
        steps.push(step);
    }
    steps
}

/// Returns the changes of the only step between two versions.
async fn changes(store: &Store, from: i64, to: i64) -> Vec<Change> {
    match &*steps(store, from, to).await {
        [
            Step {
                event: StepEvent::Change(changes),
                ..
            },
        ] => changes.changes.clone().unwrap(),
        [
            Step {
                event: StepEvent::None,
                ..
            },
        ] => Vec::new(),
        steps => panic!("{steps:?}"),
    }
}

fn change(kind: &str, ids: &[&str]) -> Change {
    Change {
        kind: Some(kind.to_owned()),
        approval_status: None,
        count: Some(ids.len() as u64),
        ids: Some(ids.iter().map(|id| (*id).to_owned()).collect()),
    }
}

#[tokio::test]
async fn the_status_is_the_present_one() {
    let (_dir, store) = store();
    add_leads(&store, 1, 3).await;
    let before = version(&store).await;
    decide(&store, &["lead-1", "lead-2"], NewApprovalStatus::Approved).await;
    let between = version(&store).await;
    decide(&store, &["lead-2"], NewApprovalStatus::Rejected).await;
    let after = version(&store).await;
    let expected = |status: ApprovalStatus, id: &str| Change {
        approval_status: Some(status),
        ..change("status", &[id])
    };
    let (approved, rejected) = (
        expected(ApprovalStatus::APPROVED, "lead-1"),
        expected(ApprovalStatus::REJECTED, "lead-2"),
    );
    let both = [approved.clone(), rejected.clone()];
    assert_eq!(changes(&store, before, after).await, both);
    assert_eq!(changes(&store, before, between).await, both);
    assert_eq!(changes(&store, between, after).await, [rejected]);
    // A decision that a lead has already changes nothing.
    decide(&store, &["lead-1"], NewApprovalStatus::Approved).await;
    let last = version(&store).await;
    assert_eq!(changes(&store, after, last).await, []);
}

#[tokio::test]
async fn a_lead_with_the_number_of_a_deleted_one_is_another() {
    let (_dir, store) = store();
    add_leads(&store, 1, 2).await;
    let before = version(&store).await;
    decide(&store, &["lead-2"], NewApprovalStatus::Approved).await;
    store
        .delete_lead(TENANT, "lead-2".into(), None)
        .await
        .unwrap();
    add_leads(&store, 3, 1).await;
    let row = |db: Db<'_>| -> Result<i64, StoreError> {
        let sql = "SELECT id FROM leads WHERE tenant = ?1 AND lead_id = 'lead-3'";
        db.value(sql, params![TENANT.0])
    };
    assert_eq!(store.read(row).await.unwrap(), 2);
    let after = version(&store).await;
    assert_eq!(
        changes(&store, before, after).await,
        [change("added", &["lead-3"]), change("deleted", &["lead-2"])]
    );
    // One that is deleted at once was never there.
    add_leads(&store, 4, 1).await;
    store
        .delete_lead(TENANT, "lead-4".into(), None)
        .await
        .unwrap();
    let last = version(&store).await;
    assert_eq!(
        changes(&store, after, last).await,
        [change("deleted", &["lead-4"])]
    );
}

#[tokio::test]
async fn each_kind_has_its_name() {
    let (_dir, store) = store();
    add_leads(&store, 1, 1).await;
    for (kind, name) in [
        (ChangeKind::SCORE, "score"),
        (ChangeKind::LEAD, "fields"),
        (ChangeKind::LIST, "lists"),
        (ChangeKind::CAMPAIGN, "campaigns"),
        (ChangeKind::INTENT, "signals"),
    ] {
        let before = version(&store).await;
        let touch = move |db: Db<'_>| {
            db.touch(TENANT, kind, 1);
            Ok(())
        };
        store.write_in(TENANT, touch).await.unwrap();
        let after = version(&store).await;
        let expected = [change(name, &["lead-1"])];
        assert_eq!(changes(&store, before, after).await, expected);
    }
    let before = version(&store).await;
    let touch = move |db: Db<'_>| {
        let sql = "INSERT INTO accounts (tenant, account_id, created_at) VALUES (?1, 'acme', '')";
        let account = db.insert(sql, params![TENANT.0])?;
        db.touch(TENANT, ChangeKind::ACCOUNT_ROW, account);
        Ok(())
    };
    store.write_in(TENANT, touch).await.unwrap();
    let after = version(&store).await;
    let expected = [change("accounts", &["acme"])];
    assert_eq!(changes(&store, before, after).await, expected);
}

#[tokio::test]
async fn many_leads_are_counted_only() {
    let (_dir, store) = store();
    let before = version(&store).await;
    add_leads(&store, 1, MAX_CHANGED_IDS + 1).await;
    let after = version(&store).await;
    let expected = Change {
        kind: Some("added".into()),
        approval_status: None,
        count: Some(1_001),
        ids: None,
    };
    assert_eq!(changes(&store, before, after).await, [expected]);
}

#[tokio::test]
async fn many_changes_are_told_in_several_steps() {
    let (_dir, store) = store();
    let before = version(&store).await;
    for part in 0..5 {
        add_leads(&store, part * ROWS / 2, ROWS / 2).await;
    }
    let after = version(&store).await;
    let steps = steps(&store, before, after).await;
    let versions: Vec<i64> = steps.iter().map(|step| step.version - before).collect();
    assert_eq!(versions, [2, 4, 5]);
}

#[tokio::test]
async fn a_missing_entry_is_unknown() {
    let (_dir, store) = store();
    let before = version(&store).await;
    for part in 0..3 {
        add_leads(&store, part, 1).await;
    }
    let after = version(&store).await;
    let missing = before + 2;
    let delete = move |db: Db<'_>| {
        let sql = "DELETE FROM changes WHERE tenant = ?1 AND version = ?2";
        db.execute(sql, params![TENANT.0, missing])
    };
    store.maintain(delete).await.unwrap();
    let steps = steps(&store, before, after).await;
    assert_eq!(steps[0].version, before + 1);
    assert!(matches!(steps[0].event, StepEvent::Change(_)));
    let rest = Step {
        version: after,
        event: StepEvent::Reset,
    };
    assert_eq!(steps[1..], [rest]);
    // A version that is ahead.
    let ahead = store.read(move |db| step(db, TENANT, after + 7, after));
    assert_eq!(ahead.await.unwrap().event, StepEvent::Reset);
}
