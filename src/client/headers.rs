//! Headers beyond those that the client sets.

use std::fmt;

use lead_workspace_api::Quoted;

/// The headers that the client sets, in lower case.
const OWNED: [&str; 4] = ["accept", "authorization", "content-type", "x-tenant-id"];

/// Headers beyond those that the client sets. Names are in lower case, and each occurs once.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct ExtraHeaders(Vec<(String, String)>);

impl ExtraHeaders {
    /// Sets a header, instead of an earlier one of the same name. Case does not count.
    ///
    /// # Errors
    /// Fails if the client sets this header itself, or if the name or the value is not valid in a
    /// request. A value consists of visible ASCII characters and of spaces between them.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), HeaderError> {
        let lower = name.to_ascii_lowercase();
        if lower.is_empty() || !lower.bytes().all(is_token) {
            return Err(HeaderError::Name(name.to_owned()));
        }
        if OWNED.contains(&lower.as_str()) {
            return Err(HeaderError::Owned(lower));
        }
        // Platforms remove surrounding spaces.
        let is_trimmed = !value.starts_with(' ') && !value.ends_with(' ');
        if !is_trimmed || !value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err(HeaderError::Value(lower));
        }
        self.replace(lower, value.to_owned());
        Ok(())
    }

    /// Returns these headers and `others`, which replace those of the same name.
    pub(super) fn with(&self, others: &Self) -> Self {
        let mut all = self.clone();
        for (name, value) in others.iter() {
            all.replace(name.clone(), value.clone());
        }
        all
    }

    /// Returns names and values.
    pub fn iter(&self) -> impl Iterator<Item = &(String, String)> {
        self.0.iter()
    }

    fn replace(&mut self, name: String, value: String) {
        self.0.retain(|(other, _)| *other != name);
        self.0.push((name, value));
    }
}

/// Values may be secret.
impl fmt::Debug for ExtraHeaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.0.iter().map(|(name, _)| name))
            .finish()
    }
}

/// A character of a name (RFC 9110, section 5.6.2), apart from upper-case letters.
fn is_token(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'0'..=b'9') || b"!#$%&'*+-.^_`|~".contains(&byte)
}

/// Why a header is not sent. Contains no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeaderError {
    /// The name has a character that is not valid in one, or is empty.
    Name(String),
    /// The client sets this header itself.
    Owned(String),
    /// The value of this header has a character that is not valid in one.
    Value(String),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(
                f,
                "{} is not the name of a header. Use letters, digits and hyphens, like x-trace-id",
                Quoted(name)
            ),
            Self::Owned(name) => write!(f, "the client sets the header {name} itself"),
            Self::Value(name) => write!(
                f,
                "the value of the header {name} contains a line break or another invalid \
                 character, or begins or ends with a space"
            ),
        }
    }
}

impl std::error::Error for HeaderError {}
