//! How many rows a query leaves, remembered while nothing changes: whoever leafs through a large
//! result counts it once.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

use lru::LruCache;
use rusqlite::{Connection, params_from_iter};

use super::StoreError;
use super::sql::Conditions;

/// A key that is longer is not kept: filters may hold megabytes of values.
const LONGEST_KEY: usize = 16 * 1024;

const KEPT: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);

/// Totals that were counted lately. Clones share them.
#[derive(Clone)]
pub(super) struct Totals(Arc<Mutex<LruCache<String, (u64, u64)>>>);

impl Totals {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(LruCache::new(KEPT))))
    }

    /// Counts the rows of a table that the conditions leave. `version` is the store's version from
    /// before the read began: a total that was counted since is as new as the read or newer.
    pub(super) fn count(
        &self,
        connection: &Connection,
        table: &str,
        conditions: &Conditions,
        version: u64,
    ) -> Result<u64, StoreError> {
        let key = format!("{table} {} {:?}", conditions.text(), conditions.values());
        let known = self.lock().get(&key).copied();
        if let Some((_, total)) = known.filter(|(counted, _)| *counted == version) {
            return Ok(total);
        }
        let sql = format!(
            "SELECT count(*) FROM {table} WHERE {}",
            conditions.covered()
        );
        let total: i64 = connection
            .prepare_cached(&sql)?
            .query_row(params_from_iter(conditions.values()), |row| row.get(0))?;
        let total = total.unsigned_abs();
        if key.len() <= LONGEST_KEY {
            self.lock().put(key, (version, total));
        }
        Ok(total)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, LruCache<String, (u64, u64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::{LONGEST_KEY, Totals};
    use crate::store::Tenant;
    use crate::store::sql::Conditions;

    #[test]
    fn long_values_are_counted_and_not_kept() {
        let connection = Connection::open_in_memory().unwrap();
        let table = "CREATE TABLE leads (tenant, name); INSERT INTO leads VALUES (1, 'x')";
        connection.execute_batch(table).unwrap();
        let totals = Totals::new();
        for (length, kept) in [(10, 1), (LONGEST_KEY, 1)] {
            let mut conditions = Conditions::of(Tenant(1), "l");
            let value = conditions.value("y".repeat(length));
            conditions.and(&format!("l.name <> {value}"));
            let total = totals.count(&connection, "leads l", &conditions, 1);
            assert_eq!(total.unwrap(), 1);
            assert_eq!(totals.lock().len(), kept, "{length}");
        }
    }
}
