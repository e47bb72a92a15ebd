//! Pages of the lists of leads and accounts.
//!
//! Rows are found for many pages at once and remembered, so that a page that is read again, or after the
//! one before it, does not go through all rows again. They are used as long as no row has changed that
//! could match, or in what the order depends on.

use std::sync::{Arc, Mutex};

use lead_workspace_index::{Page, Part, Query};

use super::sized_cache::SizedCache;
use crate::lock::lock;
use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::index_host::IndexHost;
use crate::store::tenant::Tenant;

/// Rows that are found at once.
const AT_ONCE: u64 = 1_000;

/// Memory for all rows, in bytes.
pub(in crate::store) const BUDGET: usize = 8 << 20;

/// Memory for the rows of a part besides their numbers and its query, approximately.
const OVERHEAD: usize = 200;

/// The pages of all workspaces. Clones share them.
#[derive(Clone)]
pub(in crate::store) struct Pages {
    host: IndexHost,
    found: Arc<Mutex<SizedCache<Key, Found>>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    tenant: Tenant,
    /// The query as text, with all that the rows depend on.
    query: String,
    part: Part,
}

impl Key {
    fn of(tenant: Tenant, query: &Query, page: Part) -> Self {
        Self {
            tenant,
            query: format!("{query:?}"),
            part: around(page),
        }
    }
}

struct Found {
    /// A version of the workspace at which these are the rows.
    version: i64,
    page: Page,
}

impl Pages {
    pub(in crate::store) fn new(host: IndexHost) -> Self {
        Self {
            host,
            found: Arc::new(Mutex::new(SizedCache::of(BUDGET))),
        }
    }

    /// Returns the rows of a page, and their version, that of the state of the database that the read sees from here on: its
    /// transaction may begin again; see [`IndexHost::read_at`].
    pub(in crate::store) fn page(
        &self,
        db: Db<'_>,
        tenant: Tenant,
        query: &Query,
        page: Part,
    ) -> Result<(i64, Page), StoreError> {
        let version = self.host.version(db, tenant)?;
        if let Some(cached) = self.cached(tenant, version, query, page) {
            return Ok((version, cached));
        }
        let (version, columns) = self.host.read_at(db, tenant, &query.columns())?;
        let key = Key::of(tenant, query, page);
        let part = key.part;
        let found = query.page(&columns, part)?;
        let rows = page_of(&found, page, part);
        let bytes = OVERHEAD + key.query.len() + size_of_val(&found.rows[..]);
        let mut all = lock(&self.found);
        if all.peek(&key).is_none_or(|old| old.version < version) {
            let found = Found {
                version,
                page: found,
            };
            all.put(key, found, bytes);
        }
        Ok((version, rows))
    }

    /// Returns the rows of a page at a version, if they are cached.
    pub(in crate::store) fn cached(
        &self,
        tenant: Tenant,
        version: i64,
        query: &Query,
        page: Part,
    ) -> Option<Page> {
        let key = Key::of(tenant, query, page);
        let mut all = lock(&self.found);
        let found = all.get(&key)?;
        let changes = self.host.changes();
        let changed = changes.between(tenant, found.version, version, query.changed_by())?;
        changed.is_empty().then(|| {
            found.version = found.version.max(version);
            page_of(&found.page, page, key.part)
        })
    }

    /// Forgets workspaces.
    pub(in crate::store) fn retain(&self, is_kept: impl Fn(Tenant) -> bool) {
        lock(&self.found).retain(|key| is_kept(key.tenant));
    }
}

/// Returns the part that a page is found with: as many whole pages as fit.
fn around(page: Part) -> Part {
    let limit = page.limit.max(1) * (AT_ONCE / page.limit.max(1)).max(1);
    Part {
        offset: page.offset - page.offset % limit,
        limit,
    }
}

fn page_of(found: &Page, page: Part, part: Part) -> Page {
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let rows = found.rows.iter().skip(number(page.offset - part.offset));
    Page {
        rows: rows.take(number(page.limit)).copied().collect(),
        total: found.total,
    }
}

#[cfg(test)]
mod tests;
