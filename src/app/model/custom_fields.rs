//! The keys of the user's own data that are known: of the rows that were read, and of a server that names them all.

use lead_workspace_api::limits::CUSTOM_FACET_VALUES;
use lead_workspace_api::{CustomKind, FieldKind, LeadFields};

use super::custom_value::{CustomValue, custom_values};
use super::filters::CustomName;
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
    /// Whether the server filters and sorts by it.
    pub is_queried: bool,
}

/// Returns the keys in rows, and all others once the server named them.
pub fn known_fields<'a>(
    rows: impl Iterator<Item = &'a LeadItem>,
    named: Option<&LeadFields>,
) -> Vec<CustomField> {
    let fields = fields_of(rows);
    match named {
        Some(named) => with_named(fields, named),
        None => fields,
    }
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
            let field = CustomField {
                key,
                number: true,
                is_queried: false,
            };
            fields.push((field, false));
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
        let field = CustomField {
            key: key.clone(),
            number: field.known_kind() == Some(CustomKind::Number),
            is_queried: field
                .known_kind()
                .is_some_and(|kind| kind != CustomKind::Other),
        };
        match fields.iter().position(|field| field.key == *key) {
            // The server knows all values.
            Some(at) => fields[at] = field,
            None if fields.len() < MAX_FIELDS => fields.push(field),
            None => {}
        }
    }
    fields
}

/// A custom field that filters can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueriedField {
    pub name: CustomName,
    pub kind: FieldKind,
    /// Whether it has few enough values for a facet.
    pub has_facet: bool,
}

/// Returns the fields that filters can use, in the order of the server.
pub fn queried(named: &LeadFields) -> Vec<QueriedField> {
    let fields = named.fields.iter().flatten();
    let fields = fields.filter_map(|field| {
        let kind = match field.known_kind()? {
            CustomKind::Text => FieldKind::Text,
            CustomKind::Number => FieldKind::Number,
            CustomKind::Date => FieldKind::Time,
            CustomKind::Boolean => FieldKind::Flag,
            CustomKind::Other => return None,
        };
        let values = field.values.unwrap_or_default();
        Some(QueriedField {
            name: CustomName::of_key(field.key.as_deref()?)?,
            kind,
            has_facet: (1..=CUSTOM_FACET_VALUES as u64).contains(&values),
        })
    });
    fields.collect()
}
