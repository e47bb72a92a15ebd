//! The fields of filters.

use std::str::FromStr;

use crate::choice::choice;

/// The kind of value that a field holds, which determines the operators that make sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// Free text.
    Text,
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// A point in time, ISO 8601.
    Time,
    /// An id, or a word of a known set; compared exactly.
    Token,
}

/// A field by which leads or accounts can be filtered.
pub trait FilterField: FromStr + Copy + 'static {
    /// The title of the schema of a filter on such a field.
    const FILTER: &'static str;
    /// Whether there are custom fields besides.
    const HAS_CUSTOM: bool;
    /// Every field.
    const ALL: &'static [Self];
    /// The name of every field.
    const TEXTS: &'static [&'static str];

    /// Returns the name of the field.
    fn as_str(self) -> &'static str;

    /// Returns the kind of value that the field holds.
    fn kind(self) -> FieldKind;

    /// Returns whether the field is a company size, which is ordered by its number of heads.
    fn is_size(self) -> bool;
}

macro_rules! fields {
    ($(#[doc = $doc:literal])* $name:ident $filter:literal $size:ident $has_custom:literal { $($variant:ident = $text:literal $kind:ident,)* }) => {
        choice! {
            $(#[doc = $doc])*
            $name { $($variant = $text,)* }
        }

        impl $name {
            /// Returns the kind of value that the field holds.
            pub const fn kind(self) -> FieldKind {
                match self {
                    $(Self::$variant => FieldKind::$kind,)*
                }
            }
        }

        impl FilterField for $name {
            const FILTER: &'static str = $filter;
            const HAS_CUSTOM: bool = $has_custom;
            const ALL: &'static [Self] = Self::ALL;
            const TEXTS: &'static [&'static str] = Self::TEXTS;

            fn as_str(self) -> &'static str {
                Self::as_str(self)
            }

            fn kind(self) -> FieldKind {
                Self::kind(self)
            }

            fn is_size(self) -> bool {
                self == Self::$size
            }
        }

        impl From<$name> for String {
            fn from(field: $name) -> Self {
                field.as_str().to_owned()
            }
        }
    };
}

fields! {
    /// Fields by which leads can be filtered: every sort column, and the facets.
    LeadField "LeadFilter" CompanySize true {
        Name = "name" Text,
        Headline = "headline" Text,
        ApprovalStatus = "approval_status" Token,
        CreatedAt = "created_at" Time,
        Location = "location" Text,
        ConnectionsCount = "connections_count" Number,
        FollowerCount = "follower_count" Number,
        IsPremium = "is_premium" Flag,
        Title = "title" Text,
        Company = "company" Text,
        Industry = "industry" Text,
        CompanySize = "company_size" Token,
        CompanyLocation = "company_location" Text,
        CompanyTagline = "company_tagline" Text,
        CompanyFoundedYear = "company_founded_year" Number,
        IcpScore = "icp_score" Number,
        IcpTier = "icp_tier" Token,
        CampaignLeadStatus = "campaign_lead_status" Token,
        Connection = "connection" Token,
        Reply = "reply" Token,
        Sender = "sender" Text,
        CurrentNode = "current_node" Token,
        RateLimitedBy = "rate_limited_by" Token,
        HasPendingApproval = "has_pending_approval" Flag,
        IntentType = "intent_type" Token,
        ListId = "list_id" Token,
        CampaignId = "campaign_id" Token,
        SignalId = "signal_id" Token,
        SignalRunId = "signal_run_id" Token,
        ImportJobId = "import_job_id" Token,
        FeedPost = "feed_post" Token,
        ReplyClassification = "reply_classification" Token,
        ChatLabel = "chat_label" Token,
        NetworkAccount = "network_account" Token,
        AccountId = "account_id" Token,
    }
}

fields! {
    /// Fields by which accounts can be filtered.
    AccountField "AccountFilter" StaffCountRange false {
        Name = "name" Text,
        Industry = "industry" Text,
        StaffCountRange = "staff_count_range" Token,
        Location = "location" Text,
        LeadCount = "lead_count" Number,
        IcpScore = "icp_score" Number,
        CreatedAt = "created_at" Time,
        IcpTier = "icp_tier" Token,
        ListId = "list_id" Token,
        IsPromoted = "is_promoted" Flag,
    }
}

impl LeadField {
    /// Returns whether the values of the field are a facet.
    pub const fn has_facet(self) -> bool {
        matches!(self.kind(), FieldKind::Text | FieldKind::Token)
    }
}
