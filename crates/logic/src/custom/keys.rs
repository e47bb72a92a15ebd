//! Which custom fields of a workspace can be queried.

use std::collections::BTreeSet;

use lead_workspace_api::limits::{CUSTOM_KEY_CHARACTERS, CUSTOM_KEYS};
use lead_workspace_api::{ErrorEntry, FilterSpec, Quoted, custom_field, custom_field_key};
use serde_json::{Map, json};

use super::members;
use crate::params::entry;

/// Characters of a name that a message shows.
const NAME_SHOWN: usize = 40;

/// Adds the keys that a lead has.
pub fn add_keys(custom_data: &str, keys: &mut BTreeSet<String>) {
    members(custom_data, |key, _| {
        if !keys.contains(&*key) && can_be_queried(&key) {
            keys.insert(key.into_owned());
        }
    });
}

/// Returns whether one of the filters is on a custom field.
pub fn have_custom_field(filters: &[FilterSpec]) -> bool {
    filters.iter().any(|filter| match filter {
        FilterSpec::Typed(filter) => custom_field_key(&filter.field).is_some(),
        FilterSpec::Raw(_) => false,
    })
}

/// Returns the problem of a key that is not among those which can be queried; it is at `loc` in the request.
pub fn not_queried(key: &str, loc: &[&str]) -> Vec<ErrorEntry> {
    let msg = format!(
        "leads cannot be filtered or sorted by {}: the workspace has had {CUSTOM_KEYS} other custom fields, which is the most",
        Quoted(&shortened(key))
    );
    let ctx = Map::from_iter([("max_fields".into(), json!(CUSTOM_KEYS))]);
    vec![entry(
        loc,
        "custom_field",
        msg,
        json!(custom_field(key)),
        ctx,
    )]
}

/// Returns a note for the user about the custom fields of a file. `keys` are all of them, `deep` those with arrays or objects.
/// `None` if leads can be filtered and sorted by all of them, in a workspace without other custom fields.
pub fn note(keys: &BTreeSet<String>, deep: &BTreeSet<String>) -> Option<String> {
    let queried: BTreeSet<&str> = new_keys(keys, |_| false, 0).collect();
    let is_kept = |key: &&String| !queried.contains(key.as_str()) || deep.contains(*key);
    let kept: Vec<&String> = keys.iter().filter(is_kept).collect();
    let first = kept.first()?;
    let more = match kept.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "{}{more} are kept and shown with the leads, but leads cannot be filtered or sorted by them: a workspace has at \
         most {CUSTOM_KEYS} such columns, with names of at most {CUSTOM_KEY_CHARACTERS} characters and values that are no \
         lists or objects",
        Quoted(&shortened(first))
    ))
}

/// Returns a name that fits into a message.
fn shortened(name: &str) -> String {
    match name.char_indices().nth(NAME_SHOWN) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// Returns whether a key is one that can be queried, in a workspace with few fields. PostgreSQL has no NUL in a text.
pub fn can_be_queried(key: &str) -> bool {
    custom_field_key(&custom_field(key)).is_some() && !key.contains('\0')
}

/// Returns the keys that become fields which can be queried, of those that leads have now. `known` says whether a key is one
/// already, and `count` how many are.
pub fn new_keys(
    keys: &BTreeSet<String>,
    known: impl Fn(&str) -> bool,
    count: usize,
) -> impl Iterator<Item = &str> {
    let keys = keys.iter().map(String::as_str);
    let new = keys.filter(move |key| can_be_queried(key) && !known(key));
    new.take(CUSTOM_KEYS.saturating_sub(count))
}
