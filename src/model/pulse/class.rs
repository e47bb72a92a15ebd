//! The classes of replies.

use std::collections::BTreeMap;

use crate::model::lead::words;

/// What a class says of a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The lead wants more.
    Good,
    /// The lead wants no more.
    Bad,
    /// Neither, or a class that nobody here knows.
    Plain,
}

/// A class of replies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    /// Its name in words; never empty.
    pub name: String,
    /// What it says of the lead.
    pub tone: Tone,
    /// How many replies are of it.
    pub count: u64,
}

impl Class {
    /// A class by its token.
    pub fn of(token: &str, count: u64) -> Self {
        // spec: not shown; these are the classes that our service knows.
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

    /// Every class, the most frequent one first, those that are equal by name.
    pub(super) fn all(counts: BTreeMap<String, u64>) -> Vec<Self> {
        let mut all: Vec<Self> = counts
            .iter()
            .map(|(token, count)| Self::of(token, *count))
            .collect();
        all.sort_by(|one, other| {
            let by_count = other.count.cmp(&one.count);
            by_count.then_with(|| one.name.cmp(&other.name))
        });
        all
    }
}

/// `meeting_booked` as "Meeting booked". What is no such token stays as it is.
fn name(token: &str) -> String {
    let token = token.trim();
    if token.is_empty() {
        "No class".to_owned()
    } else if token.starts_with('_') || token.ends_with('_') {
        token.to_owned()
    } else {
        words(token)
    }
}

/// What is said of classes whose counts are none; nothing where there are none of them.
pub fn odd(known: u64, odd: u64, number: &dyn Fn(u64) -> String) -> Option<String> {
    let classes = match known + odd {
        1 => " class",
        _ => " classes",
    };
    let why = match odd {
        1 => " could not be read: its count is no whole number.",
        _ => " could not be read: their counts are no whole numbers.",
    };
    let words = [&*number(odd), " of ", &number(known + odd), classes, why];
    (odd > 0).then(|| words.concat())
}

/// The classes in one sentence: the first `most` of them, and how many there are besides.
/// `number` writes a number for people.
pub fn said(classes: &[Class], most: usize, number: &dyn Fn(u64) -> String) -> String {
    let mut said = String::from("Replies by class: ");
    for (nth, class) in classes.iter().take(most).enumerate() {
        if nth > 0 {
            said.push_str(", ");
        }
        said.push_str(&[&class.name, " ", &*number(class.count)].concat());
    }
    let rest = classes.len().saturating_sub(most);
    if rest > 0 {
        said.push_str(&[", and ", &*number(rest as u64), " more in the table"].concat());
    }
    said.push('.');
    said
}
