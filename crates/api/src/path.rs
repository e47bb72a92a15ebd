//! Ids in paths: encoded so that an id cannot change the path, or rejected.

use std::fmt;

use crate::quoted::Quoted;

/// An id that cannot be used in a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPathId {
    /// The name of the path parameter, e.g. `lead_id`.
    pub name: &'static str,
    /// The rejected id.
    pub id: String,
}

impl fmt::Display for BadPathId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, id } = self;
        if id.is_empty() {
            write!(f, "{name} is empty")
        } else {
            write!(
                f,
                "{name} cannot be {}: it would refer to another path",
                Quoted(id)
            )
        }
    }
}

impl std::error::Error for BadPathId {}

/// Encodes an id as one path segment. Percent-encodes everything except unreserved characters.
///
/// # Errors
/// If the id is empty, `.` or `..` (URL parsers resolve these even when encoded), or one of `reserved`, the
/// names of sibling paths.
pub fn segment(name: &'static str, id: &str, reserved: &[&str]) -> Result<String, BadPathId> {
    if matches!(id, "" | "." | "..") || reserved.contains(&id) {
        return Err(BadPathId {
            name,
            id: id.to_owned(),
        });
    }
    let mut encoded = String::with_capacity(id.len());
    for byte in id.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => {
                const HEX: &[u8; 16] = b"0123456789ABCDEF";
                encoded.push('%');
                encoded.push(char::from(HEX[usize::from(byte >> 4)]));
                encoded.push(char::from(HEX[usize::from(byte & 15)]));
            }
        }
    }
    Ok(encoded)
}

/// The paths next to that of a lead that `GET` finds: `GET /api/leads/facets` is another operation than that of a lead.
const NEXT_TO_LEADS: [&str; 3] = ["changes", "facets", "fields"];

/// Fills the ids into a path template, in order.
///
/// # Errors
/// Those of [`segment`]. A final `{lead_id}` also rejects the names of its sibling paths.
pub fn fill(template: &'static str, ids: &[&str]) -> Result<String, BadPathId> {
    let mut path = String::with_capacity(template.len() + 32);
    let mut rest = template;
    for id in ids {
        let Some((before, after)) = rest.split_once('{') else {
            break;
        };
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        let reserved: &[&str] = if before.ends_with("/api/leads/") && after.is_empty() {
            &NEXT_TO_LEADS
        } else {
            &[]
        };
        path.push_str(before);
        path.push_str(&segment(name, id, reserved)?);
        rest = after;
    }
    path.push_str(rest);
    Ok(path)
}
