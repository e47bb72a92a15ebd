//! How the values of a facet are named.

use lead_workspace_api::LeadField;

/// Where the name of a counted value is stored.
#[derive(Clone, Copy, Debug)]
pub(super) enum ValueNames {
    /// The value is folded text; this column of leads has the original text.
    Written(&'static str),
    /// The value is a token, without a name.
    Word,
    /// A table with the names: table, id column, name column.
    Table(&'static str, &'static str, &'static str),
    /// The value is the row number of an account.
    Account,
}

impl ValueNames {
    /// Returns the names of a field's values, if it is a text or token field.
    pub(super) fn of(field: LeadField) -> Option<Self> {
        use LeadField as F;
        Some(match field {
            F::Name => Self::Written("name"),
            F::Headline => Self::Written("headline"),
            F::Location => Self::Written("location"),
            F::Title => Self::Written("title"),
            F::Company => Self::Written("company"),
            F::Industry => Self::Written("industry"),
            F::CompanyLocation => Self::Written("company_location"),
            F::CompanyTagline => Self::Written("company_tagline"),
            F::Sender => Self::Written("sender"),
            F::ApprovalStatus
            | F::CompanySize
            | F::IcpTier
            | F::CampaignLeadStatus
            | F::Connection
            | F::Reply
            | F::CurrentNode
            | F::RateLimitedBy
            | F::IntentType
            | F::ReplyClassification
            | F::ChatLabel => Self::Word,
            F::ImportJobId => Self::Table("import_jobs", "import_job_id", "file_name"),
            F::NetworkAccount => Self::Table("network_accounts", "network_account", "name"),
            F::AccountId => Self::Account,
            F::ListId => Self::Table("lists", "list_id", "name"),
            F::CampaignId => Self::Table("campaigns", "campaign_id", "name"),
            F::SignalId => Self::Table("signals", "signal_id", "name"),
            F::SignalRunId => Self::Table("signal_runs", "signal_run_id", "name"),
            F::FeedPost => Self::Table("feed_posts", "feed_post_id", "label"),
            F::CreatedAt
            | F::ConnectionsCount
            | F::FollowerCount
            | F::IsPremium
            | F::CompanyFoundedYear
            | F::IcpScore
            | F::HasPendingApproval => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use lead_workspace_api::{FieldKind, LeadField};

    use super::ValueNames;

    #[test]
    fn every_text_or_enum_field_has_a_facet() {
        for &field in LeadField::ALL {
            let expected = matches!(field.kind(), FieldKind::Text | FieldKind::Token);
            assert_eq!(ValueNames::of(field).is_some(), expected, "{field}");
        }
    }
}
