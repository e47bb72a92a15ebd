//! The user's own fields of leads: the members of `custom_data`. Queries on them are an extension of our service.

use serde_json::Value;

use crate::choice::choice;
use crate::lead::{LeadDetail, LeadListItem};
use crate::limits::CUSTOM_KEY_CHARACTERS;
use crate::model::model;
use crate::raw::Raw;

/// Before the key of a custom field, where it is named like other fields.
pub(crate) const PREFIX: &str = "custom_data.";

/// Returns the name of a custom field in filters, sorts and facets: `custom_data.Deal size` for the key `Deal size`.
///
/// ```
/// use lead_workspace_api::{custom_field, filter};
///
/// let large = filter(custom_field("Deal size")).gte(50_000);
/// ```
pub fn custom_field(key: &str) -> String {
    [PREFIX, key].concat()
}

/// Returns the key of a custom field from its name, if it is one that can be queried: it has 1 to
/// [`CUSTOM_KEY_CHARACTERS`] characters.
pub fn custom_field_key(name: &str) -> Option<&str> {
    let key = name.strip_prefix(PREFIX)?;
    let most = CUSTOM_KEY_CHARACTERS as usize;
    (!key.is_empty() && key.chars().take(most + 1).count() <= most).then_some(key)
}

/// Digits of a whole number that a float keeps.
const DIGITS: usize = 15;

/// Whether a text is wholly a plain number: `-12.5`, but neither `1,200` nor `1e3`. With zeros in front, as in postal
/// codes, or with more than 15 digits before the point, as in ids, it stays a text.
pub fn is_plain_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, rest) = digits
        .split_once('.')
        .map_or((digits, None), |(whole, rest)| (whole, Some(rest)));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_digits(whole)
        && rest.is_none_or(is_digits)
        && (whole == "0" || !whole.starts_with('0'))
        && whole.len() <= DIGITS
}

/// Reads a [plain number](is_plain_number).
pub fn plain_number(text: &str) -> Option<f64> {
    is_plain_number(text).then(|| text.parse().ok()).flatten()
}

/// Returns the JSON Schema of the name of a custom field.
pub(crate) fn name_schema() -> Value {
    let most = PREFIX.len() + CUSTOM_KEY_CHARACTERS as usize;
    serde_json::json!({"type": "string", "pattern": "^custom_data\\.", "minLength": PREFIX.len() + 1, "maxLength": most})
}

choice! {
    /// What the values of a custom field are.
    CustomKind {
        /// Text, or values of several kinds.
        Text = "text",
        /// Numbers, and texts that are plain numbers.
        Number = "number",
        /// ISO 8601 dates and date-times.
        Date = "date",
        /// True and false.
        Boolean = "boolean",
        /// Only arrays and objects, by which leads can be neither filtered nor sorted.
        Other = "other",
    }
}

model! {
    /// The custom fields of a workspace. Not in the contract; our service offers it.
    LeadFields {
        /// The fields that any lead has a value of, by key. At most 500 fields of a workspace can be queried; others are
        /// kept with the leads, and are not listed.
        fields: Vec<CustomField>,
    }

    /// A member of `custom_data`. Its name in filters, sorts and facets is `custom_data.` with the key.
    CustomField {
        /// The key.
        key: String,
        /// What its values are: `text`, `number`, `date`, `boolean` or `other`. Values of several kinds are text; `other`
        /// are arrays and objects, by which leads can be neither filtered nor sorted.
        kind: String,
        /// Number of leads with a value.
        leads: u64,
        /// Number of different values, at most 1,001: a facet can have 1,000. None of the kind `other`.
        values: u64,
    }
}

impl CustomField {
    /// Returns the kind of its values, if this version knows it.
    pub fn known_kind(&self) -> Option<CustomKind> {
        self.kind.as_deref()?.parse().ok()
    }
}

impl LeadListItem {
    /// Returns the value of a custom field; `None` if the lead has none.
    pub fn custom(&self, key: &str) -> Option<Value> {
        value_of(self.custom_data.as_ref(), key)
    }
}

impl LeadDetail {
    /// Returns the value of a custom field; `None` if the lead has none.
    pub fn custom(&self, key: &str) -> Option<Value> {
        value_of(self.custom_data.as_ref(), key)
    }
}

fn value_of(data: Option<&Raw>, key: &str) -> Option<Value> {
    let Value::Object(mut members) = data?.value() else {
        return None;
    };
    members.remove(key).filter(|value| !value.is_null())
}
