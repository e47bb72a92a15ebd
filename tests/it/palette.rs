//! What a palette finds.

use lead_workspace::model::command::COMMANDS;
use lead_workspace::model::palette::{Entry, matching};
use proptest::prelude::*;

fn entry(label: &str) -> Entry {
    Entry {
        label: label.to_owned(),
        group: "",
        keys: Vec::new(),
        recent: None,
    }
}

fn commands() -> Vec<Entry> {
    let all = COMMANDS.iter().map(|spec| Entry {
        group: spec.group.label(),
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
fn the_likeliest_comes_first() {
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
fn nothing_typed_offers_everything_the_recent_ones_first() {
    let mut entries = commands();
    entries[7].recent = Some(1);
    entries[3].recent = Some(0);
    let order = matching(&entries, " ");
    assert_eq!(order.len(), entries.len());
    assert_eq!(order[..4], [3, 7, 0, 1]);
}

#[test]
fn of_two_equals_the_recent_one_wins() {
    let mut entries = vec![entry("Go to leads"), entry("Go to lists")];
    assert_eq!(matching(&entries, "gtl"), [0, 1]);
    entries[1].recent = Some(4);
    assert_eq!(matching(&entries, "gtl"), [1, 0]);
}

#[test]
fn a_group_helps_to_find_but_names_come_first() {
    let found = found("decide");
    assert_eq!(found[0], "Next undecided lead");
    assert!(found.contains(&"Approve".to_owned()));
}

proptest! {
    #[test]
    fn what_is_typed_of_a_name_finds_it(at in 0..COMMANDS.len(), keep in prop::collection::vec(any::<bool>(), 40)) {
        let label = COMMANDS[at].label;
        let typed: String = label.chars().zip(keep).filter(|(_, keep)| *keep).map(|(c, _)| c).collect();
        prop_assert!(matching(&commands(), &typed).contains(&at));
        let first = found(label).swap_remove(0);
        prop_assert_eq!(first, label, "all of a name finds it first");
    }

    #[test]
    fn anything_can_be_typed(typed in ".{0,20}", label in ".{0,20}") {
        let found = matching(&[entry(&label)], &typed);
        prop_assert!(found.len() <= 1);
    }
}
