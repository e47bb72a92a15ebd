//! The text of `icp_reasoning`, as our service writes it: sentences for people that a program can
//! take apart again.
//!
//! ```text
//! Industry 25/25: Computer Software is a target industry; Size 16/25: 1001-5000 people; …
//! ```
//!
//! The form is stable: parts are joined by `"; "`; each is a name, a space, the points, a slash,
//! the most that the part can give, a colon, a space and a text without a semicolon. Names are
//! `Industry`, `Size`, `Title`, `Location` and `Intent`, in this order, and the points of the
//! parts add up to the score.

use std::fmt;

/// One part of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScorePart {
    /// What was looked at, e.g. `Industry`.
    pub name: String,
    /// The points it gave.
    pub points: u32,
    /// The most it can give.
    pub max: u32,
    /// Why.
    pub text: String,
}

impl ScorePart {
    /// Takes a reasoning apart. What is not in the form above gives no parts, so that the text of
    /// another service is shown as it is.
    pub fn read_all(reasoning: &str) -> Vec<Self> {
        let parts = reasoning.split("; ").map(Self::read);
        parts.collect::<Option<_>>().unwrap_or_default()
    }

    /// Puts a reasoning together.
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
        // A semicolon in a title or a company's name must not look like the end of a part.
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
    fn a_reasoning_comes_apart_as_it_was_put_together() {
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
    fn another_text_gives_no_parts() {
        for text in ["", "A great fit.", "Industry 1/2: x; and more", "Size /: x"] {
            assert_eq!(ScorePart::read_all(text), [], "{text}");
        }
    }
}
