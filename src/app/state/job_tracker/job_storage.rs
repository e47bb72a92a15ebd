//! Jobs in the browser's storage. Each has its own slot, so that tabs do not overwrite each other's jobs. The
//! storage events of the slots notify other tabs. No API key is ever stored in a slot.

use leptos::ev;
use leptos::prelude::*;
use web_sys::Storage;

use super::{Jobs, now};
use crate::app::model::scoring_jobs::{JobSnapshot, ScoringJob};
use crate::platform::storage;

impl Jobs {
    /// Returns the name of a job's slot, which is also the name of its lock.
    pub(super) fn slot(self, number: u64) -> String {
        let slots = self.slots.try_get_value().flatten();
        [slots.as_deref().unwrap_or_default(), &number.to_string()].concat()
    }

    /// Reads the stored jobs and follows the changes of other tabs. Calls `changed` for every job that another tab
    /// changed.
    pub fn load_stored(self, changed: impl Fn(ScoringJob) + 'static) {
        let (Some(slots), Some(storage)) = (self.slots.get_value(), local(self)) else {
            return;
        };
        let names = storage::names(&storage, &slots);
        let number_of =
            move |name: &str| -> Option<u64> { name.strip_prefix(&*slots)?.parse().ok() };
        for number in names.iter().filter_map(|name| number_of(name)) {
            if self.reread(number).is_none() {
                self.list.try_update(|list| list.forget(number));
            }
        }
        let gone = self.list.try_update(|list| list.remove_outdated(now()));
        for number in gone.unwrap_or_default() {
            let _ = storage.remove_item(&self.slot(number));
        }
        let listener = window_event_listener(ev::storage, move |event| {
            let Some(number) = event.key().and_then(|name| number_of(&name)) else {
                return;
            };
            if event.new_value().is_none() {
                self.list.try_update(|list| list.forget(number));
            } else if let Some(job) = self.reread(number) {
                changed(job);
            }
        });
        on_cleanup(move || listener.remove());
    }

    /// Reads a stored job that another tab may have written. Returns it if it changed. Removes unreadable ones.
    pub(super) fn reread(self, number: u64) -> Option<ScoringJob> {
        let storage = local(self)?;
        let slot = self.slot(number);
        let text = storage.get_item(&slot).ok().flatten()?;
        let Some(job) = ScoringJob::from_stored(number, &text) else {
            let _ = storage.remove_item(&slot);
            return None;
        };
        let changed = self.list.try_maybe_update(|list| {
            let changed = list.merge(job);
            (changed, changed.then(|| list.get(number).cloned()))
        });
        changed.flatten().flatten()
    }

    /// Stores a job, for a reload and for other tabs.
    pub(super) fn store(self, job: &ScoringJob) {
        if let Some(storage) = local(self) {
            // If the storage is full, the job lasts as long as the page.
            let _ = storage.set_item(&self.slot(job.number), &job.stored());
        }
    }

    /// Updates a job with a new state. If that is news, stores the job and returns it.
    pub(super) fn update(self, number: u64, state: JobSnapshot) -> Option<ScoringJob> {
        let changed = self.list.try_maybe_update(|list| {
            let changed = list.update(number, state);
            (changed.is_some(), changed)
        });
        let job = changed.flatten()?;
        self.store(&job);
        Some(job)
    }

    /// Removes a job in all tabs.
    pub fn forget(self, number: u64) {
        if let Some(storage) = local(self) {
            let _ = storage.remove_item(&self.slot(number));
        }
        self.list.update(|list| {
            list.forget(number);
        });
    }
}

fn local(jobs: Jobs) -> Option<Storage> {
    // Nothing is stored for a host page.
    jobs.slots.try_get_value().flatten()?;
    storage::local()
}
