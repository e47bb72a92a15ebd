//! Classes of replies.

use std::collections::BTreeMap;

use crate::app::model::humanize::humanize;

/// What a class means for the lead's interest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The lead is interested.
    Good,
    /// The lead is not interested.
    Bad,
    /// Neutral, or an unknown class.
    Plain,
}

/// A class of replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplyClass {
    /// Label; never empty.
    pub name: String,
    pub tone: Tone,
    /// Number of replies.
    pub count: u64,
}

impl ReplyClass {
    pub fn new(token: &str, count: u64) -> Self {
        // spec: not shown; these are the classes that our service has.
        let tone = match token {
            "interested" | "meeting_booked" | "referral" => Tone::Good,
            "not_interested" | "unsubscribe" => Tone::Bad,
            _ => Tone::Plain,
        };
        Self {
            name: name(token),
            tone,
            count,
        }
    }

    /// Returns all classes, most frequent first, equal ones by name.
    pub(super) fn all(counts: BTreeMap<String, u64>) -> Vec<Self> {
        let mut all: Vec<Self> = counts
            .iter()
            .map(|(token, count)| Self::new(token, *count))
            .collect();
        all.sort_by(|one, other| {
            let by_count = other.count.cmp(&one.count);
            by_count.then_with(|| one.name.cmp(&other.name))
        });
        all
    }
}

/// Converts a token to words: `meeting_booked` to "Meeting booked". Other text stays as it is.
fn name(token: &str) -> String {
    let token = token.trim();
    if token.is_empty() {
        "No class".to_owned()
    } else if token.starts_with('_') || token.ends_with('_') {
        token.to_owned()
    } else {
        humanize(token)
    }
}

/// Returns the message about classes whose counts could not be read; `None` if there are none.
pub fn odd(known: u64, odd: u64, number: &dyn Fn(u64) -> String) -> Option<String> {
    let classes = match known + odd {
        1 => " class",
        _ => " classes",
    };
    let why = match odd {
        1 => " could not be read: its count is not a whole number.",
        _ => " could not be read: their counts are not whole numbers.",
    };
    let words = [&*number(odd), " of ", &number(known + odd), classes, why];
    (odd > 0).then(|| words.concat())
}

/// Returns the classes as one sentence: the first `most` of them, and the number of the others.
/// `number` formats a number for the user.
pub fn description(classes: &[ReplyClass], most: usize, number: &dyn Fn(u64) -> String) -> String {
    let mut description = String::from("Replies by class: ");
    for (nth, class) in classes.iter().take(most).enumerate() {
        if nth > 0 {
            description.push_str(", ");
        }
        description.push_str(&[&class.name, " ", &*number(class.count)].concat());
    }
    let rest = classes.len().saturating_sub(most);
    if rest > 0 {
        description.push_str(&[", and ", &*number(rest as u64), " more in the table"].concat());
    }
    description.push('.');
    description
}
