//! What events of the stream of changes mean for a screen.

use std::collections::BTreeMap;
use std::sync::Arc;

use lead_workspace::api::{ApprovalStatus, Change, Changes, NewApprovalStatus};
use lead_workspace::app::model::live::marks::{Marks, age};
use lead_workspace::app::model::live::news::News;
use lead_workspace::app::model::live::{Effects, LiveEvent, LiveModel, Screen};
use lead_workspace::review::outbox::DELETED;

mod own_decisions;

use NewApprovalStatus::{Approved, PendingApproval, Rejected};

/// A screen with some leads, and decisions on their way.
#[derive(Default)]
struct Page {
    known: BTreeMap<&'static str, NewApprovalStatus>,
    unsaved: BTreeMap<&'static str, NewApprovalStatus>,
    unconfirmed: BTreeMap<&'static str, NewApprovalStatus>,
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

    fn unconfirmed(&self, lead: &str) -> Option<NewApprovalStatus> {
        self.unconfirmed.get(lead).copied()
    }

    fn in_flight(&self, to: &ApprovalStatus) -> u64 {
        let in_flight = self.unconfirmed.values();
        in_flight
            .filter(|status| ApprovalStatus::from(**status) == *to)
            .count() as u64
    }
}

impl Page {
    /// The reviewer decides, and the decision is sent.
    fn send(&mut self, lead: &'static str, to: NewApprovalStatus) {
        self.unsaved.insert(lead, to);
        self.unconfirmed.insert(lead, to);
    }

    /// The server has answered. Its status is known.
    fn answered(&mut self, lead: &'static str, known: NewApprovalStatus) {
        self.unsaved.remove(lead);
        self.unconfirmed.remove(lead);
        self.known.insert(lead, known);
    }
}

fn page(leads: &[&'static str]) -> Page {
    Page {
        known: leads.iter().map(|lead| (*lead, PendingApproval)).collect(),
        ..Page::default()
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
fn an_event_is_taken_once() {
    let mut model = opened();
    let news = event(2, vec![status(Approved, &["a"])]);
    assert!(!model.take(&news, 5, &page(&["a"])).statuses.is_empty());
    assert_eq!(model.take(&news, 6, &page(&["a"])), Effects::default());
    assert_eq!(model.position(), Some(2));
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
    // Nothing on the screen changed.
    assert!(!effects.reread_view);
    assert_eq!(model.news().added, 1_204);
    let effects = model.take(
        &event(3, vec![many(status(Approved, &[]), 2_000)]),
        5,
        &screen,
    );
    assert!(effects.reread_view && effects.unknown_rows);
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
        effects.unloaded_changed,
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
        assert!(effects.counts && !effects.reread_view);
    }
    let effects = model.take(
        &event(9, vec![many(change("score", &[]), 5_000)]),
        5,
        &screen,
    );
    assert!(effects.reread_view && !effects.unknown_rows && model.news().is_empty());
    let effects = model.take(&event(10, vec![change("accounts", &["x"])]), 5, &screen);
    assert!(effects.accounts && effects.content.is_empty());
}

#[test]
fn a_list_of_ids_that_is_cut_is_not_taken_for_all() {
    let mut model = opened();
    let mut cut = status(Approved, &["a"]);
    cut.count = Some(2_000);
    let effects = model.take(&event(2, vec![cut]), 5, &page(&["a"]));
    assert!(effects.reread_view && effects.statuses.is_empty());
}

#[test]
fn after_a_reset_everything_is_read_again() {
    let mut model = opened();
    let effects = model.take(&LiveEvent::Reset(9), 5, &page(&["a"]));
    assert!(effects.reread_view && effects.unknown_rows && effects.counts && effects.accounts);
    assert!(model.news().is_unknown);
    assert_eq!(model.position(), Some(9));
    assert_eq!(
        model.take(&LiveEvent::Reset(9), 5, &page(&["a"])),
        Effects::default()
    );
    // A restored backup has lower versions.
    assert!(
        model
            .take(&LiveEvent::Reset(4), 5, &page(&["a"]))
            .reread_view
    );
    assert_eq!(model.position(), Some(4));
}

#[test]
fn after_a_restored_backup_events_are_news_again() {
    let mut model = LiveModel::default();
    model.take(&LiveEvent::Open(70), 5, &page(&[]));
    model.take(&LiveEvent::Open(70), 5, &page(&[]));
    model.take(&event(71, Vec::new()), 5, &page(&[]));
    model.take(&LiveEvent::Reset(40), 5, &page(&[]));
    model.list_read();
    let added = event(41, vec![many(change("added", &[]), 3)]);
    assert!(model.take(&added, 5, &page(&[])).grown);
    assert_eq!(model.news().added, 3);
}

#[test]
fn a_tab_that_has_no_position_yet_takes_none_from_the_events_of_another() {
    let mut model = LiveModel::default();
    let changed = event(80, vec![status(Approved, &["a"])]);
    assert_eq!(model.take(&changed, 5, &page(&["a"])), Effects::default());
    assert_eq!(
        model.take(&LiveEvent::Reset(80), 5, &page(&["a"])),
        Effects::default()
    );
    assert!(model.take(&LiveEvent::Open(80), 5, &page(&["a"])).reopens);
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
    let unnamed = vec![many(status(Approved, &[]), 2_000)];
    let effects = model.take(&event(50, unnamed), 5, &screen);
    assert!(
        effects.reread_view && effects.unknown_rows && effects.counts,
        "perhaps after the first rows were read"
    );
    assert!(model.news().is_empty());
    let effects = model.take(&event(60, before.clone()), 5, &screen);
    assert_eq!(marked(&effects), ["b"], "only what differs is news");
    assert!(effects.content.is_empty() && !effects.grown && model.news().is_empty());
    let effects = model.take(&event(71, before), 5, &screen);
    assert_eq!(effects.content.len(), 1);
    assert_eq!(model.news().added, 2_000);
}

#[test]
fn a_stream_that_opens_late_has_the_first_rows_read_again() {
    let opened_at = |at| {
        let mut model = LiveModel::start(1_000);
        let effects = model.take(&LiveEvent::Open(70), at, &page(&["a"]));
        assert!(effects.reopens && model.news().is_empty());
        effects.reread_view && effects.unknown_rows && effects.counts
    };
    assert!(!opened_at(3_000));
    assert!(opened_at(11_000));
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
fn a_status_of_someone_else_is_shown_in_place_and_marked() {
    let mut model = opened();
    let effects = model.take(
        &event(2, vec![status(Approved, &["a", "z"])]),
        5,
        &page(&["a", "b"]),
    );
    assert_eq!(leads(&effects), [("a", "approved"), ("z", "approved")]);
    assert_eq!(marked(&effects), ["a"], "only what is on the screen");
    assert!(effects.counts && effects.unloaded_changed && effects.grown);
    assert!(!effects.unknown_rows && !effects.reread_view);
    assert!(model.news().is_empty());
}

#[test]
fn the_first_opening_takes_what_is_still_known() {
    let mut model = LiveModel::default();
    model.take(&LiveEvent::Open(70), 5, &page(&["a"]));
    let effects = model.take(&LiveEvent::Reset(71), 5, &page(&["a"]));
    assert_eq!(effects, Effects::default());
    assert_eq!(model.position(), Some(71));
    assert!(
        model
            .take(&LiveEvent::Reset(90), 5, &page(&["a"]))
            .reread_view
    );
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
    assert_eq!(
        marks.next_change(61_000),
        Some(59_000),
        "at the next full minute"
    );
    marks.put(&lead, &approved, None);
    assert_eq!(marks.age("a", &approved, 3_500).as_deref(), Some(""));
    assert_eq!(marks.next_change(3_500), None);
    marks.remove("a");
    assert_eq!(marks.age("a", &approved, 3_500), None);
}
