//! The screen follows the changes that others make in the workspace. This module has what the first page needs: whether
//! there is anything to show. Everything else is loaded after the first rows.

use lead_workspace_api::ApprovalStatus;
use leptos::prelude::*;

use self::follower::Follower;
use crate::app::reactive::{RwSignal, StoredValue, effect};

mod apply;
pub mod follower;
pub mod own_decision;
mod pending;
mod rereads;
mod shared_stream;
mod tabs;
mod throttle;

/// Returns how long ago someone else gave a lead this status; empty if that is not known, `None` if the status is not
/// someone else's. A function pointer, which does not make the follower a part of the code that calls it.
type AgeOfOthers = fn(Follower, &str, &ApprovalStatus) -> Option<String>;

#[derive(Clone, Copy)]
pub struct Live {
    /// Whether the connection is shown. Not before the stream was open, or before a server without one.
    pub is_on: RwSignal<bool>,
    /// Whether there is a line above the list.
    pub has_news: RwSignal<bool>,
    /// Notifies that leads, accounts or campaigns changed on the server, so that pages read them again. Not more often than
    /// every few seconds.
    reread: RwSignal<()>,
    /// Notifies of marks and their ages.
    marks_changed: RwSignal<()>,
    follower: StoredValue<Option<(Follower, AgeOfOthers)>>,
}

impl Live {
    pub fn start() -> Self {
        Self {
            is_on: RwSignal::new(false),
            has_news: RwSignal::new(false),
            reread: RwSignal::new(()),
            marks_changed: RwSignal::new(()),
            follower: StoredValue::new(None),
        }
    }

    /// Calls `run` whenever pages are to read again what changed on the server.
    pub fn on_reread(self, run: impl Fn() + 'static) {
        let mut is_first = true;
        effect(move || {
            self.reread.track();
            if !std::mem::take(&mut is_first) {
                untrack(&run);
            }
        });
    }

    /// Returns the follower. `None` until it is loaded.
    pub fn follower(self) -> Option<Follower> {
        let follower = self.follower.try_get_value().flatten();
        follower.map(|(follower, _)| follower)
    }

    /// Returns how long ago someone else gave a lead the status that is shown, tracked.
    pub fn age(self, lead: &str, status: &ApprovalStatus) -> Option<String> {
        self.marks_changed.track();
        let (follower, age) = self.follower.try_get_value().flatten()?;
        age(follower, lead, status)
    }
}
