//! Requests for leads and accounts, with the contract's defaults and limits.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::choice::{AccountSort, LeadSort, NewApprovalStatus, SortDir, read_choice};
use crate::custom::{self, custom_field, custom_field_key};
use crate::filter::{AccountField, FilterSpec, LeadField, filters};
use crate::ids::{AccountId, LeadId, LeadListId};
use crate::limits::{FILTERS, IDS, SEARCH_CHARACTERS, SEARCH_WORDS};
use crate::request::{FromWire, Nullable, Reading, always_sent, request};
use crate::wire::Wire;

request! {
    /// A query for leads (spec: POST /api/leads/query).
    LeadQuery {
        /// Conditions, all of which must match.
        filters: Vec<FilterSpec> = Vec::new() => ..=FILTERS; schema filters::<LeadField>(),
        /// Free text. The fields it covers are not shown; our service searches name, headline, title and
        /// company.
        search: Option<String> = None => ..=SEARCH_CHARACTERS; words SEARCH_WORDS,
        /// Column to sort by. Our service also sorts by custom fields, e.g. `custom_data.Deal size`.
        sort_by: LeadOrder = LeadOrder::Column(LeadSort::IcpScore),
        /// Sort direction.
        sort_dir: SortDir = SortDir::Desc,
        /// Page number, from 1.
        page: u32 = 1 => 1..,
        /// Number of leads per page.
        page_size: u32 = 50 => 1..=100,
    }

    /// An update of the approval status of one lead (spec: PATCH /api/leads/{lead_id}).
    LeadUpdate {
        /// The new approval status.
        approval_status: NewApprovalStatus,
    }

    /// An update of the approval status of many leads (spec: PATCH /api/leads).
    LeadsUpdate {
        /// Ids of the leads.
        lead_ids: Vec<LeadId> => ..=IDS,
        /// The new approval status. Absent and null differ on the wire; the effect of both is not shown. Our
        /// client rejects them unless configured otherwise; our service changes nothing.
        approval_status: Nullable<NewApprovalStatus> = Nullable::Absent,
    }

    /// What an export has, besides the members of a query. An extension of our service.
    ExportQuery {
        /// Columns of the list in their order; see [`ColumnChoice`](crate::export::ColumnChoice).
        columns: Vec<String> = Vec::new() => ..=FILTERS,
        /// Whether other columns are left out that are not in every export.
        only: bool = false,
        /// Only the rows with these ids.
        ids: Option<Vec<String>> = None => ..=IDS,
    }

    /// A request to score leads (spec: POST /api/leads/score). The effect if both parameters are absent is not
    /// shown. Our client rejects this unless configured otherwise; our service scores every lead.
    LeadScoring {
        /// Ids of the leads to score.
        lead_ids: Option<Vec<LeadId>> = None => ..=IDS,
        /// Ids of the lists whose leads are scored.
        lead_list_ids: Option<Vec<LeadListId>> = None => ..=IDS,
    }

    /// A query for accounts (spec: POST /api/accounts/query).
    AccountQuery {
        /// Conditions, all of which must match.
        filters: Vec<FilterSpec> = Vec::new() => ..=FILTERS; schema filters::<AccountField>(),
        /// Free text.
        search: Option<String> = None => ..=SEARCH_CHARACTERS; words SEARCH_WORDS,
        /// Only accounts in this list.
        list_id: Option<LeadListId> = None,
        /// Whether to include accounts that were not promoted; the meaning is not shown.
        include_unpromoted: bool = false,
        /// Column to sort by.
        sort_by: AccountSort = AccountSort::CreatedAt,
        /// Sort direction.
        sort_dir: SortDir = SortDir::Desc,
        /// Page number, from 1.
        page: u32 = 1 => 1..,
        /// Number of accounts per page.
        page_size: u32 = 50 => 1..=100,
    }

    /// Parameters of an account detail (spec: GET /api/accounts/{account_id}).
    AccountDetailQuery {
        /// Whether to return an account that was not promoted.
        include_unpromoted: bool = false,
    }

    /// A request to score accounts (spec: POST /api/accounts/score). The effect if both parameters are empty is
    /// not shown. Our client rejects this unless configured otherwise; our service scores every account.
    AccountScoring {
        /// Ids of the accounts to score.
        account_ids: Vec<AccountId> = Vec::new() => ..=IDS,
        /// Id of the list whose accounts are scored.
        lead_list_id: Option<LeadListId> = None,
    }
}

/// What leads are sorted by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum LeadOrder {
    /// A column of the contract.
    Column(LeadSort),
    /// The key of a custom field. An extension of our service.
    Custom(String),
}

impl LeadOrder {
    /// Returns the column, unless it is a custom field.
    pub fn column(&self) -> Option<LeadSort> {
        match self {
            Self::Column(column) => Some(*column),
            Self::Custom(_) => None,
        }
    }
}

impl From<LeadSort> for LeadOrder {
    fn from(column: LeadSort) -> Self {
        Self::Column(column)
    }
}

impl fmt::Display for LeadOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Column(column) => f.write_str(column.as_str()),
            Self::Custom(key) => f.write_str(&custom_field(key)),
        }
    }
}

impl Serialize for LeadOrder {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Wire for LeadOrder {
    fn name() -> String {
        LeadSort::name()
    }

    fn schema() -> Value {
        json!({"anyOf": [LeadSort::schema(), custom::name_schema()]})
    }
}

impl FromWire for LeadOrder {
    const ONE_OF: &'static [&'static str] = LeadSort::TEXTS;

    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        match value.as_str().and_then(custom_field_key) {
            Some(key) => Some(Self::Custom(key.to_owned())),
            None => read_choice(value, reading, LeadSort::TEXTS).map(Self::Column),
        }
    }
}

always_sent!(LeadOrder);
