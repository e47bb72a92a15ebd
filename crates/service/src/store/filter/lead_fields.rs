//! Columns of the lead fields.

use lead_workspace_api::LeadField;

use super::{FieldStorage, StoredField, TextForm};
use crate::store::columns::ColumnId;

impl StoredField for LeadField {
    fn storage(self) -> FieldStorage {
        let column = match self {
            Self::Name => "l.name_key",
            Self::Headline => "l.headline_key",
            Self::ApprovalStatus => "l.approval_status",
            Self::CreatedAt => "l.created_at",
            Self::Location => "l.location_key",
            Self::ConnectionsCount => "l.connections_count",
            Self::FollowerCount => "l.follower_count",
            Self::IsPremium => "l.is_premium",
            Self::Title => "l.title_key",
            Self::Company => "l.company_key",
            Self::Industry => "l.industry_key",
            Self::CompanySize => "l.company_size",
            Self::CompanyLocation => "l.company_location_key",
            Self::CompanyTagline => "l.company_tagline_key",
            Self::CompanyFoundedYear => "l.company_founded_year",
            Self::IcpScore => "l.icp_score",
            Self::IcpTier => "l.icp_tier",
            Self::CampaignLeadStatus => "l.campaign_lead_status",
            Self::Connection => "l.connection",
            Self::Reply => "l.reply",
            Self::Sender => "l.sender_key",
            Self::CurrentNode => "l.current_node",
            Self::RateLimitedBy => "l.rate_limited_by",
            Self::HasPendingApproval => "l.has_pending_approval",
            Self::IntentType => "l.intent_type",
            Self::ImportJobId => "l.import_job_id",
            Self::ReplyClassification => "l.reply_classification",
            Self::ChatLabel => "l.chat_label",
            Self::NetworkAccount => "l.network_account",
            Self::ListId => "list_id",
            Self::CampaignId => "campaign_id",
            Self::SignalId => "signal_id",
            Self::SignalRunId => "signal_run_id",
            Self::FeedPost => "feed_post_id",
            Self::AccountId => "account_id",
        };
        let through = match self {
            Self::ListId => Some("l.id IN (SELECT lead FROM list_items WHERE tenant = ?1"),
            Self::CampaignId => Some("l.id IN (SELECT lead FROM campaign_leads WHERE tenant = ?1"),
            Self::SignalId | Self::SignalRunId | Self::FeedPost => {
                Some("l.id IN (SELECT lead FROM intents WHERE tenant = ?1")
            }
            Self::AccountId => Some("l.account IN (SELECT id FROM accounts WHERE tenant = ?1"),
            _ => None,
        };
        let rank = (self == Self::CompanySize).then_some("l.company_size_rank");
        FieldStorage {
            column,
            rank,
            through,
            text: TextForm::of(LeadField::kind(self)),
        }
    }
    fn id(self) -> Option<ColumnId> {
        ColumnId::of_lead_field(self, self.storage().column)
    }
}
