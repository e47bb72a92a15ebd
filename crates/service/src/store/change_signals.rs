//! Tells those who follow a workspace that it may have changed: after the changes of this process at once, and after those
//! of others when they announce them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use tokio::sync::Notify;

use crate::lock::lock;
use crate::store::tenant::Tenant;

/// Who follows which workspace. Clones share it.
#[derive(Clone, Default)]
pub(super) struct ChangeSignals(Arc<Mutex<HashMap<Tenant, Weak<Notify>>>>);

impl ChangeSignals {
    /// Returns what is notified when a workspace may have changed. One follows it at a time, until it drops this.
    pub(super) fn follow(&self, tenant: Tenant) -> Arc<Notify> {
        let signal = Arc::new(Notify::new());
        let mut followed = lock(&self.0);
        followed.retain(|_, signal| signal.strong_count() > 0);
        followed.insert(tenant, Arc::downgrade(&signal));
        signal
    }

    /// Notifies the one who follows a workspace, or all if it is none.
    pub(super) fn notify(&self, tenant: Option<Tenant>) {
        let followed = lock(&self.0);
        let signals = match &tenant {
            Some(tenant) => followed.get(tenant).into_iter().collect::<Vec<_>>(),
            None => followed.values().collect(),
        };
        for signal in signals.into_iter().filter_map(Weak::upgrade) {
            signal.notify_one();
        }
    }
}
