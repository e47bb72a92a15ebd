//! The filters of the leads page: they are part of the address.

use crate::app::model::filters::Filters;
use crate::app::model::route::LEADS_PATH;
use crate::app::reactive::{Memo, memo};
use crate::app::state::AppState;

/// Returns the filters of the view.
pub fn filters(app: AppState) -> Memo<Filters> {
    memo(move |_| app.leads_view.with(|view| view.filters.clone()))
}

/// Navigates to the view with changed filters. Back returns to the old ones.
pub fn change_filters(app: AppState, change: impl FnOnce(&Filters) -> Filters) {
    let view = app.leads_view.get_untracked();
    let filters = change(&view.filters);
    app.nav
        .navigate(LEADS_PATH, &view.filtered(filters).to_query());
}
