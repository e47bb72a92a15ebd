//! The columns that the list of leads can be sorted by.

use lead_workspace_api::{LeadOrder, LeadSort};

use super::custom_name::CustomName;

/// A column of the contract, or a custom field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadSortColumn {
    Lead(LeadSort),
    Custom(CustomName),
}

impl From<LeadSortColumn> for LeadOrder {
    fn from(sort: LeadSortColumn) -> Self {
        match sort {
            LeadSortColumn::Lead(sort) => Self::Column(sort),
            LeadSortColumn::Custom(name) => Self::Custom(name.key().to_owned()),
        }
    }
}
