//! Runs the learner of the suggestions while they are switched on, whichever page is open. It has no screen.

use crate::app::components::dom::{El, div};
use crate::app::reactive::memo;
use crate::app::shell::lazy::{self, lazy};
use crate::app::state::AppState;
use crate::app::state::suggestions::learner::Learner;

/// Loads and starts the learner once it is needed: in the list after the first rows, which it would delay.
pub fn while_on(app: AppState) -> El {
    let (is_on, has_rows) = (app.suggestions.is_on, lazy::first_rows(app));
    let is_time = memo(move |_| is_on.get() && has_rows.get());
    let learner = lazy::after(is_time, app, lazy_learner);
    div().attr("hidden", "").child(learner)
}

pub fn learner(app: AppState) -> El {
    Learner::start(app);
    div()
}

lazy!(lazy_learner: pages, small, first, "Suggestions", learner);
