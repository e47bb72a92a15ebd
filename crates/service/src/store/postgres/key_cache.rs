//! Keys that were found to be valid, for a second: a revoked key is refused by every process after that time.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use lru::LruCache;

use crate::lock::lock;
use crate::store::keys::Access;

const VALID_FOR: Duration = Duration::from_secs(1);

/// Number of keys, each with a workspace.
const SIZE: std::num::NonZeroUsize = std::num::NonZeroUsize::new(10_000).unwrap();

/// A key and the id of the workspace that was asked for.
type Asked = (String, Option<String>);

pub(super) struct KeyCache(Mutex<LruCache<Asked, (Instant, Access)>>);

impl Default for KeyCache {
    fn default() -> Self {
        Self(Mutex::new(LruCache::new(SIZE)))
    }
}

impl KeyCache {
    pub(super) fn get(&self, key: &str, tenant_id: Option<&str>) -> Option<Access> {
        let asked = (key.to_owned(), tenant_id.map(str::to_owned));
        let mut known = lock(&self.0);
        let (at, access) = known.get(&asked)?;
        (at.elapsed() < VALID_FOR).then(|| access.clone())
    }

    /// Keeps what was found for a key, if it is valid. The second begins before the lookup.
    pub(super) fn put(&self, key: String, tenant_id: Option<String>, at: Instant, access: &Access) {
        if let Access::Granted(_) = access {
            lock(&self.0).put((key, tenant_id), (at, access.clone()));
        }
    }
}
