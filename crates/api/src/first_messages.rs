//! What is shown of a list of messages, as long as the server makes it: the first that differ, and how many more there are.

/// Number of messages that are shown.
const SHOWN: usize = 5;

/// Maximum length of a message that is shown, in characters.
const LONGEST: usize = 300;

/// The first messages that differ, at most five, and the number of the others.
#[derive(Debug, Default)]
pub struct FirstMessages {
    shown: Vec<String>,
    /// Number of messages that are not shown.
    pub more: usize,
}

impl FirstMessages {
    /// Adds a message, and returns whether it is shown.
    pub fn add(&mut self, message: String) -> bool {
        let message = shorten(message);
        let is_shown = self.shown.len() < SHOWN && !self.shown.contains(&message);
        if is_shown {
            self.shown.push(message);
        } else {
            self.more += 1;
        }
        is_shown
    }

    /// Returns the messages as text: `a; b; c; d; e, and 9,995 more`.
    pub fn join(&self, separator: &str) -> String {
        let mut text = String::new();
        for (index, message) in self.shown.iter().enumerate() {
            if index > 0 {
                text += separator;
            }
            text += message;
        }
        if self.more > 0 {
            text += &[", and ", &grouped(self.more), " more"].concat();
        }
        text
    }
}

impl FromIterator<String> for FirstMessages {
    fn from_iter<Messages: IntoIterator<Item = String>>(messages: Messages) -> Self {
        let mut first = Self::default();
        for message in messages {
            first.add(message);
        }
        first
    }
}

/// Shortens a message that is too long to be shown.
pub fn shorten(mut message: String) -> String {
    if let Some((end, _)) = message.char_indices().nth(LONGEST) {
        message.truncate(end);
        message.push('…');
    }
    message
}

/// Returns a number with a comma before each three digits.
fn grouped(number: usize) -> String {
    match number {
        ..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}
