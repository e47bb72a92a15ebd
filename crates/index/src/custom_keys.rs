//! The custom fields of a workspace that can be queried.

use std::collections::{BTreeSet, HashMap};

use lead_workspace_api::limits::CUSTOM_KEYS;
use lead_workspace_api::{ErrorEntry, LeadField, LeadOrder, custom_field_key};
use lead_workspace_logic::custom::{new_keys, not_queried};
use lead_workspace_logic::facets;

use crate::ColumnId;

/// The number of each key, from 1, which stays the same. Keys are added, and never removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomKeys(HashMap<String, u16>);

impl FromIterator<(String, u16)> for CustomKeys {
    fn from_iter<T: IntoIterator<Item = (String, u16)>>(keys: T) -> Self {
        Self(keys.into_iter().collect())
    }
}

impl CustomKeys {
    /// Returns the column of a key, which is at `loc` in the request. Without leads that have the key, it is empty.
    ///
    /// # Errors
    /// If leads may have the key, but it is not among those of the workspace that can be queried.
    pub fn column(&self, key: &str, loc: &[&str]) -> Result<ColumnId, Vec<ErrorEntry>> {
        match self.0.get(key) {
            Some(number) => Ok(ColumnId::Custom(*number)),
            None if self.0.len() < CUSTOM_KEYS => Ok(ColumnId::Custom(0)),
            None => Err(not_queried(key, loc)),
        }
    }

    /// Returns what leads are sorted by.
    ///
    /// # Errors
    /// If leads cannot be sorted by a custom field.
    pub fn sort_of_leads(&self, by: &LeadOrder) -> Result<ColumnId, Vec<ErrorEntry>> {
        let by = match by {
            LeadOrder::Custom(key) => return self.column(key, &["body", "sort_by"]),
            LeadOrder::Column(by) => by,
        };
        // Every sort is a field.
        Ok(match by.as_str().parse().unwrap_or(LeadField::IcpScore) {
            LeadField::CompanySize => ColumnId::CompanySizeRank,
            field => ColumnId::Lead(field),
        })
    }

    /// Returns what a facet of leads counts the values of; its name is at `loc` in the request.
    ///
    /// # Errors
    /// If leads have no such facet; the entry says which ones they have.
    pub fn facet_of_leads(&self, name: &str, loc: &[&str]) -> Result<ColumnId, Vec<ErrorEntry>> {
        match custom_field_key(name) {
            Some(key) => self.column(key, loc),
            None => facets::field(name, loc).map(ColumnId::Lead),
        }
    }

    /// Returns the key of a number.
    pub fn key(&self, number: u16) -> Option<&str> {
        let mut keys = self.iter();
        keys.find(|(_, other)| *other == number).map(|(key, _)| key)
    }

    /// Returns each key with its number, in any order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u16)> {
        self.0.iter().map(|(key, number)| (key.as_str(), *number))
    }

    /// Returns the keys that become fields which can be queried, of those that leads have now, each with its number.
    pub fn new_keys<'a>(&self, keys: &'a BTreeSet<String>) -> impl Iterator<Item = (&'a str, u16)> {
        let new = new_keys(keys, |key| self.0.contains_key(key), self.0.len());
        let first = u16::try_from(self.0.len() + 1).unwrap_or(u16::MAX);
        new.zip(first..)
    }
}

impl Extend<(String, u16)> for CustomKeys {
    fn extend<T: IntoIterator<Item = (String, u16)>>(&mut self, keys: T) {
        self.0.extend(keys);
    }
}
