//! Where the columns of the index are stored.

use lead_workspace_api::{AccountField, LeadField};
use lead_workspace_index::{ColumnId, Table};

const LEAD_COUNT: &str = AccountField::LeadCount.as_str();

/// The column with all custom fields of a lead.
pub(super) const CUSTOM_DATA: &str = "custom_data";

/// `?1` is the workspace.
const COUNT_OF_LEADS: &str =
    "(SELECT count(*) FROM leads l WHERE l.tenant = ?1 AND l.account = accounts.id)";

/// The table and expressions of a column.
pub(in crate::store) struct Source {
    pub table: &'static str,
    /// The column with the row number.
    pub key: &'static str,
    pub column: &'static str,
}

impl Source {
    pub(in crate::store) fn of(id: ColumnId) -> Self {
        let (table, key) = match (id.table(), id.has_many(), id) {
            (Table::Leads, false, _) => ("leads", "id"),
            (Table::Accounts, false, _) => ("accounts", "id"),
            (Table::Accounts, true, _) => ("account_list_items", "account"),
            (_, _, ColumnId::Lead(LeadField::ListId)) => ("list_items", "lead"),
            (_, _, ColumnId::Lead(LeadField::CampaignId)) => ("campaign_leads", "lead"),
            (Table::Leads, true, _) => ("intents", "lead"),
        };
        let column = match id {
            ColumnId::Lead(field) => of_lead(field),
            ColumnId::Account(field) => of_account(field),
            ColumnId::CompanySizeRank => "company_size_rank",
            ColumnId::Custom(_) => CUSTOM_DATA,
            ColumnId::StaffRank => "staff_rank",
            ColumnId::NetworkUsername => "network_username",
            ColumnId::AccountId => "account_id",
        };
        Self { table, key, column }
    }

    /// Returns the expression of the values.
    pub(super) fn value(&self) -> String {
        match (self.table, self.column) {
            ("accounts", LEAD_COUNT) => COUNT_OF_LEADS.to_owned(),
            (table, column) => format!("{table}.{column}"),
        }
    }

    /// Returns the columns whose update changes this one. A generated `*_key` column is computed from two
    /// (sqlite/schema/6.sql), and a trigger on it never fires.
    #[cfg(debug_assertions)]
    pub(in crate::store) fn stored(&self) -> Vec<String> {
        match self.column.strip_suffix("_key") {
            Some(text) => vec![text.to_owned(), format!("{text}_folded")],
            None if self.column == LEAD_COUNT => Vec::new(),
            None => vec![self.column.to_owned()],
        }
    }
}

fn of_lead(field: LeadField) -> &'static str {
    use LeadField as F;
    match field {
        F::Name => "name_key",
        F::Headline => "headline_key",
        F::Location => "location_key",
        F::Title => "title_key",
        F::Company => "company_key",
        F::Industry => "industry_key",
        F::CompanyLocation => "company_location_key",
        F::CompanyTagline => "company_tagline_key",
        F::Sender => "sender_key",
        F::FeedPost => "feed_post_id",
        F::AccountId => "account",
        field => field.as_str(),
    }
}

fn of_account(field: AccountField) -> &'static str {
    match field {
        AccountField::Name => "name_key",
        AccountField::Industry => "industry_key",
        AccountField::Location => "location_key",
        field => field.as_str(),
    }
}
