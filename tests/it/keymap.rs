//! From a key press to a command, and custom key bindings.

use lead_workspace::app::model::chord::{Chord, KeyPress};
use lead_workspace::app::model::command::{COMMANDS, Command, Scope};
use lead_workspace::app::model::keymap::{KeyAction, KeyConflict, Keymap};
use proptest::prelude::*;
use proptest::sample::select;

pub fn press(key: &str) -> KeyPress {
    KeyPress {
        key: key.to_owned(),
        ..KeyPress::default()
    }
}

fn with_ctrl(key: &str) -> KeyPress {
    KeyPress {
        ctrl: true,
        ..press(key)
    }
}

fn shifted(press: KeyPress) -> KeyPress {
    KeyPress {
        shift: true,
        ..press
    }
}

/// Returns the command of a key press that is not part of a sequence.
pub fn command(keymap: &Keymap, press: &KeyPress, at: Scope) -> Option<Command> {
    match keymap.action(None, press, at)? {
        KeyAction::Run(command) => Some(command),
        KeyAction::Wait(_) => None,
    }
}

fn on_grid(press: &KeyPress) -> Option<Command> {
    command(&Keymap::default(), press, Scope::Grid)
}

pub fn chord(text: &str) -> Chord {
    Chord::parse(text).unwrap()
}

#[test]
fn the_default_keys_match_the_design() {
    for (key, command) in [
        ("j", Command::MoveDown),
        ("k", Command::MoveUp),
        ("a", Command::Approve),
        ("r", Command::Reject),
        ("p", Command::Pending),
        ("f", Command::FilterOut),
        ("u", Command::Undo),
        ("x", Command::Select),
        ("n", Command::NextUndecided),
        ("o", Command::FocusMode),
        ("z", Command::ToggleDensity),
        ("1", Command::TabPending),
        ("5", Command::TabAll),
        ("Enter", Command::Open),
        ("Escape", Command::Close),
        ("/", Command::Search),
        ("?", Command::Help),
        ("Delete", Command::Delete),
    ] {
        assert_eq!(on_grid(&press(key)), Some(command), "{key}");
    }
    assert_eq!(on_grid(&with_ctrl("z")), Some(Command::Undo));
    assert_eq!(on_grid(&shifted(with_ctrl("Z"))), Some(Command::Redo));
    assert_eq!(on_grid(&with_ctrl("a")), Some(Command::SelectAll));
    assert_eq!(on_grid(&with_ctrl("k")), Some(Command::Palette));
    assert_eq!(
        on_grid(&shifted(press("A"))),
        Some(Command::ApproveSelected)
    );
    assert_eq!(on_grid(&shifted(press("R"))), Some(Command::RejectSelected));
}

#[test]
fn macs_use_their_own_modifier() {
    let press = KeyPress {
        meta: true,
        ..press("k")
    };
    assert_eq!(on_grid(&press), Some(Command::Palette));
    assert_eq!(chord("Ctrl+Shift+Z").caps(true), ["⌘", "⇧", "Z"]);
    assert_eq!(chord("Ctrl+Shift+Z").caps(false), ["Ctrl", "Shift", "Z"]);
    assert_eq!(chord("A").caps(false), ["a"], "as printed on the key");
}

#[test]
fn caps_lock_and_shift_for_a_symbol_are_ignored() {
    assert_eq!(on_grid(&press("A")), Some(Command::Approve));
    assert_eq!(on_grid(&shifted(press("?"))), Some(Command::Help));
    assert_eq!(on_grid(&shifted(press("/"))), Some(Command::Search));
}

#[test]
fn a_symbol_typed_with_alt_gr_is_the_symbol() {
    let press = KeyPress {
        ctrl: true,
        alt: true,
        ..press("/")
    };
    assert_eq!(on_grid(&press), Some(Command::Search));
}

#[test]
fn keyboards_of_other_scripts_use_key_positions() {
    let other = KeyPress {
        code: "KeyA".to_owned(),
        ..press("ф")
    };
    assert_eq!(on_grid(&other), Some(Command::Approve));
    // On a Latin layout the character counts, not the physical position.
    let moved = KeyPress {
        code: "KeyQ".to_owned(),
        ..press("a")
    };
    assert_eq!(on_grid(&moved), Some(Command::Approve));
}

#[test]
fn a_repeating_key_only_moves() {
    for spec in COMMANDS {
        for key in Keymap::default().keys(spec.command) {
            let held = KeyPress {
                repeat: true,
                ..pressed(key)
            };
            let moves = matches!(
                spec.command,
                Command::MoveDown | Command::MoveUp | Command::ExtendDown | Command::ExtendUp
            );
            let action = Keymap::default().action(None, &held, Scope::Grid);
            assert_eq!(action.is_some(), moves, "{}", spec.id);
        }
    }
}

#[test]
fn typing_runs_no_commands() {
    let typed = |press: KeyPress| {
        let press = KeyPress {
            in_input: true,
            ..press
        };
        on_grid(&press)
    };
    let in_input = KeyPress {
        in_input: true,
        ..press("g")
    };
    let action = Keymap::default().action(None, &in_input, Scope::Grid);
    assert_eq!(action, None, "no sequence begins");
    for key in ["a", "r", "j", "/", "?", "Delete", "Enter", "Escape"] {
        assert_eq!(typed(press(key)), None, "{key}");
    }
    assert_eq!(typed(with_ctrl("z")), None, "undoes typing");
    assert_eq!(typed(with_ctrl("a")), None, "selects the typed text");
    assert_eq!(typed(with_ctrl("k")), Some(Command::Palette));
}

#[test]
fn decisions_need_grid_focus_and_buttons_keep_enter() {
    let keymap = Keymap::default();
    assert_eq!(command(&keymap, &press("a"), Scope::Page), None);
    assert_eq!(
        command(&keymap, &press("?"), Scope::Page),
        Some(Command::Help)
    );
    let on_button = KeyPress {
        on_control: true,
        ..press("Enter")
    };
    assert_eq!(on_grid(&on_button), None);
    let on_button = KeyPress {
        on_control: true,
        ..press("a")
    };
    assert_eq!(on_grid(&on_button), Some(Command::Approve));
    // A link keeps the browser's own menu.
    let mut menu = shifted(press("F10"));
    assert_eq!(on_grid(&menu), Some(Command::RowMenu));
    menu.on_control = true;
    assert_eq!(on_grid(&menu), None);
}

#[test]
fn disabled_shortcuts_keep_read_only_keys() {
    let mut off = Keymap::default();
    off.single = false;
    let command = |press: KeyPress| command(&off, &press, Scope::Grid);
    assert_eq!(off.action(None, &press("g"), Scope::Grid), None);
    for key in ["a", "/", "?"] {
        assert_eq!(command(press(key)), None, "{key}");
    }
    assert_eq!(command(shifted(press("A"))), None);
    assert_eq!(command(with_ctrl("k")), Some(Command::Palette));
    assert_eq!(command(press("Enter")), Some(Command::Open));
    assert_eq!(off.live(Command::Undo).count(), 1);
}

#[test]
fn a_key_belongs_to_one_command() {
    let mut keymap = Keymap::default();
    let clash = keymap.bind(Command::Approve, 0, chord("R"));
    assert_eq!(clash, Err(KeyConflict::Commands(vec![Command::Reject])));
    assert_eq!(keymap, Keymap::default(), "nothing changes");
    assert_eq!(
        keymap.bind(Command::Approve, 0, chord("Ctrl+W")),
        Err(KeyConflict::Browser)
    );

    keymap.bind(Command::Approve, 0, chord("Y")).unwrap();
    let at = |keymap: &Keymap, key: &str| command(keymap, &press(key), Scope::Grid);
    assert_eq!(at(&keymap, "y"), Some(Command::Approve));
    assert_eq!(at(&keymap, "a"), None);

    keymap.take(Command::Approve, 1, chord("R")).unwrap();
    assert_eq!(at(&keymap, "r"), Some(Command::Approve));
    assert_eq!(keymap.keys(Command::Reject), []);
    keymap.unbind(Command::Approve, 0);
    assert_eq!(keymap.keys(Command::Approve), [chord("R")]);
}

#[test]
fn only_changed_keys_are_stored() {
    assert_eq!(Keymap::default().to_text(), "");
    assert_eq!(Keymap::parse("\0=\n=\napprove"), Keymap::default());
    let mut keymap = Keymap::default();
    keymap.unbind(Command::Reject, 0);
    keymap.single = false;
    assert_eq!(keymap.to_text(), "reject=\nsingle=off\n");
    assert_eq!(Keymap::parse(&keymap.to_text()), keymap);
    assert_eq!(Keymap::parse("approve=R\nreject=A"), {
        let mut swapped = Keymap::default();
        swapped.take(Command::Approve, 0, chord("R")).unwrap();
        swapped.take(Command::Reject, 0, chord("A")).unwrap();
        swapped
    });
}

#[test]
fn every_command_has_a_unique_name() {
    for (at, spec) in COMMANDS.iter().enumerate() {
        assert_eq!(spec.command as usize, at);
        assert_eq!(Command::parse(spec.id), Some(spec.command));
        assert!(COMMANDS[..at].iter().all(|other| other.label != spec.label));
        let keys = Keymap::default().keys(spec.command).len();
        for key in Keymap::default().keys(spec.command) {
            let owners: Vec<_> = Keymap::default().owners(key).collect();
            assert_eq!(owners, [spec.command], "{}", spec.id);
        }
        assert_eq!(keys, spec.keys.split_whitespace().count(), "{}", spec.id);
    }
}

/// Returns the key press for a chord.
fn pressed(chord: &Chord) -> KeyPress {
    let text = chord.to_text();
    let has = |modifier: &str| text.contains(modifier) && !text.ends_with(modifier);
    let key = chord.caps(false).pop().unwrap();
    let key = match key.as_str() {
        "Del" => "Delete",
        "Esc" => "Escape",
        key => key,
    };
    KeyPress {
        ctrl: has("Ctrl+"),
        alt: has("Alt+"),
        shift: has("Shift+"),
        ..press(key)
    }
}

fn any_press() -> impl Strategy<Value = KeyPress> {
    let named = select(vec![
        "Enter",
        "F2",
        "ArrowDown",
        "Home",
        " ",
        "+",
        "=",
        "Я",
        "é",
        "Dead",
    ]);
    let key = prop_oneof![
        any::<char>().prop_map(String::from),
        "[a-zA-Z?/]",
        named.prop_map(String::from)
    ];
    let code = select(vec!["", "KeyA", "KeyQ", "Slash"]);
    let modifiers = any::<(bool, bool, bool, bool)>();
    (key, code, modifiers).prop_map(|(key, code, (ctrl, shift, alt, meta))| KeyPress {
        code: code.to_owned(),
        ctrl,
        shift,
        alt,
        meta,
        ..press(&key)
    })
}

#[derive(Clone, Debug)]
enum Change {
    Bind(usize, usize, KeyPress),
    Take(usize, usize, KeyPress),
    Unbind(usize, usize),
    Switch,
}

fn any_change() -> impl Strategy<Value = Change> {
    let command = 0..COMMANDS.len();
    prop_oneof![
        (command.clone(), 0..3usize, any_press()).prop_map(|(c, at, p)| Change::Bind(c, at, p)),
        (command.clone(), 0..3usize, any_press()).prop_map(|(c, at, p)| Change::Take(c, at, p)),
        (command, 0..3usize).prop_map(|(c, at)| Change::Unbind(c, at)),
        Just(Change::Switch),
    ]
}

proptest! {
    #[test]
    fn a_chord_round_trips(press in any_press()) {
        if let Some(chord) = Chord::from_press(&press) {
            prop_assert_eq!(Chord::parse(&chord.to_text()), Some(chord));
        }
    }

    #[test]
    fn any_text_is_a_valid_keymap(text in "([a-z-]{0,9}=?[A-Za-z+=> ]{0,12}\n){0,6}") {
        let keymap = Keymap::parse(&text);
        prop_assert_eq!(Keymap::parse(&keymap.to_text()), keymap);
    }

    /// After any changes, no keys clash, and the keymap survives a round trip.
    #[test]
    fn changes_keep_the_keymap_valid(changes in prop::collection::vec(any_change(), 0..40)) {
        let mut keymap = Keymap::default();
        for change in changes {
            match change {
                Change::Bind(command, at, press) => {
                    let Some(chord) = Chord::from_press(&press) else { continue };
                    let _ = keymap.bind(COMMANDS[command].command, at, chord);
                }
                Change::Take(command, at, press) => {
                    let Some(chord) = Chord::from_press(&press) else { continue };
                    let command = COMMANDS[command].command;
                    if keymap.take(command, at, chord.clone()).is_ok() {
                        prop_assert_eq!(keymap.owners(&chord).collect::<Vec<_>>(), [command]);
                    }
                }
                Change::Unbind(command, at) => keymap.unbind(COMMANDS[command].command, at),
                Change::Switch => keymap.single = !keymap.single,
            }
            let all: Vec<_> = COMMANDS.iter().flat_map(|spec| keymap.keys(spec.command)).collect();
            for (at, key) in all.iter().enumerate() {
                prop_assert!(all[..at].iter().all(|other| !other.clashes(key)), "{key:?}");
            }
            prop_assert_eq!(Keymap::parse(&keymap.to_text()), keymap.clone());
        }
    }
}
