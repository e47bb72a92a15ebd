//! The columns that can be in memory.

use lead_workspace_api::{AccountField, LeadField};

/// A table with columns in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::store) enum Table {
    Leads,
    Accounts,
}

/// A column, by the name that statements use, e.g. `l.name_key`; or by the name of the table's
/// related rows and their column, e.g. `list_items.list_id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::store) struct ColumnId(pub(in crate::store) &'static str);

/// What has to change for a column to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct Kind(pub(super) u8);

/// Number of kinds: each is a bit.
pub(super) const KINDS: usize = 8;

impl Kind {
    pub(super) const STATUS: Self = Self(1);
    pub(super) const LEAD: Self = Self(2);
    pub(super) const LIST: Self = Self(4);
    pub(super) const CAMPAIGN: Self = Self(8);
    pub(super) const INTENT: Self = Self(16);
    pub(super) const ACCOUNT: Self = Self(32);
    pub(super) const ACCOUNT_LIST: Self = Self(64);
    /// A scoring changes these columns of all leads, and no others.
    pub(super) const SCORE: Self = Self(128);

    /// Returns a kind for changes of either.
    pub(super) fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

pub(in crate::store) const STATUS: ColumnId = ColumnId("l.approval_status");
pub(in crate::store) const ACCOUNT_ROWS: ColumnId = ColumnId("a.is_promoted");

/// The columns of leads, those first that the review screen needs first.
pub(super) const LEADS: [ColumnId; 41] = [
    STATUS,
    ColumnId("l.icp_score"),
    ColumnId("l.icp_tier"),
    ColumnId("l.created_at"),
    ColumnId("l.company_size"),
    ColumnId("l.title_key"),
    ColumnId("list_items.list_id"),
    ColumnId("campaign_leads.campaign_id"),
    ColumnId("l.intent_type"),
    ColumnId("l.import_job_id"),
    ColumnId("intents.signal_id"),
    ColumnId("l.company_key"),
    ColumnId("l.name_key"),
    ColumnId("l.headline_key"),
    ColumnId("l.company_size_rank"),
    ColumnId("l.location_key"),
    ColumnId("l.industry_key"),
    ColumnId("l.reply_classification"),
    ColumnId("l.chat_label"),
    ColumnId("l.network_account"),
    ColumnId("intents.signal_run_id"),
    ColumnId("intents.feed_post_id"),
    ColumnId("l.connection"),
    ColumnId("l.reply"),
    ColumnId("l.campaign_lead_status"),
    ColumnId("l.sender_key"),
    ColumnId("l.current_node"),
    ColumnId("l.rate_limited_by"),
    ColumnId("l.has_pending_approval"),
    ColumnId("l.connections_count"),
    ColumnId("l.follower_count"),
    ColumnId("l.is_premium"),
    ColumnId("l.company_location_key"),
    ColumnId("l.company_tagline_key"),
    ColumnId("l.company_founded_year"),
    ColumnId("l.account"),
    // Accounts have fewer rows, and nothing above needs them.
    ACCOUNT_ROWS,
    ColumnId("a.lead_count"),
    ColumnId("a.icp_score"),
    ColumnId("a.created_at"),
    ColumnId("a.name_key"),
];

/// The other columns of accounts.
pub(super) const ACCOUNTS: [ColumnId; 7] = [
    ColumnId("a.industry_key"),
    ColumnId("a.location_key"),
    ColumnId("a.network_username"),
    ColumnId("a.staff_count_range"),
    ColumnId("a.staff_rank"),
    ColumnId("a.icp_tier"),
    ColumnId("account_list_items.list_id"),
];

impl ColumnId {
    /// Returns the column of a table, if it can be in memory.
    pub(in crate::store) fn find(table: &str, column: &str) -> Option<Self> {
        let mut all = LEADS.iter().chain(&ACCOUNTS).copied();
        all.find(|id| {
            let (of, name, _) = id.source();
            of == table && name == column
        })
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        let mut all = LEADS.iter().chain(&ACCOUNTS).copied();
        all.find(|id| id.0 == name)
    }

    /// Returns the table and column, and whether a row can have several values.
    pub(super) fn source(self) -> (&'static str, &'static str, bool) {
        match self.0.split_once('.') {
            Some(("l", column)) => ("leads", column, false),
            Some(("a", column)) => ("accounts", column, false),
            Some((table, column)) => (table, column, true),
            None => (self.0, self.0, false),
        }
    }

    /// Returns the columns whose update changes this one. A generated `*_key` column is computed from two
    /// (schema_folded.sql), and a trigger on it never fires.
    pub(super) fn stored(self) -> Vec<String> {
        let (_, column, _) = self.source();
        match column.strip_suffix("_key") {
            Some(text) => vec![text.to_owned(), format!("{text}_folded")],
            None => vec![column.to_owned()],
        }
    }

    pub(super) fn kind(self) -> Kind {
        match self.source() {
            ("leads", "approval_status", _) => Kind::STATUS,
            ("leads", "icp_score" | "icp_tier", _) => Kind::SCORE,
            ("leads", ..) => Kind::LEAD,
            ("accounts", ..) => Kind::ACCOUNT,
            ("list_items", ..) => Kind::LIST,
            ("campaign_leads", ..) => Kind::CAMPAIGN,
            ("account_list_items", ..) => Kind::ACCOUNT_LIST,
            _ => Kind::INTENT,
        }
    }

    /// Returns the column of a filter on leads; `None` for one that is answered in SQL.
    pub(in crate::store) fn of_lead_field(field: LeadField, column: &'static str) -> Option<Self> {
        Some(Self(match field {
            LeadField::ListId => "list_items.list_id",
            LeadField::CampaignId => "campaign_leads.campaign_id",
            LeadField::SignalId => "intents.signal_id",
            LeadField::SignalRunId => "intents.signal_run_id",
            LeadField::FeedPost => "intents.feed_post_id",
            LeadField::AccountId => return None,
            _ => column,
        }))
    }

    /// Same as [`of_lead_field`](Self::of_lead_field) for accounts.
    pub(in crate::store) fn of_account_field(field: AccountField, column: &'static str) -> Self {
        match field {
            AccountField::ListId => Self("account_list_items.list_id"),
            _ => Self(column),
        }
    }
}
