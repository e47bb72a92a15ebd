//! Cached row counts of queries, valid while the workspace is unchanged: paging through a large
//! result counts it once.
//!
//! Every change of a workspace increments its number in `versions`, in the same transaction. A read
//! sees rows and version of the same state, so a total is never used for data other than it was
//! counted on.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;
use rusqlite::{Connection, OptionalExtension, params_from_iter};

use super::sql::Conditions;
use super::{StoreError, Tenant};

/// Longer keys are not cached: filters may contain megabytes of values.
const MAX_KEY_BYTES: usize = 16 * 1024;

const CAPACITY: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);

/// Recently counted totals with the version of the workspace. Clones share them.
#[derive(Clone)]
pub(super) struct CountCache(Arc<Mutex<LruCache<String, (i64, u64)>>>);

/// Records a change of a workspace, or of all workspaces if `tenant` is `None`, and returns their
/// versions after it.
pub(super) fn record_change(
    connection: &Connection,
    tenant: Option<Tenant>,
) -> Result<Vec<(Tenant, i64)>, StoreError> {
    let sql = match tenant {
        Some(_) => {
            "INSERT INTO versions VALUES (?1, 1) ON CONFLICT DO UPDATE SET version = version + 1
             RETURNING tenant, version"
        }
        None => {
            "INSERT INTO versions SELECT tenant, 1 FROM tenants WHERE ?1 IS NULL
             ON CONFLICT DO UPDATE SET version = version + 1 RETURNING tenant, version"
        }
    };
    let tenant = tenant.map(|tenant| tenant.0);
    let mut record = connection.prepare_cached(sql)?;
    let versions = record.query_map([tenant], |row| Ok((Tenant(row.get(0)?), row.get(1)?)))?;
    Ok(versions.collect::<Result<_, _>>()?)
}

pub(super) fn version(connection: &Connection, tenant: Tenant) -> Result<i64, StoreError> {
    let sql = "SELECT version FROM versions WHERE tenant = ?1";
    let mut select = connection.prepare_cached(sql)?;
    let version = select.query_row([tenant.0], |row| row.get(0)).optional()?;
    Ok(version.unwrap_or(0))
}

impl CountCache {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(LruCache::new(CAPACITY))))
    }

    /// Counts the rows that match the conditions. Must run inside one read.
    pub(super) fn count(
        &self,
        connection: &Connection,
        tenant: Tenant,
        table: &str,
        conditions: &Conditions,
    ) -> Result<u64, StoreError> {
        let version = version(connection, tenant)?;
        let key = format!("{table} {} {:?}", conditions.text(), conditions.values());
        let cached = self.lock().get(&key).copied();
        if let Some((_, total)) = cached.filter(|(counted, _)| *counted == version) {
            return Ok(total);
        }
        let sql = format!(
            "SELECT count(*) FROM {table} WHERE {}",
            conditions.covered()
        );
        let total: i64 = connection
            .prepare(&sql)?
            .query_row(params_from_iter(conditions.values()), |row| row.get(0))?;
        let total = total.unsigned_abs();
        if key.len() <= MAX_KEY_BYTES {
            self.lock().put(key, (version, total));
        }
        Ok(total)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LruCache<String, (i64, u64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use lead_workspace_api::LeadQuery;
    use rusqlite::Connection;

    use super::{CountCache, MAX_KEY_BYTES};
    use crate::store::sql::Conditions;
    use crate::store::{Filters, Store, Tenant};

    #[test]
    fn long_values_are_counted_but_not_cached() {
        let connection = Connection::open_in_memory().unwrap();
        let tables = "CREATE TABLE versions (tenant, version);
            CREATE TABLE leads (tenant, name); INSERT INTO leads VALUES (1, 'x')";
        connection.execute_batch(tables).unwrap();
        let count_cache = CountCache::new();
        for (length, cached) in [(10, 1), (MAX_KEY_BYTES, 1)] {
            let mut conditions = Conditions::of(Tenant(1), "l");
            let value = conditions.value("y".repeat(length));
            conditions.and(&format!("l.name <> {value}"));
            let total = count_cache.count(&connection, Tenant(1), "leads l", &conditions);
            assert_eq!(total.unwrap(), 1);
            assert_eq!(count_cache.lock().len(), cached, "{length}");
        }
    }

    /// Adds a lead that the search finds.
    async fn add_anna(store: &Store, tenant: Tenant, lead_id: &'static str) {
        let add = move |connection: &Connection| {
            let sql = "INSERT INTO leads (tenant, lead_id, search_key, created_at)
                       VALUES (?1, ?2, 'anna', '')";
            Ok(connection.execute(sql, rusqlite::params![tenant.0, lead_id])?)
        };
        store.write_in(tenant, add).await.unwrap();
    }

    async fn annas(store: &Store, tenant: Tenant) -> Option<u64> {
        let query = LeadQuery {
            search: Some("anna".into()),
            ..LeadQuery::default()
        };
        let page = store.query_leads(tenant, Filters::default(), query).await;
        page.unwrap().total
    }

    fn cached(store: &Store) -> Vec<i64> {
        let count_cache = store.count_cache();
        let cached = count_cache.lock();
        let mut versions: Vec<_> = cached.iter().map(|(_, (version, _))| *version).collect();
        versions.sort_unstable();
        versions
    }

    #[tokio::test]
    async fn a_change_in_one_workspace_keeps_the_totals_of_others() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let other = store
            .write(|connection| Tenant::ensure(connection, "other"))
            .await
            .unwrap();
        let tenant = store.read(Tenant::default_of).await.unwrap();
        add_anna(&store, tenant, "one").await;
        assert_eq!(annas(&store, tenant).await, Some(1));
        assert_eq!(annas(&store, other).await, Some(0));
        let before = cached(&store);

        add_anna(&store, other, "two").await;
        assert_eq!(annas(&store, tenant).await, Some(1));
        assert_eq!(cached(&store), before, "the total was counted again");
        assert_eq!(annas(&store, other).await, Some(1));
        assert_eq!(annas(&store, tenant).await, Some(1));
    }

    /// A read that began before a change was committed must not use a total counted after it.
    #[tokio::test]
    async fn a_total_is_never_newer_than_its_read() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let tenant = store.read(Tenant::default_of).await.unwrap();
        let count_cache = store.count_cache();
        let (began, has_begun) = std::sync::mpsc::channel();
        let (go_on, goes_on) = std::sync::mpsc::channel();
        let old_read = tokio::spawn({
            let store = store.clone();
            async move {
                let count = move |connection: &Connection| {
                    let count = || -> Result<i64, _> {
                        connection.query_row("SELECT count(*) FROM leads", [], |row| row.get(0))
                    };
                    let rows = count()?;
                    began.send(()).unwrap();
                    goes_on.recv().unwrap();
                    let all = Conditions::of(tenant, "l");
                    let total = count_cache.count(connection, tenant, "leads l", &all)?;
                    Ok((rows, total))
                };
                store.read(count).await
            }
        });
        tokio::task::spawn_blocking(move || has_begun.recv().unwrap())
            .await
            .unwrap();
        add_anna(&store, tenant, "one").await;
        let count_cache = store.count_cache();
        let new_read = move |connection: &Connection| {
            count_cache.count(connection, tenant, "leads l", &Conditions::of(tenant, "l"))
        };
        assert_eq!(store.read(new_read).await.unwrap(), 1);
        go_on.send(()).unwrap();
        assert_eq!(old_read.await.unwrap().unwrap(), (0, 0));
    }
}
