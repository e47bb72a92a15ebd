//! Matching in the command palette.

use lead_workspace::app::model::command::{COMMANDS, Command};
use lead_workspace::app::model::palette_search::{PaletteEntry, matching};
use proptest::prelude::*;

fn entry(label: &str) -> PaletteEntry {
    PaletteEntry {
        label: label.to_owned(),
        ..PaletteEntry::default()
    }
}

fn commands() -> Vec<PaletteEntry> {
    let all = COMMANDS.iter().map(|spec| PaletteEntry {
        group: spec.group.label(),
        changes: spec.command.changes(),
        ..entry(spec.label)
    });
    all.collect()
}

fn found(typed: &str) -> Vec<String> {
    let entries = commands();
    let found = matching(&entries, typed).into_iter();
    found.map(|at| entries[at].label.clone()).collect()
}

#[test]
fn the_best_match_comes_first() {
    for (typed, label) in [
        ("app", "Approve"),
        ("APPROVE SEL", "Approve selected"),
        ("gta", "Go to accounts"),
        ("col", "Columns"),
        ("comp", "Compact or comfortable rows"),
        ("stv", "Save this view"),
        ("nul", "Next undecided lead"),
        ("keyb", "Keyboard shortcuts"),
    ] {
        assert_eq!(found(typed)[0], label, "{typed}");
    }
    assert_eq!(found("zzz"), <[&str; 0]>::default());
}

#[test]
fn an_empty_query_lists_everything_recent_first() {
    let mut entries: Vec<PaletteEntry> = ["a", "b", "c", "d"].map(entry).into();
    entries[3].recent = Some(1);
    entries[1].recent = Some(0);
    assert_eq!(matching(&entries, " "), [1, 3, 0, 2]);
    assert_eq!(matching(&commands(), "").len(), COMMANDS.len());
}

#[test]
fn the_first_entry_of_an_empty_query_changes_no_lead() {
    let mut entries = commands();
    let label = |entries: &[PaletteEntry]| entries[matching(entries, "")[0]].label.clone();
    assert_eq!(label(&entries), "Recent decisions");
    let approve = Command::Approve as usize;
    entries[approve].recent = Some(0);
    assert_eq!(
        label(&entries),
        "Recent decisions",
        "even if it was used last"
    );
    assert_eq!(matching(&entries, "approve")[0], approve);
}

#[test]
fn entries_for_the_selection_come_first() {
    let mut entries = commands();
    let first = |entries: &[PaletteEntry], typed: &str| {
        let at = matching(entries, typed)[0];
        COMMANDS[at].command
    };
    assert_eq!(first(&entries, "score"), Command::ScoreList);
    for (entry, spec) in entries.iter_mut().zip(COMMANDS) {
        entry.fits = spec.command.is_for_selection();
    }
    entries[Command::ScoreList as usize].recent = Some(0);
    assert_eq!(first(&entries, "score"), Command::ScoreSelected);
    assert_eq!(first(&entries, ""), Command::ClearSelection);
}

#[test]
fn what_the_server_found_matches_by_its_name_and_never_displaces_an_equal_entry() {
    let found = |label: &str| PaletteEntry {
        is_found: true,
        ..entry(label)
    };
    let entries = [entry("Settings"), found("Seth Settin"), found("Ada Novak")];
    assert_eq!(matching(&entries, "set"), [0, 1, 2]);
    assert_eq!(matching(&entries, "novak"), [2, 1]);
}

#[test]
fn scattered_letters_never_put_a_decision_first() {
    let mut entries = commands();
    entries.push(PaletteEntry {
        is_found: true,
        ..entry("Erik Jected")
    });
    let labels = |typed: &str| -> Vec<String> {
        let found = matching(&entries, typed).into_iter();
        found.map(|at| entries[at].label.clone()).collect()
    };
    let first = |typed: &str| labels(typed)[0].clone();
    assert_eq!(
        labels("rjc")[..2],
        ["Rejected leads", "Erik Jected"],
        "before Reject"
    );
    assert_eq!(first("rej"), "Reject");
    assert_eq!(first("as"), "Approve selected", "first letters of words");
}

#[test]
fn the_recent_entry_wins_a_tie() {
    let mut entries = vec![entry("Go to leads"), entry("Go to lists")];
    assert_eq!(matching(&entries, "gtl"), [0, 1]);
    entries[1].recent = Some(4);
    assert_eq!(matching(&entries, "gtl"), [1, 0]);
}

#[test]
fn group_matches_rank_below_name_matches() {
    let found = found("decide");
    assert_eq!(found[0], "Next undecided lead");
    assert!(found.contains(&"Approve".to_owned()));
}

proptest! {
    #[test]
    fn part_of_a_name_finds_it(at in 0..COMMANDS.len(), keep in prop::collection::vec(any::<bool>(), 40)) {
        let label = COMMANDS[at].label;
        let typed: String = label.chars().zip(keep).filter(|(_, keep)| *keep).map(|(c, _)| c).collect();
        prop_assert!(matching(&commands(), &typed).contains(&at));
        let first = found(label).swap_remove(0);
        prop_assert_eq!(first, label, "a full name match comes first");
    }

    #[test]
    fn any_query_is_accepted(typed in ".{0,20}", label in ".{0,20}") {
        let found = matching(&[entry(&label)], &typed);
        prop_assert!(found.len() <= 1);
    }
}
