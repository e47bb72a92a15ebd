//! The note of the first query, which `www/first-query.js` sends.

use lead_workspace::app::model::first_query::note;
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace::app::model::page_cache::size_of;
use lead_workspace::app::model::route::Route;
use lead_workspace::app::model::view::LeadsView;
use serde_json::Value;

#[test]
fn the_note_has_the_body_of_each_address() {
    let tab = LeadsView::from_query("tab=all&q=ada");
    let views = [
        ("/leads".to_owned(), &LeadsView::default()),
        ("/leads?tab=all&q=ada".to_owned(), &tab),
    ];
    let note: Value = serde_json::from_str(&note(views, 20)).unwrap();
    let body =
        |address: &str| -> Value { serde_json::from_str(note[address].as_str().unwrap()).unwrap() };
    assert_eq!(body("/leads")["page_size"], 20);
    assert_eq!(body("/leads")["filters"][0]["value"][0], "pending_approval");
    assert_eq!(body("/leads?tab=all&q=ada")["search"], "ada");
    assert_eq!(note.as_object().unwrap().len(), 2);
}

#[test]
fn the_queries_of_a_first_visit_are_those_of_the_tabs() {
    let script = include_str!("../../www/first-query.js");
    for tab in Tab::ALL {
        let view = LeadsView {
            tab,
            ..LeadsView::default()
        };
        let address = Route {
            query: view.to_query(),
            ..Route::default()
        }
        .address();
        let note: Value =
            serde_json::from_str(&note([(address.clone(), &view)], size_of(""))).unwrap();
        let body = note[&address].as_str().unwrap();
        let entry = format!("\"{address}\":\n    '{body}'");
        assert!(script.contains(&entry), "{entry}");
    }
}
