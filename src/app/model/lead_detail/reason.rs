//! Explanation of a criterion, with an age in it that stays right.

use crate::app::model::time::{instant, is_day};

const DAY: i64 = 86_400_000;

/// An explanation. A day in it, such as "on 2025-03-01", is a point in time here, to be shown relative to now. So is an age,
/// such as "19 days ago", which older versions of our service wrote, and which is counted from the day of scoring.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason<'a> {
    pub before: &'a str,
    /// Milliseconds since 1970, to the day; `None` if the text has neither, or an age whose day of scoring is not known.
    pub when: Option<i64>,
    pub after: &'a str,
}

impl<'a> Reason<'a> {
    /// Reads an explanation that was written at `scored`, in milliseconds since 1970.
    pub fn new(text: &'a str, scored: Option<i64>) -> Self {
        // Our service writes "job change on 2025-03-01, and 2 more".
        let event = before_more(text).unwrap_or(text);
        let after = &text[event.len()..];
        let of_age = || {
            let (before, days) = age(event)?;
            Some((before, scored?.saturating_sub(days.saturating_mul(DAY))))
        };
        match day(event).or_else(of_age) {
            Some((before, when)) => Self {
                before,
                when: Some(when),
                after,
            },
            None => Self {
                before: text,
                ..Self::default()
            },
        }
    }

    /// Returns the explanation as text, with the point in time as `ago` says it.
    pub fn text(&self, ago: impl Fn(i64) -> String) -> String {
        let when = self.when.map(ago).unwrap_or_default();
        [self.before, &when, self.after].concat()
    }
}

/// Splits the day from the end of a text.
fn day(text: &str) -> Option<(&str, i64)> {
    let (before, day) = text.rsplit_once("on ")?;
    let is_day = before.ends_with(' ') && day.len() == 10 && is_day(day);
    Some((before, instant(day)?)).filter(|_| is_day)
}

/// Returns what is before ", and 2 more" at the end of a text.
fn before_more(text: &str) -> Option<&str> {
    let rest = text.strip_suffix(" more")?;
    let number = rest.rsplit(' ').next()?;
    rest.strip_suffix(number)?.strip_suffix(", and ")
}

/// Splits the age in days from the end of a text.
fn age(text: &str) -> Option<(&str, i64)> {
    let (before, days) = if let Some(before) = text.strip_suffix("today") {
        (before, 0)
    } else if let Some(before) = text.strip_suffix("yesterday") {
        (before, 1)
    } else {
        let days = text.strip_suffix(" days ago")?;
        let number = days.rsplit(' ').next()?;
        (&days[..days.len() - number.len()], number.parse().ok()?)
    };
    before.ends_with(' ').then_some((before, days))
}
