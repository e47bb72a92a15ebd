//! The rows in view, to read them again in place.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::Listing;
use crate::app::model::page_cache::PageCache;
use crate::app::state::grid_selection::Selectable;

impl<R: Clone + PartialEq + Selectable + Send + Sync + 'static> Listing<R> {
    /// Returns the pages in view and the size of a page. `None` if none is loaded.
    pub fn pages_in_view(self) -> Option<(RangeInclusive<u64>, u32)> {
        let shown = self.rendered();
        let last = shown.end.saturating_sub(1).max(shown.start);
        let of = |pages: &PageCache<R>| {
            let in_view = pages.page(shown.start)..=pages.page(last);
            (!pages.is_empty()).then(|| (in_view, pages.size()))
        };
        self.pages.try_with_untracked(of).flatten()
    }

    /// Returns the ids of the wanted rows of the pages in view, in the order of the list.
    pub fn ids_in_view(self, is_wanted: &dyn Fn(&str) -> bool) -> Vec<Arc<str>> {
        let Some((in_view, _)) = self.pages_in_view() else {
            return Vec::new();
        };
        let of = |pages: &PageCache<R>| {
            let rows = pages.rows();
            let rows = rows.filter(|(index, _)| in_view.contains(&pages.page(*index)));
            let ids = rows.map(|(_, row)| row.id());
            let ids = ids.filter(|id| !id.is_empty() && is_wanted(id));
            ids.map(Arc::from).collect()
        };
        self.pages.try_with_untracked(of).unwrap_or_default()
    }

    /// Rows changed: the pages out of view that have them are read again when they are needed.
    pub fn expire_out_of_view(self, has_changed: &dyn Fn(&str) -> bool) {
        self.forget_recent();
        let Some((in_view, _)) = self.pages_in_view() else {
            return;
        };
        self.pages.try_maybe_update(|pages| {
            let changed = pages.rows().filter(|(_, row)| has_changed(row.id()));
            let changed: Vec<u64> = changed.map(|(index, _)| pages.page(index)).collect();
            pages.expire(|page| !in_view.contains(&page) && changed.contains(&page));
            (false, ())
        });
    }
}
