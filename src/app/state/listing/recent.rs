//! Shows the rows of a recent query at once, and reads them again.

use super::{Listing, ListingState};
use crate::app::model::page_cache::PageCache;

impl<R: Clone + PartialEq + Send + Sync + 'static> Listing<R> {
    /// Stores the shown rows, if they are those of the current query.
    pub(super) fn store_shown(self) {
        let is_current = |state: &ListingState| {
            state.is_loaded && !state.stale && !state.outdated && state.error.is_none()
        };
        if self.state.with_untracked(is_current) {
            let query = self.query.get_untracked();
            let put = |pages: &_| self.recent.update_value(|recent| recent.put(query, pages));
            self.pages.with_untracked(put);
        }
    }

    /// Shows rows from the top that were read before, and reads those in view again.
    pub(super) fn show_again(self, pages: PageCache<R>) {
        self.tasks.update_value(Vec::clear);
        self.state.set(ListingState {
            is_loaded: true,
            ..ListingState::default()
        });
        self.range
            // An empty list is read again, too.
            .update_value(|range| *range = 0..(range.end - range.start).max(1));
        self.pages.set(pages);
        self.request_missing();
    }

    /// Whether a loaded row is where the current query has it, as far as known.
    pub fn is_current(self, index: u64) -> bool {
        let is_outdated = self.pages.with_untracked(|pages| pages.is_outdated(index));
        !self.is_stale() && !is_outdated
    }

    /// Drops the recent lists whose query `is_kept` rejects.
    pub fn keep_recent(self, is_kept: impl Fn(&str) -> bool) {
        self.recent.try_update_value(|recent| recent.keep(is_kept));
    }

    /// Drops all recent lists, because rows changed on the server, or may be those of another key. What is shown is not
    /// shown again, either, before it is reloaded.
    pub fn forget_recent(self) {
        self.keep_recent(|_| false);
        self.state
            .try_maybe_update(|state| (false, state.outdated = true));
    }
}
