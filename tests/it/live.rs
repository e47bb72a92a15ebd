//! What events of the stream of changes mean for a screen.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, Change, Changes, NewApprovalStatus};
use lead_workspace::app::model::live::conflicts::{Conflict, sentence};
use lead_workspace::app::model::live::marks::{Marks, age};
use lead_workspace::app::model::live::news::News;
use lead_workspace::app::model::live::{DELETED, Effects, LiveEvent, LiveModel, OwnEffect, Screen};

use NewApprovalStatus::{Approved, PendingApproval, Rejected};

/// A screen with some leads, and decisions on their way.
#[derive(Default)]
struct Page {
    known: BTreeMap<&'static str, NewApprovalStatus>,
    unsaved: BTreeMap<&'static str, NewApprovalStatus>,
}

impl Screen for Page {
    fn has(&self, lead: &str) -> bool {
        self.known.contains_key(lead)
    }

    fn known(&self, lead: &str) -> Option<ApprovalStatus> {
        self.known.get(lead).map(|status| (*status).into())
    }

    fn unsaved(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.unsaved.get(lead).copied()
    }

    fn in_flight(&self, to: &ApprovalStatus) -> u64 {
        let sent = self.unsaved.values();
        sent.filter(|status| ApprovalStatus::from(**status) == *to)
            .count() as u64
    }
}

fn page(leads: &[&'static str]) -> Page {
    Page {
        known: leads.iter().map(|lead| (*lead, PendingApproval)).collect(),
        unsaved: BTreeMap::new(),
    }
}

fn change(kind: &str, ids: &[&str]) -> Change {
    Change {
        kind: Some(kind.to_owned()),
        approval_status: None,
        count: Some(ids.len() as u64),
        ids: Some(ids.iter().map(|id| (*id).to_owned()).collect()),
    }
}

fn status(to: NewApprovalStatus, ids: &[&str]) -> Change {
    Change {
        approval_status: Some(to.into()),
        ..change("status", ids)
    }
}

fn many(change: Change, count: u64) -> Change {
    Change {
        count: Some(count),
        ids: None,
        ..change
    }
}

fn event(version: i64, changes: Vec<Change>) -> LiveEvent {
    LiveEvent::Changed(Changes {
        version: Some(version),
        changed_at: None,
        changes: Some(changes),
    })
}

/// A model that has seen the stream open at version 1.
fn opened() -> LiveModel {
    let mut model = LiveModel::default();
    model.take(&LiveEvent::Open(1), 0, &page(&[]));
    model.take(&event(1, Vec::new()), 0, &page(&[]));
    model
}

fn leads(effects: &Effects) -> Vec<(&str, &str)> {
    let statuses = effects.statuses.iter();
    statuses
        .map(|(lead, status)| (&**lead, status.as_str()))
        .collect()
}

fn marked(effects: &Effects) -> Vec<&str> {
    effects.marked.iter().map(|lead| &**lead).collect()
}

#[test]
fn a_status_of_someone_else_is_shown_in_place_and_marked() {
    let mut model = opened();
    let effects = model.take(
        &event(2, vec![status(Approved, &["a", "z"])]),
        5,
        &page(&["a", "b"]),
    );
    assert_eq!(leads(&effects), [("a", "approved"), ("z", "approved")]);
    assert_eq!(marked(&effects), ["a"], "only what is on the screen");
    assert!(effects.counts && effects.elsewhere_in_list && effects.grown);
    assert!(!effects.unknown_rows && !effects.many);
    assert!(model.news().is_empty());
}

#[test]
fn an_event_is_taken_once() {
    let mut model = opened();
    let news = event(2, vec![status(Approved, &["a"])]);
    assert!(!model.take(&news, 5, &page(&["a"])).statuses.is_empty());
    assert_eq!(model.take(&news, 6, &page(&["a"])), Effects::default());
    assert_eq!(model.position(), Some(2));
}

#[test]
fn own_saved_decisions_are_not_marked() {
    let mut model = opened();
    let mut screen = page(&["a", "b"]);
    // The response comes first.
    model.on_own(&"a".into(), Approved, Some(1), true);
    screen.known.insert("a", Approved);
    let effects = model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    assert!(effects.statuses.is_empty() && effects.marked.is_empty());
    // The event comes first.
    screen.unsaved.insert("b", Rejected);
    let effects = model.take(&event(3, vec![status(Rejected, &["b"])]), 5, &screen);
    assert!(effects.statuses.is_empty() && effects.marked.is_empty());
    screen.unsaved.clear();
    screen.known.insert("b", Rejected);
    assert_eq!(
        model.on_own(&"b".into(), Rejected, Some(1), true),
        OwnEffect::None
    );
    // Someone else moves it back, and decides the same again: that is news.
    let effects = model.take(&event(4, vec![status(PendingApproval, &["b"])]), 5, &screen);
    assert_eq!(marked(&effects), ["b"]);
    screen.known.insert("b", PendingApproval);
    let effects = model.take(&event(5, vec![status(Rejected, &["b"])]), 5, &screen);
    assert_eq!(marked(&effects), ["b"]);
}

#[test]
fn an_event_of_an_older_own_decision_changes_nothing() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    model.on_own(&"a".into(), Approved, Some(1), true);
    model.on_own(&"a".into(), Rejected, Some(2), true);
    screen.known.insert("a", Rejected);
    let effects = model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    assert!(effects.statuses.is_empty());
    assert_eq!(
        effects.content,
        [Arc::from("a")],
        "it may be someone else's"
    );
    let effects = model.take(&event(3, vec![status(Rejected, &["a"])]), 5, &screen);
    assert!(effects.statuses.is_empty() && effects.content.is_empty());
}

#[test]
fn a_decision_of_others_after_an_own_one_that_is_not_answered_yet_is_no_conflict() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.unsaved.insert("a", Approved);
    model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    model.take(&event(3, vec![status(Rejected, &["a"])]), 6, &screen);
    let effect = model.on_own(&"a".into(), Approved, Some(1), true);
    assert_eq!(effect, OwnEffect::Unclear, "the lead is read again");
}

#[test]
fn decisions_of_other_tabs_are_not_marked() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    model.on_own(&"a".into(), Approved, None, false);
    let effects = model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    assert_eq!(leads(&effects), [("a", "approved")]);
    assert!(effects.marked.is_empty());
    screen.known.insert("a", Approved);
    // The report that it was saved does not wait for another event.
    model.on_own(&"a".into(), Approved, None, true);
    screen.known.insert("a", PendingApproval);
    let effects = model.take(&event(3, vec![status(Approved, &["a"])]), 5, &screen);
    assert_eq!(marked(&effects), ["a"]);
}

#[test]
fn a_conflict_is_said_once_when_the_own_decision_is_saved() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.unsaved.insert("a", Approved);
    let effects = model.take(&event(2, vec![status(Rejected, &["a"])]), 1_000, &screen);
    assert!(effects.conflicts.is_empty(), "not before it is saved");
    assert_eq!(leads(&effects), [("a", "rejected")]);
    let conflict = model.on_own(&"a".into(), Approved, Some(5_500), true);
    assert_eq!(
        conflict,
        OwnEffect::Conflict(Conflict {
            lead: "a".into(),
            theirs: Rejected.into(),
            at: 1_000,
            ours_at: Some(5_500),
        })
    );
    let effects = model.take(&event(3, vec![status(Approved, &["a"])]), 5, &screen);
    assert!(effects.conflicts.is_empty() && effects.marked.is_empty());
    assert_eq!(
        model.on_own(&"a".into(), Approved, Some(9_000), true),
        OwnEffect::None
    );
}

#[test]
fn a_conflict_is_said_also_if_the_response_comes_before_their_event() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    model.on_own(&"a".into(), Approved, Some(1), true);
    screen.known.insert("a", Approved);
    let effects = model.take(&event(2, vec![status(Rejected, &["a"])]), 5, &screen);
    assert_eq!(
        leads(&effects),
        [("a", "rejected")],
        "theirs may be the last"
    );
    screen.known.insert("a", Rejected);
    let effects = model.take(&event(3, vec![status(Approved, &["a"])]), 5, &screen);
    assert_eq!(leads(&effects), [("a", "approved")]);
    assert!(effects.marked.is_empty());
    assert_eq!(effects.conflicts.len(), 1);
}

#[test]
fn a_conflict_is_said_also_if_both_events_come_before_the_response() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.unsaved.insert("a", Approved);
    model.take(&event(2, vec![status(Rejected, &["a"])]), 5, &screen);
    screen.known.insert("a", Rejected);
    model.take(&event(3, vec![status(Approved, &["a"])]), 6, &screen);
    let effect = model.on_own(&"a".into(), Approved, Some(1), true);
    assert!(matches!(effect, OwnEffect::Conflict(_)));
}

#[test]
fn the_same_decision_is_no_conflict() {
    let mut model = opened();
    let mut screen = page(&["a"]);
    screen.unsaved.insert("a", Approved);
    model.take(&event(2, vec![status(Approved, &["a"])]), 5, &screen);
    assert_eq!(
        model.on_own(&"a".into(), Approved, Some(9), true),
        OwnEffect::None
    );
}

#[test]
fn conflicts_are_sentences() {
    let word = |status: &ApprovalStatus| status.as_str().to_owned();
    let conflict = |at, ours_at| Conflict {
        lead: "a".into(),
        theirs: Rejected.into(),
        at,
        ours_at,
    };
    for (at, ours_at, expected) in [
        (
            1_000,
            Some(5_500),
            "rejected by someone else 4 s before yours; yours was saved.",
        ),
        (
            5_500,
            Some(1_000),
            "rejected by someone else 4 s after yours; yours was saved.",
        ),
        (
            5_500,
            Some(5_000),
            "rejected by someone else at the same time; yours was saved.",
        ),
        (
            0,
            Some(600_000),
            "rejected by someone else 10 min before yours; yours was saved.",
        ),
        (
            0,
            None,
            "rejected by someone else before yours; yours was saved.",
        ),
    ] {
        assert_eq!(sentence(&[conflict(at, ours_at)], word), expected);
    }
    let two = [conflict(0, None), conflict(0, None)];
    assert_eq!(
        sentence(&two, word),
        "2 leads were decided by someone else at the same time; yours were saved."
    );
}

#[test]
fn many_changes_are_one_line() {
    let mut model = opened();
    let screen = page(&["a"]);
    let effects = model.take(
        &event(2, vec![many(change("added", &[]), 1_204)]),
        5,
        &screen,
    );
    assert!(effects.grown && effects.counts && !effects.unknown_rows);
    assert_eq!(model.news().added, 1_204);
    let effects = model.take(
        &event(3, vec![many(status(Approved, &[]), 2_000)]),
        5,
        &screen,
    );
    assert!(effects.many && effects.unknown_rows);
    let effects = model.take(
        &event(4, vec![many(change("deleted", &[]), 1_500)]),
        5,
        &screen,
    );
    assert!(effects.unknown_rows);
    let expected = News {
        added: 1_204,
        deleted: 1_500,
        changed: 2_000,
        is_unknown: false,
    };
    assert_eq!(*model.news(), expected);
    model.list_read();
    assert!(model.news().is_empty());
}

#[test]
fn the_line_says_what_happened() {
    let count = |leads: u64| format!("{leads} lead{}", if leads == 1 { "" } else { "s" });
    let text = |added, changed, deleted| {
        let news = News {
            added,
            changed,
            deleted,
            is_unknown: false,
        };
        let (what, offer) = news.text(count);
        format!("{what}. {offer}")
    };
    assert_eq!(text(1_204, 0, 0), "1204 leads are new. Show them");
    assert_eq!(text(1, 0, 0), "1 lead is new. Show it");
    assert_eq!(text(0, 2, 0), "2 leads have changed. Show them");
    assert_eq!(text(0, 0, 1), "1 lead was deleted. Update the list");
    assert_eq!(
        text(2, 0, 3),
        "2 leads are new, 3 leads were deleted. Update the list"
    );
    let unknown = News {
        is_unknown: true,
        ..News::default()
    };
    assert_eq!(
        unknown.text(count),
        ("Leads have changed".into(), "Show the changes")
    );
}

#[test]
fn an_own_run_of_many_decisions_is_no_news() {
    let mut model = opened();
    let mut screen = page(&[]);
    for lead in 0..1_500 {
        let lead: Arc<str> = lead.to_string().into();
        model.on_own(&lead, Approved, Some(1), true);
    }
    screen.unsaved.insert("in flight", Approved);
    let run = many(status(Approved, &[]), 1_501);
    model.take(&event(2, vec![run.clone()]), 5, &screen);
    assert!(model.news().is_empty());
    screen.unsaved.clear();
    model.take(&event(3, vec![run]), 5, &screen);
    assert_eq!(model.news().changed, 1_501, "each is counted once");
}

#[test]
fn deleted_leads_are_marked_where_they_are() {
    let mut model = opened();
    let effects = model.take(
        &event(2, vec![change("deleted", &["a", "z"])]),
        5,
        &page(&["a"]),
    );
    assert_eq!(leads(&effects), [("a", DELETED)]);
    assert_eq!(marked(&effects), ["a"]);
    assert!(
        effects.elsewhere_in_list,
        "z may have been before the loaded rows"
    );
    assert!(model.news().is_empty());
}

#[test]
fn changed_content_is_read_again_where_it_is_on_the_screen() {
    let mut model = opened();
    let screen = page(&["a", "b"]);
    for (version, kind) in (2..).zip(["score", "fields", "lists", "campaigns", "signals", "new"]) {
        let effects = model.take(&event(version, vec![change(kind, &["a", "z"])]), 5, &screen);
        assert_eq!(effects.content, [Arc::from("a")], "{kind}");
        assert!(effects.counts && !effects.many);
    }
    let effects = model.take(
        &event(9, vec![many(change("score", &[]), 5_000)]),
        5,
        &screen,
    );
    assert!(effects.many && !effects.unknown_rows && model.news().is_empty());
    let effects = model.take(&event(10, vec![change("accounts", &["x"])]), 5, &screen);
    assert!(effects.accounts && effects.content.is_empty());
}

#[test]
fn a_list_of_ids_that_is_cut_is_not_taken_for_all() {
    let mut model = opened();
    let mut cut = status(Approved, &["a"]);
    cut.count = Some(2_000);
    let effects = model.take(&event(2, vec![cut]), 5, &page(&["a"]));
    assert!(effects.many && effects.statuses.is_empty());
}

#[test]
fn after_a_reset_everything_is_read_again() {
    let mut model = opened();
    let effects = model.take(&LiveEvent::Reset(9), 5, &page(&["a"]));
    assert!(effects.many && effects.unknown_rows && effects.counts && effects.accounts);
    assert!(model.news().is_unknown);
    assert_eq!(model.position(), Some(9));
    assert_eq!(
        model.take(&LiveEvent::Reset(9), 5, &page(&["a"])),
        Effects::default()
    );
    // A restored backup has lower versions.
    assert!(model.take(&LiveEvent::Reset(4), 5, &page(&["a"])).many);
    assert_eq!(model.position(), Some(4));
}

#[test]
fn the_first_opening_reads_what_was_read_before_it() {
    let screen = page(&["a", "b"]);
    let mut model = LiveModel::default();
    assert!(model.take(&LiveEvent::Open(70), 5, &screen).reopens);
    assert_eq!(model.position(), Some(20), "some versions before");
    let before = vec![
        status(PendingApproval, &["a"]),
        status(Approved, &["b"]),
        many(change("added", &[]), 2_000),
        change("score", &["a"]),
    ];
    let effects = model.take(&event(60, before.clone()), 5, &screen);
    assert_eq!(marked(&effects), ["b"], "only what differs is news");
    assert!(effects.content.is_empty() && !effects.grown && model.news().is_empty());
    let effects = model.take(&event(71, before), 5, &screen);
    assert_eq!(effects.content.len(), 1);
    assert_eq!(model.news().added, 2_000);
}

#[test]
fn the_first_opening_takes_what_is_still_known() {
    let mut model = LiveModel::default();
    model.take(&LiveEvent::Open(70), 5, &page(&["a"]));
    let effects = model.take(&LiveEvent::Reset(71), 5, &page(&["a"]));
    assert_eq!(effects, Effects::default());
    assert_eq!(model.position(), Some(71));
    assert!(model.take(&LiveEvent::Reset(90), 5, &page(&["a"])).many);
}

#[test]
fn ages_change_in_steps() {
    let ages: Vec<String> = [0, 1, 2, 4, 5, 19, 59, 60, 150, 7_200]
        .map(|seconds| age(10_000, 10_000 + seconds * 1000))
        .into();
    assert_eq!(
        ages,
        [
            "now",
            "now",
            "2 s ago",
            "2 s ago",
            "5 s ago",
            "10 s ago",
            "50 s ago",
            "1 min ago",
            "2 min ago",
            "2 h ago"
        ]
    );
    assert_eq!(age(10_000, 5_000), "now", "clocks differ");
}

#[test]
fn a_mark_is_shown_while_the_lead_has_its_status() {
    let mut marks = Marks::default();
    let (lead, approved): (Arc<str>, ApprovalStatus) = ("a".into(), Approved.into());
    marks.put(&lead, &approved, Some(1_000));
    assert_eq!(marks.age("a", &approved, 3_500).as_deref(), Some("2 s ago"));
    assert_eq!(marks.age("a", &Rejected.into(), 3_500), None);
    assert_eq!(marks.age("b", &approved, 3_500), None);
    assert_eq!(marks.next_change(3_500), Some(2_500));
    assert_eq!(marks.next_change(61_000), Some(60_000));
    marks.put(&lead, &approved, None);
    assert_eq!(marks.age("a", &approved, 3_500).as_deref(), Some(""));
    assert_eq!(marks.next_change(3_500), None);
    marks.remove("a");
    assert_eq!(marks.age("a", &approved, 3_500), None);
}
