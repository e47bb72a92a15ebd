//! The fields that filters of leads can use.

use lead_workspace_api::{FieldKind, LeadField, is_plain_number};

use super::custom_name::CustomName;
use super::filter_field::Field;
use super::filter_labels;
use crate::app::model::time::instant;

/// A field of leads, or a custom field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeadFilterField {
    Lead(LeadField),
    Custom(CustomName),
}

impl From<LeadFilterField> for String {
    fn from(field: LeadFilterField) -> Self {
        field.as_str().to_owned()
    }
}

macro_rules! groups {
    ($($group:literal: $($field:ident)+;)+) => {
        &[$(($group, &[$(LeadFilterField::Lead(LeadField::$field)),+])),+]
    };
}

impl Field for LeadFilterField {
    const GROUPS: &'static [(&'static str, &'static [Self])] = groups! {
        "Fit and review": IcpScore IcpTier IntentType CreatedAt ApprovalStatus;
        "Person": Title Name Headline Location ConnectionsCount FollowerCount IsPremium;
        "Company": Company Industry CompanySize CompanyLocation CompanyFoundedYear CompanyTagline;
        "Outreach": ReplyClassification Reply CampaignLeadStatus Connection HasPendingApproval
            ChatLabel Sender NetworkAccount CurrentNode RateLimitedBy;
        "Ids": ListId CampaignId SignalId SignalRunId ImportJobId FeedPost AccountId;
    };

    fn as_str(self) -> &'static str {
        match self {
            Self::Lead(field) => field.as_str(),
            Self::Custom(name) => name.as_str(),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        match text.parse() {
            Ok(field) => Some(Self::Lead(field)),
            Err(_) => CustomName::parse(text).map(Self::Custom),
        }
    }

    fn kind(self, values: &[String]) -> FieldKind {
        match self {
            Self::Lead(field) => field.kind(),
            Self::Custom(_) => kind_of(values),
        }
    }

    fn label(self) -> &'static str {
        match self {
            Self::Lead(field) => filter_labels::field(field),
            Self::Custom(name) => name.key(),
        }
    }
}

/// Returns what the server takes the values of a filter on a custom field for.
fn kind_of(values: &[String]) -> FieldKind {
    let all = |is: fn(&str) -> bool| !values.is_empty() && values.iter().all(|value| is(value));
    if all(is_plain_number) {
        FieldKind::Number
    } else if all(|value| matches!(value, "true" | "false")) {
        FieldKind::Flag
    } else if all(|value| instant(value).is_some()) {
        FieldKind::Time
    } else {
        FieldKind::Text
    }
}
