//! Whether focus mode is open: one lead at a time, in place of the list. The address says it.

use leptos::prelude::*;

use crate::app::model::route::{FOCUS_MODE_PARAM, LEAD_PARAM, param};
use crate::app::reactive::{Memo, memo};
use crate::app::state::AppState;

/// Returns whether the open lead is shown in focus mode. A phone shows one lead at a time anyway.
pub fn is_open(app: AppState) -> Memo<bool> {
    memo(move |_| read_open(app))
}

/// Same as [`is_open`], untracked, for an event.
pub fn is_open_now(app: AppState) -> bool {
    untrack(|| read_open(app))
}

fn read_open(app: AppState) -> bool {
    let in_query = |query: &String| {
        param(query, FOCUS_MODE_PARAM).is_some() && param(query, LEAD_PARAM).is_some()
    };
    !app.environment.narrow.get() && app.nav.query().with(in_query)
}
