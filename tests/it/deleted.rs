//! Deleted leads: removed from every list at once, even if a read returns older data.

use lead_workspace::api::ApprovalStatus;
use lead_workspace::app::model::deleted_leads::{Deleted, DeletedPosition, RowCheck};
use lead_workspace::app::model::view::LeadsView;

const PENDING: ApprovalStatus = ApprovalStatus::PENDING_APPROVAL;

fn held(lead: &str, index: u64) -> Deleted {
    let mut deleted = Deleted::default();
    deleted.hold(lead.into(), PENDING, DeletedPosition::At(index));
    deleted
}

fn view(query: &str) -> LeadsView {
    LeadsView::from_query(query)
}

#[test]
fn only_reads_sent_before_the_delete_count_the_lead() {
    let mut deleted = held("a", 3);
    assert!(deleted.hides("a", 10) && !deleted.hides("b", 10));
    assert_eq!(
        (
            deleted.count_listed(10),
            deleted.counted(10, false).collect::<Vec<_>>()
        ),
        (1, vec![&PENDING])
    );
    assert_eq!(
        (deleted.count_before(3, 10), deleted.count_before(4, 10)),
        (0, 1)
    );
    deleted.sent("a");
    assert!(deleted.is_in_flight());
    assert_eq!(deleted.done("a", 20), DeletedPosition::At(3));
    assert!(!deleted.is_in_flight());
    assert!(deleted.hides("a", 19) && !deleted.hides("a", 21));
    assert_eq!((deleted.count_listed(19), deleted.count_listed(21)), (1, 0));
    assert_eq!(
        (
            deleted.counted(19, true).count(),
            deleted.counted(21, true).count()
        ),
        (1, 0)
    );
}

#[test]
fn a_restored_lead_returns_to_its_position() {
    let mut deleted = held("a", 3);
    deleted.hold("b".into(), PENDING, DeletedPosition::At(1));
    // `b`, a row above `a`, was deleted, too.
    assert_eq!(deleted.remove("b"), DeletedPosition::At(1));
    assert_eq!(deleted.remove("a"), DeletedPosition::At(3));
    assert_eq!(deleted.remove("a"), DeletedPosition::Out);
    assert!(!deleted.hides("a", 0));
}

#[test]
fn a_deleted_lead_moves_with_the_order_and_leaves_other_tabs() {
    let (before, sorted) = (view(""), view("sort=name"));
    let mut deleted = held("a", 3);
    deleted.list_changed(Some(&before), &sorted);
    assert_eq!(
        (deleted.count_listed(1), deleted.count_before(9, 1)),
        (1, 0)
    );
    assert_eq!(deleted.check_row("a", Some(7), 1), RowCheck::News);
    assert_eq!(deleted.check_row("a", Some(7), 1), RowCheck::Deleted);
    assert_eq!(deleted.check_row("b", Some(8), 1), RowCheck::Other);
    assert_eq!(
        (deleted.count_before(7, 1), deleted.count_before(8, 1)),
        (0, 1)
    );
    deleted.list_changed(Some(&sorted), &view("tab=approved"));
    assert_eq!(deleted.count_listed(1), 0);
    deleted.list_changed(None, &view("tab=all"));
    assert_eq!(deleted.count_listed(1), 1);
    assert_eq!(deleted.remove("a"), DeletedPosition::Listed);
}

#[test]
fn a_search_counts_a_deleted_lead_only_once_seen() {
    let (whole, search) = (view(""), view("q=ada"));
    let mut deleted = held("a", 3);
    deleted.list_changed(Some(&whole), &search);
    assert_eq!(deleted.count_listed(1), 0);
    assert_eq!(
        (
            deleted.counted(1, true).count(),
            deleted.counted(1, false).count()
        ),
        (0, 1)
    );
    assert_eq!(deleted.check_row("a", Some(0), 1), RowCheck::News);
    assert_eq!(deleted.count_listed(1), 1);
    deleted.list_changed(Some(&search), &view("q=ada&dir=asc"));
    assert_eq!(deleted.done("a", 2), DeletedPosition::Listed);
}
