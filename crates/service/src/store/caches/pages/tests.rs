use lead_workspace_api::{LeadField, LeadQuery, LeadSort, SortDir};
use lead_workspace_index::{ChangeKind, ColumnId, CustomKeys, Page, Part, Query};

use super::{AT_ONCE, Pages, around};
use crate::demo;
use crate::lock::lock;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::index_host::IndexHost;
use crate::store::tenant::Tenant;

fn part(offset: u64, limit: u64) -> Part {
    Part { offset, limit }
}

#[test]
fn a_part_has_whole_pages() {
    assert_eq!(around(part(0, 50)), part(0, 1_000));
    assert_eq!(around(part(950, 50)), part(0, 1_000));
    assert_eq!(around(part(1_000, 50)), part(1_000, 1_000));
    assert_eq!(around(part(960, 30)), part(0, 990));
    assert_eq!(around(part(990, 30)), part(990, 990));
    assert_eq!(around(part(3_000, 1_500)), part(3_000, 1_500));
    assert_eq!(around(part(0, 0)), part(0, 1_000));
}

/// All leads by name, or those of a search.
fn by_name(search: &str) -> Query {
    let query = LeadQuery {
        search: Some(search.to_owned()),
        sort_by: LeadSort::Name.into(),
        sort_dir: SortDir::Asc,
        ..LeadQuery::default()
    };
    Query::of_leads(&query, &CustomKeys::default()).unwrap()
}

async fn store(leads: u64) -> (tempfile::TempDir, Store) {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::open(dir.path()).unwrap();
    demo::fill(&store, Tenant(1), leads, 3, demo::EXAMPLE_NOW, |_, _, _| {})
        .await
        .unwrap();
    (dir, store)
}

async fn sql(store: &Store, sql: &'static str) {
    let change = move |db: Db<'_>| Ok(db.sqlite().execute_batch(sql)?);
    store.write_in(Tenant(1), change).await.unwrap();
}

/// A page of ten, and the same without what is remembered.
fn both(store: &Store, db: Db<'_>, offset: u64) -> Result<[Page; 2], StoreError> {
    let (query, part) = (by_name(""), part(offset, 10));
    Ok([
        store.0.pages.page(db, Tenant(1), &query, part)?.1,
        query.page(
            &IndexHost::default().read(db, Tenant(1), &query.columns())?,
            part,
        )?,
    ])
}

/// A read that began before a change gets the rows with it, if a later read has brought the columns to it.
#[tokio::test]
async fn a_page_is_of_one_state() {
    let (_dir, store) = store(60).await;
    let (began, has_begun) = std::sync::mpsc::channel();
    let (go_on, goes_on) = std::sync::mpsc::channel();
    let old_read = tokio::spawn({
        let store = store.clone();
        async move {
            let in_read = store.clone();
            let read = move |db: Db<'_>| {
                Tenant::default_of(db)?;
                began.send(()).unwrap();
                goes_on.recv().unwrap();
                both(&in_read, db, 0)
            };
            store.read(read).await.unwrap()
        }
    });
    tokio::task::spawn_blocking(move || has_begun.recv().unwrap())
        .await
        .unwrap();
    sql(&store, "DELETE FROM leads WHERE id % 2 = 0").await;
    let in_read = store.clone();
    let [new, expected] = store.read(move |db| both(&in_read, db, 0)).await.unwrap();
    assert_eq!(new, expected);
    go_on.send(()).unwrap();
    let [old, expected] = old_read.await.unwrap();
    assert_eq!(old, expected);
    assert_eq!((old.total, new.total), (30, 30));
}

/// One search for many pages, until something changes that they depend on.
#[tokio::test]
async fn rows_are_found_once_for_many_pages() {
    let (_dir, store) = store(60).await;
    store.load_columns().await.unwrap();
    let uses = async |offset| {
        let before = store.column_uses();
        let in_read = store.clone();
        let [page, expected] = store
            .read(move |db| both(&in_read, db, offset))
            .await
            .unwrap();
        assert_eq!(page, expected);
        store.column_uses() - before
    };
    assert!(uses(0).await > 0);
    for offset in [0, 10, 50, 60, 980] {
        assert_eq!(uses(offset).await, 0);
    }
    assert!(uses(AT_ONCE).await > 0);
    for (kind, column) in [
        (ChangeKind::SCORE, "icp_score = 1"),
        (ChangeKind::LEAD, "name = 'A', name_folded = NULL"),
    ] {
        let change = move |db: Db<'_>| {
            db.touch(Tenant(1), kind, 9);
            db.execute(
                &format!("UPDATE leads SET {column} WHERE tenant = 1 AND id = 9"),
                &[],
            )
        };
        store.write_in(Tenant(1), change).await.unwrap();
        if kind == ChangeKind::SCORE {
            assert_eq!(uses(0).await, 0);
        }
    }
    assert!(uses(0).await > 0);
}

#[tokio::test]
async fn rows_are_limited_in_bytes() {
    let (_dir, store) = store(300).await;
    let pages = Pages::new(store.index());
    let in_read = pages.clone();
    let fill = move |db: Db<'_>| {
        for word in 0..super::BUDGET / 20_000 {
            let query = by_name(&format!("{}{word}", "x".repeat(20_000)));
            in_read.page(db, Tenant(1), &query, part(0, 50))?;
        }
        let mut query = by_name("");
        for field in [LeadField::Name, LeadField::Title] {
            query.sort.column = ColumnId::Lead(field);
            in_read.page(db, Tenant(1), &query, part(0, 50))?;
        }
        Ok(())
    };
    store.read(fill).await.unwrap();
    let found = lock(&pages.found);
    let kept: Vec<usize> = found
        .iter()
        .map(|(key, found)| key.query.len() + 8 * found.page.rows.len())
        .collect();
    let bytes: usize = kept.iter().sum();
    assert!(
        bytes < super::BUDGET && bytes > super::BUDGET / 2,
        "{bytes}"
    );
}
