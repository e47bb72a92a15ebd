//! What a value of the user's own data is. This decides how it looks in a column.

use lead_workspace_api::{Raw, is_plain_number};

use super::json_tree::members;
use super::time::instant;
use crate::client::web_url::web_url;

/// Number of characters of a long text that are shown.
const MAX_LENGTH: usize = 200;

/// A value of the user's own data.
#[derive(Clone, Debug, PartialEq)]
pub enum CustomValue {
    /// Missing, null, a blank text, an empty list or an empty object.
    Nothing,
    /// A number, with its own digits.
    Number(String),
    Flag(bool),
    /// A date or a time, ISO 8601.
    Time(String),
    /// A URL that is safe to link, and what it is called.
    Link {
        href: String,
        label: String,
    },
    /// A text. `is_cut`: it is the start of a longer one.
    Text {
        text: String,
        is_cut: bool,
    },
    /// An object, with its number of members.
    Object(usize),
    /// A list, with its number of elements.
    List(usize),
}

impl CustomValue {
    pub fn from_raw(raw: &Raw) -> Self {
        let text = raw.text().trim();
        match text.bytes().next() {
            Some(b'"') => match raw.read::<String>() {
                Some(text) => Self::from_text(text.trim()),
                // Not a valid text, e.g. a lone surrogate: shown as received.
                None => cut(text),
            },
            Some(first @ (b'{' | b'[')) => match (members(raw).len(), first) {
                (0, _) => Self::Nothing,
                (count, b'{') => Self::Object(count),
                (count, _) => Self::List(count),
            },
            Some(b't') => Self::Flag(true),
            Some(b'f') => Self::Flag(false),
            None | Some(b'n') => Self::Nothing,
            Some(_) => Self::Number(text.to_owned()),
        }
    }

    /// Reads a text: files have no other types.
    fn from_text(text: &str) -> Self {
        if text.is_empty() {
            return Self::Nothing;
        }
        if is_plain_number(text) {
            return Self::Number(text.to_owned());
        }
        if text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false") {
            return Self::Flag(text.eq_ignore_ascii_case("true"));
        }
        if instant(text).is_some() {
            return Self::Time(text.to_owned());
        }
        if let Some(url) = web_url(text) {
            return Self::Link {
                href: url.to_owned(),
                label: url_label(url).to_owned(),
            };
        }
        match is_email(text) {
            true => Self::Link {
                href: ["mailto:", text].concat(),
                label: text.to_owned(),
            },
            false => cut(text),
        }
    }
}

/// Whether a text is an e-mail address that means the same in a `mailto:` URL. Others stay text.
fn is_email(text: &str) -> bool {
    let is_plain = |text: &str, signs: &str| {
        let is_sign = |c: char| c.is_ascii_alphanumeric() || signs.contains(c);
        !text.is_empty() && text.chars().all(is_sign)
    };
    text.len() <= 254
        && text.split_once('@').is_some_and(|(name, host)| {
            let labels = || host.split('.');
            is_plain(name, ".!#$'*+-_{|}~")
                && labels().count() > 1
                && labels().all(|label| is_plain(label, "-"))
        })
}

/// Returns a URL without its scheme and a last slash.
fn url_label(url: &str) -> &str {
    let label = url.split_once("://").map_or(url, |(_, label)| label);
    let label = label.strip_prefix("www.").unwrap_or(label);
    label.strip_suffix('/').unwrap_or(label)
}

fn cut(text: &str) -> CustomValue {
    match text.char_indices().nth(MAX_LENGTH) {
        Some((end, _)) => CustomValue::Text {
            text: [&text[..end], "…"].concat(),
            is_cut: true,
        },
        None => CustomValue::Text {
            text: text.to_owned(),
            is_cut: false,
        },
    }
}

/// Returns the keys of a lead's own data with their values, in their own order.
pub fn custom_values(raw: &Raw) -> impl Iterator<Item = (String, Raw)> {
    let named = members(raw).into_iter();
    named.filter_map(|(key, value)| Some((key.filter(|key| !key.is_empty())?, value)))
}
