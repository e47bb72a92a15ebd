//! Explanation of a criterion, with an age in it that stays right.

const DAY: i64 = 86_400_000;

/// An explanation. An age in it, such as "19 days ago", is counted from the day of scoring. Here it is a point in time, to
/// be shown relative to now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reason<'a> {
    pub before: &'a str,
    /// Milliseconds since 1970, to the day; `None` if the text has no age, or the day of scoring is not known.
    pub when: Option<i64>,
    pub after: &'a str,
}

impl<'a> Reason<'a> {
    /// Reads an explanation that was written at `scored`, in milliseconds since 1970.
    pub fn new(text: &'a str, scored: Option<i64>) -> Self {
        // Our service writes "job change 19 days ago, and 2 more".
        let event = before_more(text).unwrap_or(text);
        let after = &text[event.len()..];
        match (age(event), scored) {
            (Some((before, days)), Some(scored)) => Self {
                before,
                when: Some(scored.saturating_sub(days.saturating_mul(DAY))),
                after,
            },
            _ => Self {
                before: text,
                ..Self::default()
            },
        }
    }
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
