//! The fields that custom filters can use.

use lead_workspace_api::{self as api, AccountField, FieldKind};

use super::filter_labels;

/// A field that custom filters can use.
pub trait Field: Copy + PartialEq + Into<String> + 'static {
    /// All fields in groups, the most useful first.
    const GROUPS: &'static [(&'static str, &'static [Self])];

    /// Name in the API and in the address.
    fn as_str(self) -> &'static str;

    /// Parses the name in the address.
    fn parse(text: &str) -> Option<Self>;

    /// Type of the field. That of a custom field is the one that the values of a filter have.
    fn kind(self, values: &[String]) -> FieldKind;

    fn label(self) -> &'static str;
}

impl Field for AccountField {
    const GROUPS: &'static [(&'static str, &'static [Self])] = &[
        (
            "Company",
            &[
                Self::Industry,
                Self::StaffCountRange,
                Self::Location,
                Self::Name,
            ],
        ),
        (
            "Fit and review",
            &[
                Self::IcpScore,
                Self::IcpTier,
                Self::LeadCount,
                Self::CreatedAt,
                Self::IsPromoted,
            ],
        ),
        ("Ids", &[Self::ListId]),
    ];

    fn as_str(self) -> &'static str {
        Self::as_str(self)
    }

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn kind(self, _: &[String]) -> FieldKind {
        api::FilterField::kind(self)
    }

    fn label(self) -> &'static str {
        filter_labels::account_field(self)
    }
}

/// The group of the custom fields.
const OWN: &str = "Your columns";

/// Returns the fields whose label contains the text, with their groups; `own` are the custom fields. The one with exactly
/// this label comes first, then those that begin with it; an empty text returns all in their groups.
pub fn matching_fields<F: Field>(text: &str, own: &[F]) -> Vec<(&'static str, F)> {
    let text = text.trim().to_lowercase();
    let groups = F::GROUPS.iter().copied().chain([(OWN, own)]);
    let all = groups.flat_map(|(group, fields)| fields.iter().map(move |field| (group, *field)));
    let place = |field: F| field.label().to_lowercase().find(&text);
    let mut found: Vec<_> = all.filter(|(_, field)| place(*field).is_some()).collect();
    found.sort_by_key(|(_, field)| {
        let is_all = field.label().len() == text.len();
        (!is_all, place(*field) != Some(0))
    });
    found
}
