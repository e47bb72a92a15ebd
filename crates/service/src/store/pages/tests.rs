use super::{AT_ONCE, Pages, around};
use crate::demo;
use crate::store::columns::{Columns, Table};
use crate::store::search::Search;
use crate::store::sorted_page::{Part, Query, Sort, SortedPage};
use crate::store::{Db, Filters, Store, StoreError, Tenant, doctor};

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
    Query {
        table: Table::Leads,
        filters: Filters::default(),
        search: Search::of(Some(search)),
        sort: Sort {
            column: "l.name_key",
            descending: false,
        },
    }
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
    let change = move |db: Db<'_>| {
        db.sqlite().execute_batch(sql)?;
        doctor::recount(db)
    };
    store.write_in(Tenant(1), change).await.unwrap();
}

/// A page of ten, and the same without what is remembered.
fn both(store: &Store, db: Db<'_>, offset: u64) -> Result<[SortedPage; 2], StoreError> {
    let (query, part) = (by_name(""), part(offset, 10));
    Ok([
        store.0.pages.page(db, Tenant(1), &query, part)?,
        query.read(db, Tenant(1), part)?,
    ])
}

/// A read that began before a change gets the rows without it, although a later read has found others, and
/// the later one does not get those of the earlier.
#[tokio::test]
async fn a_page_is_of_the_state_that_the_read_sees() {
    let (_dir, store) = store(60).await;
    let (began, has_begun) = std::sync::mpsc::channel();
    let (go_on, goes_on) = std::sync::mpsc::channel();
    let old_read = tokio::spawn({
        let store = store.clone();
        async move {
            let in_read = store.clone();
            let read = move |db: Db<'_>| {
                let before = both(&in_read, db, 0)?;
                began.send(()).unwrap();
                goes_on.recv().unwrap();
                Ok((before, both(&in_read, db, 0)?))
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
    let (before, after) = old_read.await.unwrap();
    assert_eq!(before, after);
    assert_eq!(before[0], before[1]);
    assert_eq!((before[0].total, new.total), (60, 30));
    let in_read = store.clone();
    let again = store.read(move |db| both(&in_read, db, 0)).await.unwrap();
    assert_eq!(again, [expected, new]);
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
    sql(
        &store,
        "UPDATE leads SET approval_status = 'filtered', icp_score = 1",
    )
    .await;
    assert_eq!(uses(0).await, 0);
    sql(
        &store,
        "UPDATE leads SET name = 'A', name_folded = NULL WHERE id = 9",
    )
    .await;
    assert!(uses(0).await > 0);
}

#[tokio::test]
async fn rows_are_limited_in_bytes() {
    let (_dir, store) = store(300).await;
    let pages = Pages::new(Columns::new(store.columns().changes().clone()));
    let in_read = pages.clone();
    let fill = move |db: Db<'_>| {
        for word in 0..super::BUDGET / 20_000 {
            let query = by_name(&format!("{}{word}", "x".repeat(20_000)));
            in_read.page(db, Tenant(1), &query, part(0, 50))?;
        }
        let mut query = by_name("");
        for column in ["l.name_key", "l.title_key"] {
            query.sort.column = column;
            in_read.page(db, Tenant(1), &query, part(0, 50))?;
        }
        Ok(())
    };
    store.read(fill).await.unwrap();
    let found = pages.lock();
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

/// In a large workspace whose columns are not in memory, the rows that match are many.
#[tokio::test]
async fn a_page_in_sql_reads_only_its_rows() {
    let (_dir, store) = store(2_000).await;
    let steps = store.count_steps();
    let mut needed = Vec::new();
    for limit in [10, 2_000] {
        steps.store(0, std::sync::atomic::Ordering::Relaxed);
        let read = move |db: Db<'_>| by_name("a").read(db, Tenant(1), part(20, limit));
        let found = store.read(read).await.unwrap();
        assert!(found.total > 1_000);
        assert_eq!(found.rows.len() as u64, limit.min(found.total - 20));
        needed.push(steps.load(std::sync::atomic::Ordering::Relaxed));
    }
    assert!(needed[0] + 1_000 < needed[1], "{needed:?}");
}
