//! Long-running tasks on many rows: selecting all matches, scoring, exporting. This holds only what is requested.
//! The panel that shows the progress runs the task, and cancels it when it is removed.

use std::sync::Arc;

use leptos::prelude::*;

use super::decisions::Decisions;
use super::lead_list::LeadList;
use crate::app::model::route::Route;
use crate::app::model::view::LeadsView;

pub mod collect;

#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    pub view: LeadsView,
    /// The selected leads by id; `None` for all leads of the list.
    pub selected: Option<Vec<Arc<str>>>,
}

/// The requested tasks.
#[derive(Clone, Copy)]
pub struct BulkTasks {
    /// The list whose rows are to be selected.
    pub selecting: RwSignal<Option<Route>>,
    /// The list whose rows are to be scored.
    pub score: RwSignal<Option<Route>>,
    pub export: RwSignal<Option<Export>>,
    leads: LeadList,
    decisions: Decisions,
}

impl BulkTasks {
    pub fn start(leads: LeadList, decisions: Decisions) -> Self {
        Self {
            selecting: RwSignal::new(None),
            score: RwSignal::new(None),
            export: RwSignal::new(None),
            leads,
            decisions,
        }
    }

    /// Returns whether there is a panel to show.
    pub fn any(self) -> bool {
        let list = |of: RwSignal<Option<Route>>| of.with(Option::is_some);
        let wanted = list(self.selecting) || list(self.score) || self.export.with(Option::is_some);
        wanted || !self.decisions.runs().is_empty()
    }

    /// Exports the selected leads, or the whole list without a selection. Does nothing while an export runs.
    pub fn begin_export(self, view: LeadsView) {
        if self.export.with_untracked(Option::is_some) {
            return;
        }
        let ids = self
            .leads
            .grid_selection
            .selection
            .with_untracked(|selection| selection.ids().map(|(id, _)| Arc::clone(id)).collect());
        let selected = Some(ids).filter(|ids: &Vec<_>| !ids.is_empty());
        self.export.set(Some(Export { view, selected }));
    }
}
