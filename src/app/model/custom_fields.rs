//! The keys of the user's own data that are known: of the rows that were read, and of a server that names them all.

use lead_workspace_api::{CustomKind, LeadFields};

use super::custom_value::{CustomValue, custom_values};
use super::kept::JsonText;
use super::lead::LeadItem;

/// Maximum number of keys that are offered as columns.
const MAX_FIELDS: usize = 500;

/// A key of the user's own data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomField {
    pub key: String,
    /// Whether all its known values are numbers.
    pub number: bool,
}

/// Returns the keys in rows, in the order in which they first occur.
pub fn fields_of<'a>(rows: impl Iterator<Item = &'a LeadItem>) -> Vec<CustomField> {
    let rows = rows.filter_map(|lead| lead.custom_data.as_ref());
    let mut fields: Vec<(CustomField, bool)> = Vec::new();
    for (key, value) in rows.flat_map(|JsonText(data)| custom_values(data)) {
        let at = fields.iter().position(|(field, _)| field.key == key);
        if at.is_none() && fields.len() == MAX_FIELDS {
            continue;
        }
        let at = at.unwrap_or_else(|| {
            fields.push((CustomField { key, number: true }, false));
            fields.len() - 1
        });
        let (field, has_value) = &mut fields[at];
        match CustomValue::from_raw(&value) {
            CustomValue::Nothing => {}
            CustomValue::Number(_) => *has_value = true,
            _ => field.number = false,
        }
    }
    let fields = fields.into_iter().map(|(field, has_value)| CustomField {
        number: field.number && has_value,
        ..field
    });
    fields.collect()
}

/// Adds the keys that a server named, in its order.
pub fn with_named(mut fields: Vec<CustomField>, named: &LeadFields) -> Vec<CustomField> {
    for field in named.fields.iter().flatten() {
        let Some(key) = field.key.as_ref().filter(|key| !key.is_empty()) else {
            continue;
        };
        let number = field.known_kind() == Some(CustomKind::Number);
        match fields.iter().position(|field| field.key == *key) {
            // The server knows all values.
            Some(at) => fields[at].number = number,
            None if fields.len() < MAX_FIELDS => fields.push(CustomField {
                key: key.clone(),
                number,
            }),
            None => {}
        }
    }
    fields
}
