//! What the leads of a workspace have in a custom field.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use lead_workspace_api::limits::CUSTOM_FACET_VALUES;
use lead_workspace_api::{CustomField, CustomKind, LeadFields};

use super::{CustomValue, KINDS, Member, kind_of, members};
use crate::value::Value;

/// Different values are counted up to this number: one more than a facet can have.
const VALUES: usize = CUSTOM_FACET_VALUES + 1;

/// What the leads of a workspace have in its fields, while they are read.
#[derive(Debug)]
pub struct Summaries<'a>(HashMap<&'a str, Summary>);

impl<'a> Summaries<'a> {
    pub fn new(keys: impl IntoIterator<Item = &'a str>) -> Self {
        let keys = keys.into_iter();
        Self(keys.map(|key| (key, Summary::default())).collect())
    }

    /// Adds what a lead has.
    pub fn add(&mut self, custom_data: &str) {
        members(custom_data, |key, member| {
            if let Some(summary) = self.0.get_mut(&*key) {
                summary.add(&member);
            }
        });
    }

    /// Returns the fields that any lead has a value of, by key.
    pub fn fields(&self) -> LeadFields {
        let fields = self
            .0
            .iter()
            .filter_map(|(key, summary)| summary.field(key));
        let mut fields: Vec<CustomField> = fields.collect();
        fields.sort_unstable_by(|one, other| one.key.cmp(&other.key));
        LeadFields {
            fields: Some(fields),
        }
    }
}

/// The values of a field while they are read.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// Number of leads with a value that can be compared, and with an array or an object.
    leads: [u64; 2],
    /// For each of [`KINDS`], whether a value has it.
    kinds: [bool; KINDS.len()],
    /// The hashes of different values: there may be many fields with long texts.
    values: HashSet<u64>,
}

impl Summary {
    /// Adds what a lead has.
    pub(super) fn add(&mut self, member: &Member<'_>) {
        let value = CustomValue::of(member);
        if value.is_none() && *member != Member::Deep {
            return;
        }
        self.leads[usize::from(value.is_none())] += 1;
        let Some(value) = value else { return };
        for (kind, has) in KINDS.iter().zip(&mut self.kinds) {
            *has |= *kind == value.kind();
        }
        if self.values.len() < VALUES {
            let mut hasher = DefaultHasher::new();
            match value.stored() {
                Value::Real(number) => number.to_bits().hash(&mut hasher),
                Value::Integer(number) => number.hash(&mut hasher),
                Value::Text(text) => text.hash(&mut hasher),
            }
            self.values.insert(hasher.finish());
        }
    }

    /// Returns the field with this key; `None` if no lead has a value.
    pub(super) fn field(&self, key: &str) -> Option<CustomField> {
        let kinds = KINDS.into_iter().zip(self.kinds);
        let kinds = kinds.filter_map(|(kind, has)| has.then_some(kind));
        let [compared, deep] = self.leads;
        let (kind, leads) = match kind_of(kinds) {
            Some(kind) => (kind, compared),
            None => (CustomKind::Other, deep),
        };
        (leads > 0).then(|| CustomField {
            key: Some(key.to_owned()),
            kind: Some(kind.as_str().to_owned()),
            leads: Some(leads),
            values: Some(self.values.len() as u64),
        })
    }
}
