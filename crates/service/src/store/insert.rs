//! Writes leads, accounts and related rows: one function per table, shared by the import and the
//! demo data.
//!
//! Derived columns (folded keys, ranks, copies of the account) are only filled in here.

mod account;
mod account_match;
mod lead;
mod lead_update;
mod outreach;

pub(crate) use account::{AccountRow, insert_account, insert_account_score};
pub(crate) use account_match::match_account;
pub(crate) use lead::{
    LeadRow, ListMembership, Outreach, ScoreRow, insert_lead, insert_list_item, insert_score,
};
pub(crate) use lead_update::{
    KnownLead, find_lead, known_lead, refresh_leads_of, set_account, update_lead,
};
pub(crate) use outreach::{
    CampaignLeadRow, ChatRow, IntentRow, NurtureRow, insert_campaign_lead, insert_chat,
    insert_intent, insert_nurture,
};

/// Inserts a row from `column: value` pairs and returns its row number.
macro_rules! insert {
    ($connection:expr, $table:literal, $first:ident: $first_value:expr $(, $column:ident: $value:expr)* $(,)?) => {{
        let mut statement = $connection.prepare_cached(concat!(
            "INSERT INTO ", $table, " (", stringify!($first), $(", ", stringify!($column),)*
            ") VALUES (?", $(insert!(@place $column),)* ")"
        ))?;
        statement.insert(rusqlite::params![$first_value $(, $value)*])
    }};
    (@place $column:ident) => { ", ?" };
}

/// Like [`insert!`], for a table without row numbers.
macro_rules! insert_row {
    ($connection:expr, $table:literal, $first:ident: $first_value:expr $(, $column:ident: $value:expr)* $(,)?) => {{
        let mut statement = $connection.prepare_cached(concat!(
            "INSERT INTO ", $table, " (", stringify!($first), $(", ", stringify!($column),)*
            ") VALUES (?", $($crate::store::insert::insert!(@place $column),)* ")"
        ))?;
        statement.execute(rusqlite::params![$first_value $(, $value)*])
    }};
}

pub(crate) use {insert, insert_row};

pub(crate) fn key(value: Option<&String>) -> Option<String> {
    value.map(|value| crate::fold::fold(value))
}
