//! What a read finds by the index is what an oracle finds in the rows of its state, whichever process has changed them.

use fastrand::Rng;
use lead_workspace_api::{LeadField, LeadQuery, LeadSort, NewApprovalStatus, SortDir};
use lead_workspace_index::{ChangeKind, CustomKeys, Page, Part, Query};
use lead_workspace_logic::filter::{self, Field, Value};
use lead_workspace_logic::search::Search;

use super::{ALWAYS_KEPT, KEPT};
use crate::store::db::{Db, List, params};
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::index_host::versions;
use crate::store::records::insert::{
    KnownLead, LeadRow, NewLead, NewRows, RowNumbers, leads_with, update_lead,
};
use crate::store::shared_database::SharedDatabase;
use crate::store::tenant::Tenant;

const TENANT: Tenant = Tenant(1);

/// Processes that add leads, each with ids of its own, and how many ids each has.
const PROCESSES: u64 = 3;
const LEADS: u64 = 50;

/// How many changes each of them makes.
const STEPS: usize = 700;

const NAMES: [&str; 5] = ["Anna", "Änne", "Berta", "Carla", ""];

fn lead_id(random: &mut Rng) -> String {
    let process = random.u64(1..=PROCESSES);
    lead_id_of(process, random)
}

fn lead_id_of(process: u64, random: &mut Rng) -> String {
    format!("lead-{process}-{}", random.u64(..LEADS))
}

fn one_of<T: Copy>(all: &[T], random: &mut Rng) -> T {
    all[random.usize(..all.len())]
}

fn row_of(db: Db<'_>, lead_id: &str) -> Result<Option<i64>, StoreError> {
    let sql = "SELECT id FROM leads WHERE tenant = ?1 AND lead_id = ?2";
    db.row(sql, params![TENANT.0, lead_id], |row| row.get(0))
}

/// Makes a change as the service does, in one of the processes.
async fn change(store: &Store, process: u64, random: &mut Rng) {
    let (lead_id, other_id) = (lead_id(random), lead_id(random));
    let name = one_of(&NAMES, random);
    let score = random.u64(..4) as f64;
    match random.u64(..8) {
        0..=2 => {
            let status = one_of(NewApprovalStatus::ALL, random);
            let ids = vec![lead_id.into(), other_id.into()];
            store.decide(TENANT, ids, status, None).await.unwrap();
        }
        3 => {
            store
                .delete_lead(TENANT, lead_id.into(), None)
                .await
                .unwrap();
        }
        4 | 5 => {
            let lead_id = lead_id_of(process, random);
            let add = move |db: Db<'_>| {
                let row = LeadRow {
                    lead_id: lead_id.clone(),
                    name: Some(name.to_owned()).filter(|name| !name.is_empty()),
                    ..LeadRow::default()
                };
                if row_of(db, &lead_id)?.is_none() {
                    let id = RowNumbers::new("leads", 1).next(db)?;
                    let mut new = NewRows::new(TENANT);
                    new.add_lead(id, NewLead::of(row.clone()));
                    new.write(db)?;
                }
                Ok(())
            };
            store.write_in(TENANT, add).await.unwrap();
        }
        6 => {
            let rename = move |db: Db<'_>| {
                let lead_id = List::texts([lead_id.clone()]);
                for KnownLead { lead, mut row, .. } in leads_with(db, TENANT, "lead_id", &lead_id)?
                {
                    row.name = Some(name.to_owned());
                    update_lead(db, TENANT, lead, (&LeadRow::default(), &row))?;
                }
                Ok(())
            };
            store.write_in(TENANT, rename).await.unwrap();
        }
        _ => {
            let rescore = move |db: Db<'_>| {
                if let Some(lead) = row_of(db, &lead_id)? {
                    let sql = "UPDATE leads SET icp_score = ?3 WHERE tenant = ?1 AND id = ?2";
                    db.execute(sql, params![TENANT.0, lead, score])?;
                    db.touch(TENANT, ChangeKind::SCORE, lead);
                }
                Ok(())
            };
            store.write_in(TENANT, rescore).await.unwrap();
        }
    }
}

/// A list that depends on what changes.
fn list(random: &mut Rng) -> LeadQuery {
    let filters = match random.u64(..3) {
        0 => vec![],
        1 => {
            let status = one_of(NewApprovalStatus::ALL, random);
            vec![lead_workspace_api::filter(LeadField::ApprovalStatus).eq(status.as_str())]
        }
        _ => vec![lead_workspace_api::filter(LeadField::IcpScore).gte(1)],
    };
    let sorts = [LeadSort::Name, LeadSort::IcpScore, LeadSort::ApprovalStatus];
    LeadQuery {
        filters,
        search: Some(one_of(&["", "an", "a"], random).to_owned()),
        sort_by: one_of(&sorts, random).into(),
        sort_dir: one_of(&[SortDir::Asc, SortDir::Desc], random),
        ..LeadQuery::default()
    }
}

/// Finds the leads of a list row by row.
fn oracle(db: Db<'_>, list: &LeadQuery) -> Result<Page, StoreError> {
    type Row = (i64, Option<String>, String, Option<f64>);
    let sql =
        "SELECT id, name_key, approval_status, icp_score FROM leads WHERE tenant = ?1 ORDER BY id";
    let rows: Vec<Row> = db.rows(sql, params![TENANT.0], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    let value = |(_, name, status, score): &Row, field: LeadField| match field {
        LeadField::Name => name.clone().map(Value::from),
        LeadField::ApprovalStatus => Some(Value::from(status.clone())),
        _ => score.map(Value::from),
    };
    let filters = filter::read::<LeadField>(&list.filters).unwrap();
    let search = Search::of(list.search.as_deref());
    let mut found: Vec<&Row> = rows.iter().collect();
    found.retain(|row| {
        let values = |field| Vec::from_iter(value(row, field));
        filters.iter().all(|filter| match &filter.field {
            Field::Known(field) => filter.holds(&values(*field)),
            Field::Custom(_) => false,
        }) && search.finds(&[row.1.as_deref().unwrap_or_default()])
    });
    let field: LeadField = list.sort_by.to_string().parse().unwrap();
    let is_descending = list.sort_dir == SortDir::Desc;
    if is_descending {
        found.reverse();
    }
    found.sort_by(
        |one, other| match (value(one, field), value(other, field)) {
            (Some(one), Some(other)) if is_descending => other.order(&one),
            (Some(one), Some(other)) => one.order(&other),
            (one, other) => other.is_some().cmp(&one.is_some()),
        },
    );
    Ok(Page {
        total: found.len() as u64,
        rows: found.into_iter().map(|row| row.0).collect(),
    })
}

async fn check(store: &Store, random: &mut Rng) {
    let (list, index) = (list(random), store.index());
    let read = store.read_in(TENANT, move |db| {
        let query = Query::of_leads(&list, &CustomKeys::default())?;
        let columns = index.read(db, TENANT, &query.columns())?;
        let found = query.page(&columns, Part::ALL)?;
        Ok((found, oracle(db, &list)?, list))
    });
    let (found, expected, list) = read.await.unwrap();
    assert_eq!(found, expected, "{list:?}");
}

/// Changes and reads through one process, in turn, while others do the same.
async fn process(store: Store, number: u64) {
    let mut random = Rng::with_seed(number);
    for _ in 0..STEPS {
        change(&store, number, &mut random).await;
        check(&store, &mut random).await;
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn processes_on_one_database_see_what_each_of_them_has_changed() {
    use crate::store::postgres::Target;

    let database = lead_workspace_test_postgres::Server::shared().empty_database();
    let mut processes = Vec::new();
    for number in 1..=PROCESSES {
        let target = Target::of_url(&database.url()).unwrap();
        let store = tokio::task::spawn_blocking(|| Store::open_database(target, None));
        let store = store.await.unwrap().unwrap();
        processes.push(tokio::spawn(process(store, number)));
    }
    for process in processes {
        process.await.unwrap();
    }
}

/// Commands do not write which leads they change, as a deletion of a workspace does not.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_service_sees_what_commands_beside_it_have_changed() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut command = SharedDatabase::of_folder(dir.path()).unwrap();
    let service = [1, 2].map(|number| tokio::spawn(process(store.clone(), number)));
    let commands = tokio::task::spawn_blocking(move || {
        let mut random = Rng::with_seed(3);
        for _ in 0..200 {
            let lead_id = lead_id(&mut random);
            let status = one_of(&["approved", "filtered"], &mut random);
            let change = |db: Db<'_>| {
                versions::record_change(db, Some(TENANT))?;
                let sql =
                    "UPDATE leads SET approval_status = ?3 WHERE tenant = ?1 AND lead_id = ?2";
                db.execute(sql, params![TENANT.0, lead_id, status])
            };
            command.change(change).unwrap();
        }
    });
    for process in service {
        process.await.unwrap();
    }
    commands.await.unwrap();
}

/// Only in debug builds, where triggers record what a change touches.
#[cfg(debug_assertions)]
#[tokio::test]
async fn a_change_that_does_not_note_what_it_touches_fails() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    for is_noted in [true, false] {
        let add = move |db: Db<'_>| {
            let sql = "INSERT INTO leads (tenant, lead_id, created_at) VALUES (?1, ?2, '')";
            let lead = db.insert(sql, params![TENANT.0, is_noted.to_string()])?;
            if is_noted {
                db.touch(TENANT, ChangeKind::ALL, lead);
            }
            Ok(())
        };
        let added = store.write_in(TENANT, add).await;
        assert_eq!(added.is_ok(), is_noted, "{added:?}");
    }
}

#[tokio::test]
async fn entries_of_old_versions_are_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut random = Rng::with_seed(1);
    for _ in 0..20 {
        change(&store, 1, &mut random).await;
    }
    let count = |db: Db<'_>| -> Result<i64, StoreError> {
        let sql = "SELECT count(*) FROM changes WHERE tenant = ?1";
        db.value(sql, params![TENANT.0])
    };
    store.prune_changes().await.unwrap();
    let all = store.read(count).await.unwrap();
    assert!(all >= 20, "{all}");
    let later = |db: Db<'_>| {
        let sql = "UPDATE versions SET version = version + ?2 WHERE tenant = ?1";
        db.execute(sql, params![TENANT.0, KEPT - 5])
    };
    store.maintain(later).await.unwrap();
    store.prune_changes().await.unwrap();
    assert_eq!(store.read(count).await.unwrap(), 5);
    check(&store, &mut random).await;
}

#[tokio::test]
async fn entries_are_deleted_after_a_day_but_not_the_last_ones() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    let mut random = Rng::with_seed(1);
    for _ in 0..20 {
        change(&store, 1, &mut random).await;
    }
    let make_older = |db: Db<'_>| {
        let sql = "UPDATE changes SET at = '2026-01-01T00:00:00.000Z' WHERE tenant = ?1
                   AND version <= (SELECT min(version) + 9 FROM changes WHERE tenant = ?1)";
        db.execute(sql, params![TENANT.0])
    };
    assert!(store.maintain(make_older).await.unwrap() >= 10);
    let count = |db: Db<'_>| -> Result<(i64, i64), StoreError> {
        let sql =
            "SELECT count(*), coalesce(sum(at < '2026-02'), 0) FROM changes WHERE tenant = ?1";
        db.one(sql, params![TENANT.0], |row| Ok((row.get(0)?, row.get(1)?)))
    };
    let before = store.read(count).await.unwrap();
    store.prune_changes().await.unwrap();
    assert_eq!(store.read(count).await.unwrap(), before);
    let later = |db: Db<'_>| {
        let sql = "UPDATE versions SET version = version + ?2 WHERE tenant = ?1";
        db.execute(sql, params![TENANT.0, ALWAYS_KEPT])
    };
    store.maintain(later).await.unwrap();
    store.prune_changes().await.unwrap();
    assert_eq!(store.read(count).await.unwrap(), (before.0 - before.1, 0));
}
