//! Actions of a host page, and their keys.

use lead_workspace::app::model::chord::{Chord, KeyPress};
use lead_workspace::app::model::command::{Command, Scope};
use lead_workspace::app::model::host_action::{
    ActionTarget, HostAction, KeyRefusal, free_key, pressed,
};
use lead_workspace::app::model::keymap::Keymap;

fn action(label: &str, key: Option<&str>) -> HostAction {
    HostAction {
        id: label.to_lowercase(),
        label: label.to_owned(),
        target: ActionTarget::Lead,
        key: key.and_then(Chord::parse),
    }
}

#[test]
fn a_key_of_the_review_is_not_free() {
    let keymap = Keymap::default();
    let taken = |key: &str| free_key(key, &keymap, &[]);
    assert_eq!(taken("a"), Err(KeyRefusal::Command(Command::Approve)));
    assert_eq!(
        taken("G"),
        Err(KeyRefusal::Command(Command::GoLeads)),
        "it begins a sequence"
    );
    assert_eq!(taken("Ctrl+K"), Err(KeyRefusal::Command(Command::Palette)));
    assert_eq!(taken("Ctrl+W"), Err(KeyRefusal::Browser));
    assert_eq!(taken("Hyper+Y"), Err(KeyRefusal::Unknown));
    assert_eq!(taken("y"), Ok(Chord::parse("Y").unwrap()));
    assert_eq!(
        taken("a").unwrap_err().words(),
        "the review uses it for \"Approve\""
    );
}

#[test]
fn two_actions_cannot_have_one_key() {
    let others = [action("Send", Some("Y"))];
    assert_eq!(
        free_key("y", &Keymap::default(), &others),
        Err(KeyRefusal::Action("Send".into()))
    );
}

fn press(key: &str) -> KeyPress {
    KeyPress {
        key: key.to_owned(),
        ..KeyPress::default()
    }
}

#[test]
fn a_key_runs_its_action_in_the_grid() {
    let actions = [action("None", None), action("Send", Some("Y"))];
    let mut keymap = Keymap::default();
    let now = |keymap: &Keymap, press: &KeyPress, at| pressed(&actions, keymap, press, at);
    assert_eq!(now(&keymap, &press("y"), Scope::Grid), Some(&actions[1]));
    assert_eq!(now(&keymap, &press("y"), Scope::Page), None);
    assert_eq!(now(&keymap, &press("z"), Scope::Grid), None);
    let typing = KeyPress {
        in_input: true,
        ..press("y")
    };
    assert_eq!(now(&keymap, &typing, Scope::Grid), None);
    let held = KeyPress {
        repeat: true,
        ..press("y")
    };
    assert_eq!(
        now(&keymap, &held, Scope::Grid),
        None,
        "an action runs once"
    );
    keymap.single = false;
    assert_eq!(now(&keymap, &press("y"), Scope::Grid), None);
}

#[test]
fn targets_have_words() {
    for (word, target) in [
        ("lead", ActionTarget::Lead),
        ("leads", ActionTarget::Leads),
        ("account", ActionTarget::Account),
    ] {
        assert_eq!(ActionTarget::parse(word), Some(target));
    }
    assert_eq!(ActionTarget::parse("list"), None);
}
