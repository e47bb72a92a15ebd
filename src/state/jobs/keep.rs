//! The jobs in the browser's storage: one slot for each, so that tabs never write over each other's. A change of a
//! slot is how the other tabs hear of it. No key ever stands in one.

use leptos::ev;
use leptos::prelude::*;
use web_sys::Storage;

use super::{Jobs, now};
use crate::model::jobs::{Job, State};

impl Jobs {
    /// The name of the slot of a job, which is that of its lock, too.
    pub(super) fn slot(self, number: u64) -> String {
        let slots = self.slots.try_get_value().flatten();
        [slots.as_deref().unwrap_or_default(), &number.to_string()].concat()
    }

    /// Reads what was left, hears of what other tabs do, and says of which job there is news.
    pub fn recall(self, news: impl Fn(Job) + 'static) {
        let (Some(slots), Some(shelf)) = (self.slots.get_value(), local(self)) else {
            return;
        };
        let names = (0..shelf.length().unwrap_or_default()).filter_map(|at| shelf.key(at).ok()?);
        let ours = names.filter_map(|name| name.strip_prefix(&*slots)?.parse().ok());
        for number in ours.collect::<Vec<u64>>() {
            if self.reread(number).is_none() {
                self.list.try_update(|list| list.forget(number));
            }
        }
        let gone = self.list.try_update(|list| list.tidy(now()));
        for number in gone.unwrap_or_default() {
            let _ = shelf.remove_item(&self.slot(number));
        }
        let told = window_event_listener(ev::storage, move |event| {
            let number = event
                .key()
                .and_then(|name| name.strip_prefix(&*slots)?.parse().ok());
            let Some(number) = number else { return };
            if event.new_value().is_none() {
                self.list.try_update(|list| list.forget(number));
            } else if let Some(job) = self.reread(number) {
                news(job);
            }
        });
        on_cleanup(move || told.remove());
    }

    /// Reads a job again that another tab may have written. Gives it where it is another now; one
    /// that makes no sense goes.
    pub(super) fn reread(self, number: u64) -> Option<Job> {
        let storage = local(self)?;
        let slot = self.slot(number);
        let text = storage.get_item(&slot).ok().flatten()?;
        let Some(job) = Job::of_kept(number, &text) else {
            let _ = storage.remove_item(&slot);
            return None;
        };
        let news = self.list.try_maybe_update(|list| {
            let news = list.hear(job);
            (news, news.then(|| list.get(number).cloned()))
        });
        news.flatten().flatten()
    }

    /// Writes a job down, for a reload and for the other tabs.
    pub(super) fn keep(self, job: &Job) {
        if let Some(storage) = local(self) {
            // A full storage: then it lasts as long as the page.
            let _ = storage.set_item(&self.slot(job.number), &job.kept());
        }
    }

    /// Something is found out about a job. Gives the job where that is news, after it was kept.
    pub(super) fn learn(self, number: u64, state: State) -> Option<Job> {
        let news = self.list.try_maybe_update(|list| {
            let news = list.learn(number, state);
            (news.is_some(), news)
        });
        let job = news.flatten()?;
        self.keep(&job);
        Some(job)
    }

    /// Nobody wants to see a job any more, in whichever tab.
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
    // Nothing is kept for a page of others.
    jobs.slots.try_get_value().flatten()?;
    window().local_storage().ok().flatten()
}
