//! Runs the learner of the suggestions while they are switched on, whichever page is open. It has no screen.

use leptos::prelude::*;

use crate::app::components::dom::{El, div};
use crate::app::model::route;
use crate::app::reactive::memo;
use crate::app::shell::lazy::{self, lazy};
use crate::app::state::AppState;
use crate::app::state::suggestions::learner::Learner;

/// Loads and starts the learner once it is needed: in the list after the first rows, which it would delay.
pub fn while_on(app: AppState) -> El {
    let (is_on, path) = (app.suggestions.is_on, app.nav.path());
    let load_status = app.leads.listing.load_status();
    let is_time = memo(move |was: Option<&bool>| {
        let has_rows = || load_status.with(|load_status| load_status.is_loaded);
        let is_elsewhere = || path.with(|path| path != route::LEADS_PATH);
        is_on.get() && (was == Some(&true) || is_elsewhere() || has_rows())
    });
    let learner = lazy::after(is_time, app, lazy_learner);
    div().attr("hidden", "").child(learner)
}

pub fn learner(app: AppState) -> El {
    Learner::start(app);
    div()
}

lazy!(lazy_learner: pages, part, first, "Suggestions", learner);
