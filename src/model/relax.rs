//! What could be given up where nothing matches.

use super::filters::Part;
use super::tab::Tab;
use super::view::LeadsView;

/// What stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Culprit {
    /// One of the filters.
    Part(Part),
    /// The search.
    Search,
    /// The tab.
    Tab,
}

/// A way to more rows: what is given up for it, and the view without it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way<C = Culprit, V = LeadsView> {
    /// What is given up.
    pub culprit: C,
    /// The view without it.
    pub view: V,
}

/// Every single thing that a view could give up, the latest first: it is the likeliest.
pub fn ways(view: &LeadsView) -> Vec<Way> {
    let parts = view.filters.parts().into_iter().rev().map(|part| Way {
        culprit: Culprit::Part(part),
        view: view.filtered(view.filters.without(part)),
    });
    let search = view.table.term().map(|_| Way {
        culprit: Culprit::Search,
        view: view.with(view.table.searched("")),
    });
    let tab = (view.tab != Tab::All).then(|| Way {
        culprit: Culprit::Tab,
        view: view.on(Tab::All),
    });
    parts.chain(search).chain(tab).collect()
}

/// The ways in the order in which they help, given the leads that each of them leads to as far as
/// that is known. Those that do not help at all are left out, unless none is known to help.
pub fn ranked(counts: &[Option<u64>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    let helps = |index: &usize| counts[*index] != Some(0);
    if order.iter().any(helps) {
        order.retain(helps);
    }
    // Stable: among those that are not known, the latest stays first.
    order.sort_by_key(|index| std::cmp::Reverse(counts[*index].unwrap_or_default()));
    order
}
