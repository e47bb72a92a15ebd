//! Which filter a validation error is about, and what the user is told.

use lead_workspace::api::{Detail, ErrorEntry};
use lead_workspace::app::model::filters::{Facet, FilterKey};
use lead_workspace::app::model::lead_tab::Tab;
use lead_workspace::app::model::rejected_filter::{RejectedFilter, blamed, of_search, refusal};
use lead_workspace::app::model::search_limit::too_long;
use lead_workspace::app::model::view::LeadsView;

fn refused(loc: &[&str]) -> Detail {
    Detail::Entries(vec![ErrorEntry {
        loc: loc.iter().map(|part| (*part).to_owned()).collect(),
        msg: "no".into(),
        ..ErrorEntry::default()
    }])
}

#[test]
fn a_validation_error_is_assigned_to_its_filter() {
    let query = "icp_tier=A&where=icp_score+gte+x";
    let pending = LeadsView::from_query(query);
    let all = pending.on(Tab::All);
    let all_of = |view: &LeadsView, detail: &Detail| {
        blamed(view.tab.filters().len(), &view.filters.parts(), detail)
    };
    let of = |view: &LeadsView, loc: &[&str]| all_of(view, &refused(loc)).pop().map(|(of, _)| of);
    let free = Some(RejectedFilter::Filter(FilterKey::Custom(0)));
    assert_eq!(of(&pending, &["body", "filters", "2", "value"]), free);
    assert_eq!(of(&all, &["body", "filters", "1", "value"]), free);
    assert_eq!(
        of(&pending, &["body", "filters", "1"]),
        Some(RejectedFilter::Filter(FilterKey::Facet(Facet::IcpTier)))
    );
    assert_eq!(
        of(&pending, &["body", "filters", "0"]),
        None,
        "the tab's own"
    );
    assert_eq!(of(&pending, &["body", "filters", "9"]), None);
    assert_eq!(
        of(&pending, &["body", "sort_by"]),
        Some(RejectedFilter::Sort)
    );
    assert_eq!(
        of(&pending, &["body", "search"]),
        Some(RejectedFilter::Search)
    );
    assert_eq!(of(&pending, &["body", "page"]), None);
    assert_eq!(all_of(&pending, &Detail::Text("no".into())), []);
}

#[test]
fn a_validation_error_is_shown_without_wire_locations() {
    let shown = |loc: &[&str]| refusal(&refused(loc)).unwrap();
    assert_eq!(
        shown(&["body", "filters", "1", "value"]),
        "This filter isn't accepted: no"
    );
    assert_eq!(shown(&["body", "search"]), "This search isn't accepted: no");
    assert_eq!(
        shown(&["body", "sort_by"]),
        "This sort order isn't accepted: no"
    );
    assert_eq!(
        shown(&["query", "page"]),
        "The server didn't accept this: no"
    );
    let many = Detail::Entries(vec![ErrorEntry::default(); 10_000]);
    let shown = "The server didn't accept this, and 9,999 more";
    assert_eq!(refusal(&many).as_deref(), Some(shown));
    assert_eq!(refusal(&Detail::Text("no".into())), None);
    assert_eq!(refusal(&Detail::Entries(Vec::new())), None);
    let search = of_search(&refused(&["body", "search"]));
    assert_eq!(search.unwrap(), "This search isn't accepted: no.");
    assert_eq!(of_search(&refused(&["body", "filters", "0"])), None);
}

#[test]
fn an_oversized_search_is_not_sent() {
    assert_eq!(too_long(&"a".repeat(256)), None);
    let long = too_long(&"é".repeat(257)).unwrap();
    assert_eq!(
        long,
        "This search is too long. Use 256 characters or fewer."
    );
    assert_eq!(too_long(&"a ".repeat(16)), None);
    let words = too_long(&"a ".repeat(17)).unwrap();
    assert_eq!(words, "This search is too long. Use 16 words or fewer.");
}
