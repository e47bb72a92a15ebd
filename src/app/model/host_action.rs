//! Actions of the host page: what they act on, and which keys they get.

use super::chord::{Chord, KeyPress};
use super::command::{Command, Scope};
use super::keymap::Keymap;

/// What an action acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionTarget {
    /// One lead.
    Lead,
    /// The selected leads, or one lead.
    Leads,
    /// One account, or that of a lead.
    Account,
}

impl ActionTarget {
    /// Reads the word of the host page.
    pub fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "lead" => Self::Lead,
            "leads" => Self::Leads,
            "account" => Self::Account,
            _ => return None,
        })
    }

    /// Returns the noun for one.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Lead | Self::Leads => "lead",
            Self::Account => "account",
        }
    }
}

/// An action of the host page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostAction {
    pub id: String,
    pub label: String,
    pub target: ActionTarget,
    /// `None` if it has no key, or one that was not free.
    pub key: Option<Chord>,
}

/// Why an action does not get its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyRefusal {
    /// Not a key, such as `Hyper+Y`.
    Unknown,
    /// Browsers need it.
    Browser,
    Command(Command),
    /// Another action of the page, by its label.
    Action(String),
}

impl KeyRefusal {
    /// Returns the reason in words.
    pub fn words(&self) -> String {
        match self {
            Self::Unknown => {
                "it is not a key; use one such as \"Y\", \"Shift+Y\" or \"Ctrl+Y\"".to_owned()
            }
            Self::Browser => "the browser needs it".to_owned(),
            Self::Command(command) => {
                ["the review uses it for \"", command.spec().label, "\""].concat()
            }
            Self::Action(label) => ["the action \"", label, "\" has it"].concat(),
        }
    }
}

/// Returns the chord of a key that an action wants, if it is free.
///
/// # Errors
/// If the text is no key, or the key belongs to the browser, to a command of the review or to one of the `others`.
pub fn free_key(wanted: &str, keymap: &Keymap, others: &[HostAction]) -> Result<Chord, KeyRefusal> {
    let chord = Chord::parse(wanted).ok_or(KeyRefusal::Unknown)?;
    if chord.is_taken() {
        return Err(KeyRefusal::Browser);
    }
    if let Some(command) = keymap.owners(&chord).next() {
        return Err(KeyRefusal::Command(command));
    }
    let has_it = |action: &&HostAction| {
        let key = action.key.as_ref();
        key.is_some_and(|key| key.clashes(&chord))
    };
    match others.iter().find(has_it) {
        Some(other) => Err(KeyRefusal::Action(other.label.clone())),
        None => Ok(chord),
    }
}

/// Returns the action that a key press runs, where `at` is the location of the focus. Keys of the review, which the
/// user may change, come first.
pub fn pressed<'a>(
    actions: &'a [HostAction],
    keymap: &Keymap,
    press: &KeyPress,
    at: Scope,
) -> Option<&'a HostAction> {
    let chord = Chord::from_press(press)?;
    let is_off = chord.is_single() && !keymap.single;
    let is_elsewhere = press.in_input || at != Scope::Grid || press.repeat;
    if is_off || is_elsewhere || (press.on_control && chord.is_of_control()) {
        return None;
    }
    actions
        .iter()
        .find(|action| action.key.as_ref() == Some(&chord))
}
