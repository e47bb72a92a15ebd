//! What an empty list suggests: its filters, each removed alone.

use lead_workspace::app::model::filters::{Facet, FilterKey};
use lead_workspace::app::model::relaxations::{Relaxable, ranked, relaxations};
use lead_workspace::app::model::view::LeadsView;

#[test]
fn an_empty_list_suggests_removing_each_filter() {
    let view = LeadsView::from_query("q=ada&icp_tier=A&where=title+is_set");
    let relaxations = relaxations(&view);
    let culprits: Vec<Relaxable> = relaxations
        .iter()
        .map(|relaxation| relaxation.condition)
        .collect();
    assert_eq!(
        culprits,
        [
            Relaxable::Filter(FilterKey::Custom(0)),
            Relaxable::Filter(FilterKey::Facet(Facet::IcpTier)),
            Relaxable::Search,
            Relaxable::Tab,
        ]
    );
    for relaxation in &relaxations {
        let left = relaxation.view.query(1, 50).filters.len()
            + usize::from(relaxation.view.query(1, 50).search.is_some());
        assert_eq!(left, 3, "one of four is removed: {relaxation:?}");
    }
}

#[test]
fn the_most_useful_suggestion_comes_first() {
    assert_eq!(ranked(&[Some(0), Some(3), Some(9)]), [2, 1]);
    assert_eq!(ranked(&[None, Some(0), Some(2)]), [2, 0]);
    assert_eq!(
        ranked(&[None, None]),
        [0, 1],
        "the latest filter comes first"
    );
    assert_eq!(
        ranked(&[Some(0), Some(0)]),
        [0, 1],
        "otherwise there are no relaxations"
    );
}
