//! Keys that are pressed one after the other.

use lead_workspace::app::model::command::{Command, Scope};
use lead_workspace::app::model::keymap::{KeyAction, KeyConflict, Keymap};

use crate::keymap::{chord, command, press};

/// Presses keys one after the other, and returns what the last one does.
fn in_sequence(keymap: &Keymap, keys: &[&str]) -> Option<KeyAction> {
    let mut action = None;
    for key in keys {
        let before = match action {
            Some(KeyAction::Wait(before)) => Some(before),
            _ => None,
        };
        action = keymap.action(before, &press(key), Scope::Page);
    }
    action
}

#[test]
fn keys_in_sequence_run_a_command() {
    let keymap = Keymap::default();
    let wait = Some(KeyAction::Wait(chord("G")));
    assert_eq!(in_sequence(&keymap, &["g"]), wait);
    for (key, command) in [
        ("l", Command::GoLeads),
        ("a", Command::GoAccounts),
        ("p", Command::GoPortfolio),
        ("s", Command::GoSettings),
    ] {
        let run = Some(KeyAction::Run(command));
        assert_eq!(in_sequence(&keymap, &["g", key]), run, "{key}");
    }
    // A key that does not continue the sequence does nothing, though it has a command of its own.
    for key in ["/", "?", "z", "g", "Escape"] {
        assert_eq!(in_sequence(&keymap, &["g", key]), None, "{key}");
    }

    let long = Keymap::parse("go-leads=Ctrl+G>X>L");
    assert_eq!(Keymap::parse(&long.to_text()), long);
    let before = Some(chord("Ctrl+G"));
    let next = long.action(before, &press("x"), Scope::Page);
    assert_eq!(next, Some(KeyAction::Wait(chord("Ctrl+G>X"))));
    let last = long.action(Some(chord("Ctrl+G>X")), &press("l"), Scope::Page);
    assert_eq!(last, Some(KeyAction::Run(Command::GoLeads)));
}

#[test]
fn a_sequence_is_shown_with_what_can_follow() {
    assert_eq!(chord("G>L").caps(false), ["g", "then", "l"]);
    assert_eq!(
        chord("Ctrl+G>Shift+L").caps(true),
        ["⌘", "G", "then", "⇧", "L"]
    );
    let mut keymap = Keymap::default();
    let next = |keymap: &Keymap| -> Vec<String> {
        let all = keymap.following(&chord("G")).into_iter();
        all.map(|(_, chord)| chord.to_text()).collect()
    };
    for key in ["L", "A", "P", "S"] {
        assert!(next(&keymap).contains(&key.to_owned()), "{key}");
    }
    keymap = Keymap::parse("go-leads=G>X>L");
    assert!(next(&keymap).contains(&"X".to_owned()));
    keymap.single = false;
    assert_eq!(next(&keymap), Vec::<String>::new());
}

#[test]
fn a_key_that_begins_a_sequence_is_in_use() {
    let mut keymap = Keymap::default();
    let users: Vec<Command> = keymap.owners(&chord("G")).collect();
    assert!(users.contains(&Command::GoLeads) && users.contains(&Command::GoSettings));
    assert_eq!(
        keymap.bind(Command::SelectCompany, 0, chord("G")),
        Err(KeyConflict::Commands(users))
    );
    let sequence = keymap.bind(Command::Approve, 0, chord("J>A"));
    let down = vec![Command::MoveDown];
    assert_eq!(sequence, Err(KeyConflict::Commands(down)));
    assert_eq!(keymap, Keymap::default(), "nothing changes");
    assert_eq!(
        keymap.bind(Command::Approve, 0, chord("Ctrl+W>A")),
        Err(KeyConflict::Browser)
    );

    keymap.take(Command::SelectCompany, 0, chord("G")).unwrap();
    assert_eq!(keymap.keys(Command::GoLeads), []);
    let run = Some(Command::SelectCompany);
    assert_eq!(command(&keymap, &press("g"), Scope::Grid), run);

    // A command cannot have both, either.
    let mut keymap = Keymap::default();
    keymap.take(Command::GoLeads, 1, chord("G")).unwrap();
    assert_eq!(keymap.keys(Command::GoLeads), [chord("G")]);
}

#[test]
fn keys_that_were_stored_before_there_were_sequences_stay() {
    // G was the key to select a company.
    let stored = Keymap::parse("select-company=G Shift+G\nfocus-mode=Z F");
    let at = |key: &str| command(&stored, &press(key), Scope::Grid);
    assert_eq!(at("g"), Some(Command::SelectCompany));
    assert_eq!(at("z"), Some(Command::FocusMode));
    assert_eq!(at("f"), Some(Command::FocusMode));
    assert_eq!(stored.keys(Command::GoLeads), []);
    assert_eq!(stored.keys(Command::ToggleDensity), []);
    assert_eq!(Keymap::parse(&stored.to_text()), stored);
}
