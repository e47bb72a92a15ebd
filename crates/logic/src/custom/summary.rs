//! What the leads of a workspace have in a custom field.

use std::collections::{HashMap, HashSet};

use lead_workspace_api::limits::CUSTOM_FACET_VALUES;
use lead_workspace_api::{CustomField, CustomKind, LeadFields};

use super::{CustomValue, KINDS, Member, kind_of, members};
use crate::filter::Value;

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
    leads: u64,
    /// For each of [`KINDS`], whether a value has it.
    kinds: [bool; KINDS.len()],
    values: HashSet<Distinct>,
}

/// A value in the form of the index.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Distinct {
    Number(u64),
    Text(String),
}

impl Summary {
    /// Adds what a lead has.
    pub(super) fn add(&mut self, member: &Member<'_>) {
        let value = CustomValue::of(member);
        if value.is_none() && *member != Member::Deep {
            return;
        }
        self.leads += 1;
        let Some(value) = value else { return };
        for (kind, has) in KINDS.iter().zip(&mut self.kinds) {
            *has |= *kind == value.kind();
        }
        if self.values.len() < VALUES {
            self.values.insert(match value.stored() {
                Value::Real(number) => Distinct::Number(number.to_bits()),
                Value::Integer(number) => Distinct::Number(number.cast_unsigned()),
                Value::Text(text) => Distinct::Text(text),
            });
        }
    }

    /// Returns the field with this key; `None` if no lead has a value.
    pub(super) fn field(&self, key: &str) -> Option<CustomField> {
        let kinds = KINDS.into_iter().zip(self.kinds);
        let kinds = kinds.filter_map(|(kind, has)| has.then_some(kind));
        let kind = kind_of(kinds).unwrap_or(CustomKind::Other);
        (self.leads > 0).then(|| CustomField {
            key: Some(key.to_owned()),
            kind: Some(kind.as_str().to_owned()),
            leads: Some(self.leads),
            values: Some(self.values.len() as u64),
        })
    }
}
