//! The note of the first query that the leads page sends, which the next visit sends before the app is loaded.

use lead_workspace_api::json;
use serde_json::{Map, Value};

use super::view::LeadsView;

/// Returns the note: for each address, the body of the first query of its view, with `rows` rows. It contains no key.
pub fn note<'a>(views: impl IntoIterator<Item = (String, &'a LeadsView)>, rows: u32) -> String {
    let bodies = views.into_iter().map(|(address, view)| {
        let query = serde_json::to_value(view.query(1, rows)).unwrap_or_default();
        (address, Value::String(json::text(&query)))
    });
    json::text(&Value::Object(Map::from_iter(bodies)))
}
