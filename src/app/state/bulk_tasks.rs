//! Long-running tasks on many rows: selecting all matches, scoring, exporting. This holds only what is requested.
//! The panel that shows the progress runs the task, and cancels it when it is removed.

use std::sync::Arc;

use super::decisions::Decisions;
use crate::app::model::route::Route;
use crate::app::reactive::{RwSignal, StoredValue};

pub mod collect;
pub mod export;

#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    pub list: Route,
    /// The columns that the list shows, in order.
    pub columns: Vec<&'static str>,
    /// The selected rows by id; `None` for all rows of the list.
    pub selected: Option<Vec<Arc<str>>>,
}

/// The requested tasks.
#[derive(Clone, Copy)]
pub struct BulkTasks {
    /// The list whose rows are to be selected.
    pub selecting: RwSignal<Option<Route>>,
    /// Whether its rows could not be read.
    has_failed: StoredValue<bool>,
    /// The list whose rows are to be scored.
    pub score: RwSignal<Option<Route>>,
    pub export: RwSignal<Option<Export>>,
    decisions: Decisions,
}

impl BulkTasks {
    pub fn start(decisions: Decisions) -> Self {
        Self {
            selecting: RwSignal::new(None),
            has_failed: StoredValue::new(false),
            score: RwSignal::new(None),
            export: RwSignal::new(None),
            decisions,
        }
    }

    /// Returns whether all rows of a list are being selected, or will be once the code for it is loaded.
    pub fn is_selecting(self) -> bool {
        self.selecting.with_untracked(Option::is_some) && !self.has_failed.get_value()
    }

    /// Returns whether there is a panel to show.
    pub fn any(self) -> bool {
        let list = |of: RwSignal<Option<Route>>| of.with(Option::is_some);
        let wanted = list(self.selecting) || list(self.score) || self.export.with(Option::is_some);
        wanted || !self.decisions.runs().is_empty()
    }
}
