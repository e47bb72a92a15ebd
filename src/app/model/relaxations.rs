//! Query relaxation for an empty result: what could be dropped to get more rows.

use super::filters::FilterKey;
use super::lead_tab::Tab;
use super::view::{AccountsView, ActiveFilter, LeadsView};

/// A part of a view that can be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relaxable {
    Filter(FilterKey),
    Search,
    Tab,
}

/// A relaxation: what to drop, and the view without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relaxation<C = Relaxable, V = LeadsView> {
    pub condition: C,
    pub view: V,
}

/// Returns one relaxation for each filter, then for the search and the tab. The latest filter comes
/// first, because it is the likeliest cause.
pub fn relaxations(view: &LeadsView) -> Vec<Relaxation> {
    let parts = view
        .filters
        .parts()
        .into_iter()
        .rev()
        .map(|part| Relaxation {
            condition: Relaxable::Filter(part),
            view: view.filtered(view.filters.without(part)),
        });
    let search = view.table.term().map(|_| Relaxation {
        condition: Relaxable::Search,
        view: view.with(view.table.searched("")),
    });
    let tab = (view.tab != Tab::All).then(|| Relaxation {
        condition: Relaxable::Tab,
        view: view.on(Tab::All),
    });
    parts.chain(search).chain(tab).collect()
}

/// Returns one relaxation for each filter, then for the list, the search and promotion. The latest filter comes first,
/// because it is the likeliest cause.
pub fn account_relaxations(view: &AccountsView) -> Vec<Relaxation<ActiveFilter, AccountsView>> {
    let filters = (0..view.filters.len()).rev().map(ActiveFilter::Filter);
    let list = view.list.as_ref().map(|_| ActiveFilter::List);
    let search = view.table.term().map(|_| ActiveFilter::Search);
    let promoted = (!view.unpromoted).then_some(ActiveFilter::Promoted);
    let all = filters.chain(list).chain(search).chain(promoted);
    let relaxation = |condition| Relaxation {
        condition,
        view: view.without(condition),
    };
    all.map(relaxation).collect()
}

/// Returns the indices of the relaxations, best first. `counts` has the number of leads that each
/// would show; `None` is not known yet. Suggestions with 0 leads are left out, unless all have 0.
pub fn ranked(counts: &[Option<u64>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    let helps = |index: &usize| counts[*index] != Some(0);
    if order.iter().any(helps) {
        order.retain(helps);
    }
    // The sort is stable: among unknown counts, the latest filter stays first.
    order.sort_by_key(|index| std::cmp::Reverse(counts[*index].unwrap_or_default()));
    order
}
