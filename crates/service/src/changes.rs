//! The streams of changes: what happens in a workspace, sent to each of its clients as it happens.
//!
//! One [`Follower`] for each workspace with streams reads what has changed, once for all of them. It is woken by the
//! changes of this process and the announcements of others, and the versions of all followed workspaces are read
//! twice a second, in case a change was not announced. The same read finds keys that were revoked.

mod event;
mod follower;
mod stream;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use crate::lock::lock;
use crate::store::changes::Watched;
use crate::store::{Listener, Store, StoreError, Tenant};
use follower::Follower;

pub(crate) use stream::ChangeStream;

/// How often versions and keys are read.
const INTERVAL: Duration = Duration::from_millis(500);

/// The streams of a service. Clones share them.
#[derive(Clone)]
pub(crate) struct Streams(Arc<Shared>);

struct Shared {
    store: Store,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    followers: HashMap<Tenant, Arc<Follower>>,
    /// For each key of a stream, by its id, and for its workspace: dropped when the key opens it no longer.
    keys: HashMap<(String, Tenant), watch::Sender<()>>,
    is_watched: bool,
}

/// Ends when a key no longer opens a workspace.
pub(crate) struct KeyValidity(watch::Receiver<()>);

impl KeyValidity {
    pub(crate) async fn ended(&mut self) {
        // Nothing is sent.
        while self.0.changed().await.is_ok() {}
    }
}

impl Streams {
    pub(crate) fn new(store: Store) -> Self {
        Self(Arc::new(Shared {
            store,
            state: Mutex::default(),
        }))
    }

    /// Opens a stream of the changes after a version, by default the present one.
    ///
    /// # Errors
    /// Those of the store.
    pub(crate) async fn open(
        &self,
        tenant: Tenant,
        key_id: &str,
        since: Option<i64>,
    ) -> Result<ChangeStream, StoreError> {
        let store = &self.0.store;
        let validity = self.watch_key(key_id, tenant);
        let present = store.present_version(tenant).await?;
        let follower = self.follower(tenant, present);
        let (events, sent) = follower.subscribe(present).await?;
        let stream = ChangeStream::new(store.clone(), tenant, validity, events);
        Ok(match since {
            None => stream.after(sent),
            Some(since) => stream.after_earlier(since, sent),
        })
    }

    /// Watches a key of a stream.
    pub(crate) fn watch_key(&self, key_id: &str, tenant: Tenant) -> KeyValidity {
        let mut state = self.lock();
        let key = (key_id.to_owned(), tenant);
        let sender = state
            .keys
            .entry(key)
            .or_insert_with(|| watch::channel(()).0);
        let validity = KeyValidity(sender.subscribe());
        if !std::mem::replace(&mut state.is_watched, true) {
            tokio::spawn(watch(Arc::downgrade(&self.0)));
        }
        validity
    }

    fn follower(&self, tenant: Tenant, present: i64) -> Arc<Follower> {
        let mut state = self.lock();
        let start = || Follower::start(self.0.store.clone(), tenant, present);
        Arc::clone(state.followers.entry(tenant).or_insert_with(start))
    }

    /// Returns the workspaces and the keys of streams, and forgets those that no stream uses. Returns nothing, and ends the
    /// watch, if there are none.
    fn in_use(&self) -> Option<(Vec<Tenant>, HashSet<String>)> {
        let mut state = self.lock();
        state.keys.retain(|_, key| key.receiver_count() > 0);
        state
            .followers
            .retain(|_, follower| Follower::is_used(follower));
        state.is_watched = !state.keys.is_empty();
        let tenants = state.followers.keys().copied().collect();
        let keys = state.keys.keys().map(|(key_id, _)| key_id.clone());
        let keys = keys.collect();
        state.is_watched.then_some((tenants, keys))
    }

    /// Ends the streams of keys that are no longer valid, and wakes the followers that are behind.
    fn apply(&self, asked: &HashSet<String>, watched: &Watched) {
        let mut state = self.lock();
        // Others were added meanwhile.
        let is_valid =
            |key: &(String, Tenant)| !asked.contains(&key.0) || watched.keys.contains(key);
        state.keys.retain(|key, _| is_valid(key));
        for (tenant, version) in &watched.versions {
            if let Some(follower) = state.followers.get(tenant) {
                follower.expect(*version);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        lock(&self.0.state)
    }
}

/// Reads versions and keys twice a second, as long as there are streams.
async fn watch(streams: Weak<Shared>) {
    let mut listener: Option<Listener> = None;
    let mut has_failed = false;
    loop {
        sleep(INTERVAL).await;
        let Some(streams) = streams.upgrade().map(Streams) else {
            return;
        };
        let Some((tenants, keys)) = streams.in_use() else {
            return;
        };
        if !tenants.is_empty() && listener.is_none() {
            listener = streams.0.store.listen();
        }
        match streams.0.store.watch(tenants, keys.clone()).await {
            Ok(watched) => {
                has_failed = false;
                streams.apply(&keys, &watched);
            }
            Err(error) if !has_failed => {
                has_failed = true;
                tracing::warn!(%error, "cannot watch the streams of changes; they go on meanwhile");
            }
            Err(_) => {}
        }
    }
}
