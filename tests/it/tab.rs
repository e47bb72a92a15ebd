//! Status tabs and their counts.

use lead_workspace::api::ApprovalStatus;
use lead_workspace::app::model::lead_tab::{StatusCounts, Tab, TabCounts};

#[test]
fn counts_follow_decisions_and_unknown_counts_stay_unknown() {
    let mut counts = TabCounts::default();
    counts.set_whole(Tab::Pending, 1);
    counts.set_whole(Tab::Approved, 0);
    counts.set_whole(Tab::All, 1);
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

fn statuses(pending: u64, approved: u64) -> StatusCounts {
    StatusCounts(vec![
        (ApprovalStatus::PENDING_APPROVAL, pending),
        (ApprovalStatus::APPROVED, approved),
    ])
}

#[test]
fn tabs_count_the_view_and_remember_the_workspace() {
    let mut counts = TabCounts::default();
    counts.set_all_whole(&statuses(90, 10));
    assert_eq!(counts.get(Tab::All), Some(100));
    counts.show_view(Some(&statuses(7, 3)));
    let of = |counts: &TabCounts, tab| (counts.get(tab), counts.whole(tab));
    assert_eq!(of(&counts, Tab::Pending), (Some(7), Some(90)));
    assert_eq!(of(&counts, Tab::All), (Some(10), Some(100)));
    assert_eq!(of(&counts, Tab::Rejected), (Some(0), Some(0)));
    // A decision changes both.
    counts.moved(&ApprovalStatus::PENDING_APPROVAL, &ApprovalStatus::APPROVED);
    assert_eq!(of(&counts, Tab::Pending), (Some(6), Some(89)));
    assert_eq!(of(&counts, Tab::Approved), (Some(4), Some(11)));
    counts.changed(&ApprovalStatus::APPROVED, -1);
    assert_eq!(of(&counts, Tab::All), (Some(9), Some(99)));
    // The list knows the number of its own tab first.
    counts.set_listed(Tab::Pending, 5, false);
    assert_eq!(of(&counts, Tab::Pending), (Some(5), Some(89)));
    // Failed: no number is better than one of another view.
    counts.show_view(None);
    assert_eq!(of(&counts, Tab::Pending), (None, Some(89)));
    counts.set_listed(Tab::Approved, 12, true);
    assert_eq!(of(&counts, Tab::Approved), (Some(12), Some(12)));
    assert_eq!(counts.get(Tab::Pending), Some(89));
    // Where the server cannot count within a view, a list changes nothing.
    counts.set_listed(Tab::Pending, 5, false);
    assert_eq!(counts.get(Tab::Pending), Some(89));
}

#[test]
fn changes_are_laid_over_counts_by_status() {
    let (pending, rejected) = (ApprovalStatus::PENDING_APPROVAL, ApprovalStatus::REJECTED);
    let counts = statuses(1, 10).with(&[
        (pending.clone(), -1),
        (rejected.clone(), 1),
        (pending.clone(), -1),
        (ApprovalStatus::from("archived"), -1),
    ]);
    let mut shown = TabCounts::default();
    shown.set_all_whole(&counts);
    assert_eq!(shown.get(Tab::Pending), Some(0));
    assert_eq!(shown.get(Tab::Rejected), Some(1));
    assert_eq!(shown.get(Tab::All), Some(11));
}

#[test]
fn every_tab_has_a_label_and_all_has_no_filter() {
    for tab in Tab::ALL {
        assert_eq!(Tab::parse(tab.as_str()), Some(tab));
        assert_eq!(tab.filters().is_empty(), tab == Tab::All);
    }
}
