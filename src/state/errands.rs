//! Work on many rows that takes a while: finding every row that matches, and exporting. What is
//! wanted stands here; the part of the page that shows how far it is does it, and ends it with itself.

use std::sync::Arc;

use super::decisions::Decisions;
use super::leads::Leads;
use crate::model::place::Place;
use crate::model::view::LeadsView;
use crate::signal::RwSignal;

pub mod walk;

/// What is to be exported.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The list.
    pub view: LeadsView,
    /// The ticked leads, in order; none for all leads of the list.
    pub ticked: Option<Vec<Arc<str>>>,
}

/// What is wanted now.
#[derive(Clone, Copy)]
pub struct Errands {
    /// The list of which every row is to be ticked.
    pub gather: RwSignal<Option<Place>>,
    /// The list of which every row is to be scored.
    pub score: RwSignal<Option<Place>>,
    /// What is to be exported.
    pub export: RwSignal<Option<Export>>,
    leads: Leads,
    decisions: Decisions,
}

impl Errands {
    /// Nothing is wanted.
    pub fn start(leads: Leads, decisions: Decisions) -> Self {
        Self {
            gather: RwSignal::new(None),
            score: RwSignal::new(None),
            export: RwSignal::new(None),
            leads,
            decisions,
        }
    }

    /// Whether there is anything to show.
    pub fn any(self) -> bool {
        let list = |of: RwSignal<Option<Place>>| of.with(Option::is_some);
        let wanted = list(self.gather) || list(self.score) || self.export.with(Option::is_some);
        wanted || self.decisions.runs.with(|runs| !runs.numbers().is_empty())
    }

    /// Exports the ticked leads, or all of the list where none is ticked. One export at a time.
    pub fn begin_export(self, view: LeadsView) {
        if self.export.with_untracked(Option::is_some) {
            return;
        }
        let ids =
            self.leads.choice.selection.with_untracked(|selection| {
                selection.ids().map(|(id, _)| Arc::clone(id)).collect()
            });
        let ticked = Some(ids).filter(|ids: &Vec<_>| !ids.is_empty());
        self.export.set(Some(Export { view, ticked }));
    }
}
