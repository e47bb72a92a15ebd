//! Status tabs and their counts.

use lead_workspace::api::ApprovalStatus;
use lead_workspace::app::model::lead_tab::{Tab, TabCounts};

#[test]
fn counts_follow_decisions_and_unknown_counts_stay_unknown() {
    let mut counts = TabCounts::default();
    counts.set(Tab::Pending, 1);
    counts.set(Tab::Approved, 0);
    counts.set(Tab::All, 1);
    counts.moved(&ApprovalStatus::PENDING_APPROVAL, &ApprovalStatus::APPROVED);
    assert_eq!(counts.get(Tab::Pending), Some(0));
    assert_eq!(counts.get(Tab::Approved), Some(1));
    assert_eq!(counts.get(Tab::Rejected), None);
    assert_eq!(counts.get(Tab::All), Some(1));
    // An outdated count never drops below zero.
    counts.moved(&ApprovalStatus::PENDING_APPROVAL, &ApprovalStatus::REJECTED);
    assert_eq!(counts.get(Tab::Pending), Some(0));
    counts.moved(&ApprovalStatus::from("archived"), &ApprovalStatus::APPROVED);
    assert_eq!(counts.get(Tab::Approved), Some(2));
}

#[test]
fn every_tab_has_a_label_and_all_has_no_filter() {
    for tab in Tab::ALL {
        assert_eq!(Tab::parse(tab.as_str()), Some(tab));
        assert_eq!(tab.filters().is_empty(), tab == Tab::All);
    }
}
