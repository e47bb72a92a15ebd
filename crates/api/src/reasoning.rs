//! The text of `icp_reasoning`, as our service writes it: readable sentences that a program can parse.
//!
//! ```text
//! Industry 25/25: Computer Software is a target industry; Size 16/25: 1001-5000 people; …; Intent 8/10: job change on 2026-05-15
//! ```
//!
//! The form is stable. Parts are joined by `"; "`. Each part is a name, a space, the points, a slash, the
//! maximum points, a colon, a space and a text without a semicolon. The names are `Industry`, `Size`,
//! `Title`, `Location` and `Intent`, in this order. The points add up to the score. The text of `Intent` has the day of
//! the signal; older versions of the service wrote its age on the day of scoring, such as `job change 14 days ago`.

use std::fmt;

/// One part of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScorePart {
    /// The criterion, e.g. `Industry`.
    pub name: String,
    /// The points awarded.
    pub points: u32,
    /// The maximum points.
    pub max: u32,
    /// The explanation.
    pub text: String,
}

impl ScorePart {
    /// Parses a reasoning.
    ///
    /// Returns no parts if the text is not in the form above; the text of another service is then shown
    /// unchanged.
    pub fn read_all(reasoning: &str) -> Vec<Self> {
        let parts = reasoning.split("; ").map(Self::read);
        parts.collect::<Option<_>>().unwrap_or_default()
    }

    /// Formats a reasoning.
    pub fn write_all(parts: &[Self]) -> String {
        let parts: Vec<_> = parts.iter().map(Self::to_string).collect();
        parts.join("; ")
    }

    fn read(part: &str) -> Option<Self> {
        let (head, text) = part.split_once(": ")?;
        let (name, points) = head.rsplit_once(' ')?;
        let (points, max) = points.split_once('/')?;
        Some(Self {
            name: name.to_owned(),
            points: points.parse().ok()?,
            max: max.parse().ok()?,
            text: text.to_owned(),
        })
    }
}

impl fmt::Display for ScorePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}/{}: ", self.name, self.points, self.max)?;
        // A semicolon in a job title or company name must not end the part.
        f.write_str(&self.text.replace(';', ","))
    }
}

#[cfg(test)]
mod tests {
    use super::ScorePart;

    fn part(name: &str, points: u32, max: u32, text: &str) -> ScorePart {
        ScorePart {
            name: name.into(),
            points,
            max,
            text: text.into(),
        }
    }

    #[test]
    fn reasoning_round_trips() {
        let parts = [
            part("Industry", 25, 25, "Banking: a target industry"),
            part("Intent", 0, 10, "no sign of intent"),
        ];
        let text = ScorePart::write_all(&parts);
        assert_eq!(
            text,
            "Industry 25/25: Banking: a target industry; Intent 0/10: no sign of intent"
        );
        assert_eq!(ScorePart::read_all(&text), parts);
    }

    #[test]
    fn a_semicolon_in_a_value_does_not_end_a_part() {
        let text = ScorePart::write_all(&[part("Title", 1, 25, "CEO; Founder")]);
        assert_eq!(text, "Title 1/25: CEO, Founder");
        assert_eq!(ScorePart::read_all(&text).len(), 1);
    }

    #[test]
    fn free_text_has_no_parts() {
        for text in ["", "A great fit.", "Industry 1/2: x; and more", "Size /: x"] {
            assert_eq!(ScorePart::read_all(text), [], "{text}");
        }
    }
}
