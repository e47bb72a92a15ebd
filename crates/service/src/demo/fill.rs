//! Writes the demo data into a store.

use std::sync::Arc;

use futures_util::stream::{self, StreamExt, TryStreamExt};
use jiff::Timestamp;
use lead_workspace_demo::Lead;

use super::ScoredDemo;
use super::write::{count_imports, write_accounts, write_catalog, write_leads};
use crate::scoring::{self, Score};
use crate::store::Store;
use crate::store::db::{Db, Fixed, params};
use crate::store::{StoreError, Tenant, drop_indexes, index_statements};

/// Leads and accounts per batch: large enough that a sync costs little, small enough that other
/// writes do not wait long.
const BATCH: u64 = 1000;

/// Leads per change of a data folder. It runs in a savepoint, which costs SQLite time at each statement in
/// proportion to what the change has touched so far. Changes that wait together share a commit.
const CHANGE: usize = 200;

/// Changes per batch.
const CHANGES: usize = BATCH as usize / CHANGE;

/// Name of the longest step.
const LEADS: &str = "demo leads";

/// Number of new leads from which it is faster to build the indexes at the end.
const BULK: u64 = 20_000;

/// Fills a workspace with demo data, up to `leads` leads of the seed in total. An interrupted fill
/// is resumed, and a second one adds nothing. `progress` receives the step, the amount done, and
/// the total. Nothing in it is later than `now`.
///
/// # Errors
/// Those of the store. What was written before stays.
pub async fn fill(
    store: &Store,
    tenant: Tenant,
    leads: u64,
    seed: u64,
    now: Timestamp,
    progress: impl FnMut(&'static str, u64, u64),
) -> Result<(), StoreError> {
    let demo = ScoredDemo::new(seed, leads, now);
    fill_in_bulk_from(BULK, store, tenant, leads, demo, progress).await
}

async fn fill_in_bulk_from(
    bulk: u64,
    store: &Store,
    tenant: Tenant,
    leads: u64,
    demo: ScoredDemo,
    mut progress: impl FnMut(&'static str, u64, u64),
) -> Result<(), StoreError> {
    let demo = Arc::new(demo);
    let known = Arc::clone(&demo);
    let (first_account, first_lead) = store
        .read(move |db| {
            let account = |number| known.records.company(number).account_id;
            let lead = |number| known.lead(number).lead_id;
            Ok((
                first_missing(
                    db,
                    tenant,
                    "accounts",
                    "account_id",
                    known.records.companies,
                    account,
                )?,
                first_missing(db, tenant, "leads", "lead_id", leads, lead)?,
            ))
        })
        .await?;
    // Others may be reading a database that is shared.
    let bulk = leads - first_lead >= bulk && !store.is_shared();
    if bulk {
        store.write(|db| drop_indexes(db.sqlite())).await?;
    }
    let filled = fill_tables(
        store,
        tenant,
        &demo,
        first_account,
        first_lead..leads,
        &mut progress,
    )
    .await;
    if bulk {
        build_indexes(store, &mut progress).await?;
    }
    filled?;
    let times = (demo.records.as_of(), demo.records.end());
    let companies = demo.records.companies;
    store
        .write(move |db| count_imports(db, tenant, &demo.records.catalog))
        .await?;
    scoring::score_demo_accounts(store, tenant, times, first_lead < leads, |done| {
        progress("account scores", done, companies);
    })
    .await
}

/// Builds the indexes one by one: all at once would make a transaction as large as the leads
/// themselves. If the program is killed here, the next opening of the folder builds the missing
/// ones.
async fn build_indexes(
    store: &Store,
    progress: &mut impl FnMut(&'static str, u64, u64),
) -> Result<(), StoreError> {
    let statements = index_statements();
    let all = statements.len() as u64;
    for (statement, done) in statements.into_iter().zip(1..) {
        store
            .write(move |db| Ok(db.sqlite().execute_batch(&statement)?))
            .await?;
        progress("indexes", done, all);
    }
    Ok(())
}

async fn fill_tables(
    store: &Store,
    tenant: Tenant,
    demo: &Arc<ScoredDemo>,
    first_account: u64,
    leads: std::ops::Range<u64>,
    progress: &mut impl FnMut(&'static str, u64, u64),
) -> Result<(), StoreError> {
    let catalog = Arc::clone(demo);
    store
        .write(move |db| write_catalog(db, tenant, &catalog.records.catalog))
        .await?;
    let mut next = first_account;
    while next < demo.records.companies {
        let batch = next..demo.records.companies.min(next + BATCH);
        next = batch.end;
        let demo = Arc::clone(demo);
        store
            .write(move |db| write_accounts(db, tenant, &demo.records, batch.clone()))
            .await?;
    }
    // Make the next batch while one is written.
    let mut next = make_batch(demo, leads.start, leads.end);
    let mut done = leads.start;
    while done < leads.end {
        let batch = next.await.map_err(|_| StoreError::Panicked)?;
        done += batch.len() as u64;
        next = make_batch(demo, done, leads.end);
        let demo = Arc::clone(demo);
        let batch = Arc::new(batch);
        // In a shared database, changes that are sent together may be committed in any order.
        let change = if store.is_shared() {
            batch.len()
        } else {
            CHANGE
        };
        let changes = (0..batch.len()).step_by(change).map(move |from| {
            let (batch, demo) = (Arc::clone(&batch), Arc::clone(&demo));
            store.write(move |db| {
                let leads = &batch[from..batch.len().min(from + change)];
                write_leads(db, tenant, &demo.records, leads)
            })
        });
        let written = stream::iter(changes).buffered(CHANGES);
        written.try_collect::<()>().await?;
        progress(LEADS, done, leads.end);
    }
    Ok(())
}

fn make_batch(
    demo: &Arc<ScoredDemo>,
    from: u64,
    end: u64,
) -> tokio::task::JoinHandle<Vec<Lead<Score>>> {
    let demo = Arc::clone(demo);
    tokio::task::spawn_blocking(move || {
        (from..end.min(from + BATCH))
            .map(|number| demo.lead(number))
            .collect()
    })
}

/// Returns the number of the first missing row. Rows are written in order, so a binary search is
/// enough.
fn first_missing(
    db: Db<'_>,
    tenant: Tenant,
    table: &str,
    column: &str,
    end: u64,
    id: impl Fn(u64) -> String,
) -> Result<u64, StoreError> {
    let sql = Fixed(format!(
        "SELECT 1 FROM {table} WHERE tenant = ?1 AND {column} = ?2"
    ));
    let (mut low, mut high) = (0, end);
    while low < high {
        let middle = low + (high - low) / 2;
        (low, high) = if db.exists(&sql, params![tenant.0, id(middle)])? {
            (middle + 1, high)
        } else {
            (low, middle)
        };
    }
    Ok(low)
}

#[cfg(test)]
mod tests {
    use super::{BULK, ScoredDemo, fill_in_bulk_from};
    use lead_workspace_demo::EXAMPLE_NOW;

    use crate::store::{Db, Store, Tenant};

    async fn filled(bulk: u64) -> (tempfile::TempDir, Vec<String>, Vec<&'static str>) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let tenant = store.read(Tenant::default_of).await.unwrap();
        let mut steps = Vec::new();
        let demo = ScoredDemo::new(3, 120, EXAMPLE_NOW);
        fill_in_bulk_from(bulk, &store, tenant, 120, demo, |step, done, total| {
            assert!(done <= total, "{step} {done} {total}");
            steps.push(step);
        })
        .await
        .unwrap();
        let read = |db: Db<'_>| {
            let mut select = db.sqlite().prepare(
                "SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL
                 UNION ALL SELECT lead_id || icp_score || company FROM leads
                 UNION ALL SELECT account_id || icp_score FROM accounts
                 ORDER BY 1",
            )?;
            let rows = select.query_map([], |row| row.get(0))?;
            Ok(rows.collect::<Result<Vec<String>, _>>()?)
        };
        let state = store.read(read).await.unwrap();
        steps.dedup();
        (dir, state, steps)
    }

    #[tokio::test]
    async fn bulk_fill_equals_row_by_row_fill() {
        let (_one, slow, steps) = filled(BULK).await;
        assert_eq!(steps, ["demo leads", "account scores"]);
        let (_two, bulk, steps) = filled(1).await;
        assert_eq!(steps, ["demo leads", "indexes", "account scores"]);
        assert!(slow.len() > 150);
        assert!(slow == bulk, "the two folders differ");
    }
}
