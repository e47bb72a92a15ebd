//! Scoring that was started here or in another tab. What the first page needs of it stands here: whether
//! there is any, and what somebody wants to have scored. All else comes with the tray.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::session::Session;
use crate::model::jobs::words::Change;
use crate::model::jobs::{self, Kind, Scoring};
use crate::signal::RwSignal;

pub mod check;
pub mod follow;
mod keep;
pub mod start;
pub mod touched;

/// What somebody wants to have scored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asking {
    /// This, if they say yes.
    For(Scoring),
    /// A list that is yet to be chosen.
    List(Kind),
}

/// The jobs.
#[derive(Clone, Copy)]
pub struct Jobs {
    /// What is known of them. Filled by the tray.
    pub list: RwSignal<jobs::Jobs>,
    /// What somebody is asked about.
    pub asking: RwSignal<Option<Asking>>,
    /// What became of the scores that are shown, by the numbers of the jobs.
    pub changes: RwSignal<Vec<(u64, Change)>>,
    /// The job whose news is to be read out.
    pub heard: RwSignal<Option<u64>>,
    /// Whether an earlier visit or another tab left some.
    kept: RwSignal<bool>,
    /// Those that this tab is about to start.
    starting: StoredValue<Vec<u64>>,
    /// What the names of all slots of the workspace begin with; none in a page of others.
    slots: StoredValue<Option<Arc<str>>>,
}

impl Jobs {
    /// None known yet, but whether there are some is.
    pub fn start(session: Session) -> Self {
        let slots = (!session.is_hosted()).then(|| slots(&session.place()));
        let kept = RwSignal::new(slots.as_deref().is_some_and(any));
        if let Some(ours) = slots.clone() {
            let told = window_event_listener(ev::storage, move |event| {
                let is_ours = event.key().is_some_and(|slot| slot.starts_with(&*ours));
                if is_ours && event.new_value().is_some() {
                    kept.try_set(true);
                }
            });
            on_cleanup(move || told.remove());
        }
        Self {
            list: RwSignal::new(jobs::Jobs::default()),
            asking: RwSignal::new(None),
            changes: RwSignal::new(Vec::new()),
            heard: RwSignal::new(None),
            kept,
            starting: StoredValue::new(Vec::new()),
            slots: StoredValue::new(slots),
        }
    }

    /// Whether there is anything to show.
    pub fn any(self) -> bool {
        let asking = self.asking.with(Option::is_some);
        asking || self.kept.get() || self.list.with(|list| !list.all().is_empty())
    }

    /// Asks whether something is to be scored.
    pub fn ask(self, scoring: Option<Scoring>) {
        if let Some(scoring) = scoring {
            self.asking.set(Some(Asking::For(scoring)));
        }
    }
}

impl Jobs {
    /// There is news of a job, to be read out.
    fn say(self, job: &jobs::Job) {
        self.heard.try_set(Some(job.number));
    }
}

fn slots(base: &str) -> Arc<str> {
    ["lead-workspace.job ", base, " "].concat().into()
}

fn any(slots: &str) -> bool {
    let storage = window().local_storage().ok().flatten();
    storage.is_some_and(|storage| {
        let names = 0..storage.length().unwrap_or_default();
        let mut names = names.filter_map(|at| storage.key(at).ok().flatten());
        names.any(|name| name.starts_with(slots))
    })
}

/// The time, in milliseconds since 1970.
pub fn now() -> i64 {
    js_sys::Date::now() as i64
}
