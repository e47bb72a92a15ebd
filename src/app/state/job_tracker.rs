//! Scoring jobs, started here or in another tab. This module has what the first page needs: whether there are jobs,
//! and what the user wants to score. Everything else is loaded with the tray.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::session::Session;
use crate::app::model::scoring_jobs;
use crate::app::model::scoring_jobs::job_labels::ScoreChanges;
use crate::app::model::scoring_jobs::{RecordKind, Scoring};
use crate::app::reactive::{RwSignal, StoredValue};
use crate::platform::storage;

pub mod job_check;
pub mod job_progress;
mod job_storage;
pub mod refresh_rows;
pub mod start_job;

/// A scoring that the user asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JobPrompt {
    /// This one, after confirmation.
    For(Scoring),
    /// A list that is yet to be chosen.
    List(RecordKind),
}

#[derive(Clone, Copy)]
pub struct Jobs {
    /// The known jobs. Filled by the tray.
    pub list: RwSignal<scoring_jobs::JobList>,
    /// The scoring in the dialog.
    pub prompt: RwSignal<Option<JobPrompt>>,
    /// How scores on screen changed, by job number.
    pub changes: RwSignal<Vec<(u64, ScoreChanges)>>,
    /// The job to announce to screen readers.
    pub announced: RwSignal<Option<u64>>,
    /// Whether an earlier visit or another tab stored jobs.
    stored: RwSignal<bool>,
    /// The jobs that this tab is starting.
    starting: StoredValue<Vec<u64>>,
    /// The prefix of all slots of the workspace. `None` in a host page.
    slots: StoredValue<Option<Arc<str>>>,
}

impl Jobs {
    /// Starts without jobs. Only checks whether some are stored.
    pub fn start(session: Session) -> Self {
        let slots = (!session.is_embedded()).then(|| slots(&session.storage_scope()));
        let stored = RwSignal::new(slots.as_deref().is_some_and(any));
        if let Some(ours) = slots.clone() {
            let listener = window_event_listener(ev::storage, move |event| {
                let is_ours = event.key().is_some_and(|slot| slot.starts_with(&*ours));
                if is_ours && event.new_value().is_some() {
                    stored.set(true);
                }
            });
            on_cleanup(move || listener.remove());
        }
        Self {
            list: RwSignal::new(scoring_jobs::JobList::default()),
            prompt: RwSignal::new(None),
            changes: RwSignal::new(Vec::new()),
            announced: RwSignal::new(None),
            stored,
            starting: StoredValue::new(Vec::new()),
            slots: StoredValue::new(slots),
        }
    }

    /// Returns whether there is anything to show.
    pub fn any(self) -> bool {
        let prompt = self.prompt.with(Option::is_some);
        prompt || self.stored.get() || self.list.with(|list| !list.all().is_empty())
    }

    /// Asks for confirmation before scoring.
    pub fn ask_to_confirm(self, scoring: Option<Scoring>) {
        if let Some(scoring) = scoring {
            self.prompt.set(Some(JobPrompt::For(scoring)));
        }
    }
}

impl Jobs {
    /// Announces a job to screen readers.
    fn announce(self, job: &scoring_jobs::ScoringJob) {
        self.announced.set(Some(job.number));
    }
}

fn slots(base: &str) -> Arc<str> {
    ["lead-workspace.job ", base, " "].concat().into()
}

fn any(slots: &str) -> bool {
    storage::local().is_some_and(|storage| !storage::names(&storage, slots).is_empty())
}

/// Returns the current time, in milliseconds since 1970.
pub fn now() -> i64 {
    js_sys::Date::now() as i64
}
