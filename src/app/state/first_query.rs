//! Notes the first query of the leads page in the browser's storage. At the next visit `www/first-query.js` sends it
//! before the app is loaded.

use super::AppState;
use super::storage::Storage;
use crate::app::model::first_query::note;
use crate::app::model::route::{FOCUS_MODE_PARAM, LEAD_PARAM, LEADS_PATH, with_param};
use crate::app::model::view::LeadsView;
use crate::app::reactive::effect;

/// The name of the slot. The note contains searches, but no key.
pub const SLOT: &str = "lead-workspace.first-query";

/// Notes the queries of the current address and of the bare one, under the current owner.
pub fn keep_noted(app: AppState) {
    if app.session.is_embedded() {
        return;
    }
    effect(move || {
        let mut route = app.nav.route();
        if route.path != LEADS_PATH {
            return;
        }
        // Which lead is open does not change the list, and would tell what was looked at.
        for name in [LEAD_PARAM, FOCUS_MODE_PARAM] {
            route.query = with_param(&route.query, name, None);
        }
        let bare = LeadsView::from_query(&app.views.entry(LEADS_PATH));
        let views = [
            (LEADS_PATH.to_owned(), &bare),
            (route.address(), &app.leads_view.get()),
        ];
        Storage::new(SLOT, true).write(&note(views, app.views.rows.get()));
    });
}
