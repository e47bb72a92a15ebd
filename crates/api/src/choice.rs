//! Value sets: open in responses, closed in requests.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use crate::json::object;
use crate::kind::Kind;
use crate::quoted::Quoted;
use crate::request::{Reading, always_sent};
use crate::wire::Wire;

/// A text that is not in a closed set of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotOneOf {
    /// The rejected text.
    pub text: String,
    /// The allowed values.
    pub expected: &'static [&'static str],
}

impl fmt::Display for NotOneOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} is not one of {}",
            Quoted(&self.text),
            self.expected.join(", ")
        )
    }
}

impl std::error::Error for NotOneOf {}

/// Declares a closed set of values for requests.
macro_rules! choice {
    ($($(#[doc = $doc:literal])* $name:ident { $($(#[doc = $vdoc:literal])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[doc = $vdoc])* #[doc = concat!("`", $text, "`")] $variant,)*
        }

        impl $name {
            /// Every value, in the contract's order.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];
            /// Every value, as on the wire.
            pub const TEXTS: &'static [&'static str] = &[$($text,)*];
            /// The text of its doc comment, with a newline after each line.
            pub const DOC: &'static str = concat!($($doc, "\n"),*);
            /// The text of each value's doc comment, in the same order; empty if there is none.
            pub const DOCS: &'static [&'static str] = &[$(concat!($($vdoc, "\n"),*),)*];

            /// Returns the value as on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $text,)*
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::choice::NotOneOf;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$variant),)*
                    _ => Err($crate::choice::NotOneOf { text: text.to_owned(), expected: Self::TEXTS }),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $crate::wire::Wire for $name {
            fn name() -> String {
                "string".into()
            }

            fn schema() -> serde_json::Value {
                serde_json::json!({"type": "string", "title": stringify!($name), "enum": Self::TEXTS})
            }
        }

        impl $crate::request::FromWire for $name {
            const ONE_OF: &'static [&'static str] = Self::TEXTS;

            fn from_wire(value: &serde_json::Value, reading: &mut $crate::request::Reading<'_>) -> Option<Self> {
                $crate::choice::read_choice(value, reading, Self::TEXTS)
            }
        }
    )*};
}

pub(crate) use choice;

/// Reads one of `texts`, or records a problem that lists them.
pub(crate) fn read_choice<T: FromStr>(
    value: &Value,
    reading: &mut Reading<'_>,
    texts: &'static [&'static str],
) -> Option<T> {
    let found = value.as_str().and_then(|text| text.parse().ok());
    if found.is_none() {
        not_one_of(value, reading, texts);
    }
    found
}

fn not_one_of(value: &Value, reading: &mut Reading<'_>, texts: &[&str]) {
    let expected = texts.join(", ");
    let msg = format!("the value must be one of {expected}");
    let ctx = object([("expected", expected.into())]);
    reading.problem("enum", &msg, value, ctx);
}

choice! {
    /// Columns by which leads can be sorted (spec: leads query, `sort_by`).
    LeadSort {
        Name = "name",
        Headline = "headline",
        ApprovalStatus = "approval_status",
        CreatedAt = "created_at",
        Location = "location",
        ConnectionsCount = "connections_count",
        FollowerCount = "follower_count",
        IsPremium = "is_premium",
        Title = "title",
        Company = "company",
        Industry = "industry",
        CompanySize = "company_size",
        CompanyLocation = "company_location",
        CompanyTagline = "company_tagline",
        CompanyFoundedYear = "company_founded_year",
        IcpScore = "icp_score",
        IcpTier = "icp_tier",
        CampaignLeadStatus = "campaign_lead_status",
        Connection = "connection",
        Reply = "reply",
        Sender = "sender",
        CurrentNode = "current_node",
        RateLimitedBy = "rate_limited_by",
        HasPendingApproval = "has_pending_approval",
    }

    /// Columns by which accounts can be sorted (spec: accounts query, `sort_by`).
    AccountSort {
        Name = "name",
        Industry = "industry",
        StaffCountRange = "staff_count_range",
        Location = "location",
        LeadCount = "lead_count",
        IcpScore = "icp_score",
        CreatedAt = "created_at",
    }

    /// The sort direction.
    SortDir {
        Asc = "asc",
        Desc = "desc",
    }

    /// An approval status that can be set (spec: states and transitions).
    NewApprovalStatus {
        Approved = "approved",
        PendingApproval = "pending_approval",
        Rejected = "rejected",
        Filtered = "filtered",
    }
}

/// The approval status of a lead in a response: a known value, or a text that this version does not know.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ApprovalStatus {
    /// One of the contract's four values.
    Known(NewApprovalStatus),
    /// Any other text, unchanged.
    Unknown(Box<str>),
}

impl ApprovalStatus {
    /// `approved`
    pub const APPROVED: Self = Self::Known(NewApprovalStatus::Approved);
    /// `pending_approval`
    pub const PENDING_APPROVAL: Self = Self::Known(NewApprovalStatus::PendingApproval);
    /// `rejected`
    pub const REJECTED: Self = Self::Known(NewApprovalStatus::Rejected);

    /// Returns the value as on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(status) => status.as_str(),
            Self::Unknown(text) => text,
        }
    }

    /// Returns the value if it is one of the contract's four.
    pub fn known(&self) -> Option<NewApprovalStatus> {
        match self {
            Self::Known(status) => Some(*status),
            Self::Unknown(_) => None,
        }
    }
}

impl From<NewApprovalStatus> for ApprovalStatus {
    fn from(status: NewApprovalStatus) -> Self {
        Self::Known(status)
    }
}

impl From<&str> for ApprovalStatus {
    fn from(text: &str) -> Self {
        text.parse()
            .map_or_else(|_| Self::Unknown(text.into()), Self::Known)
    }
}

impl FromStr for ApprovalStatus {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::from(text))
    }
}

impl fmt::Display for ApprovalStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ApprovalStatus {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ApprovalStatus {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl serde::de::Visitor<'_> for Text {
            type Value = ApprovalStatus;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an approval status")
            }

            fn visit_str<E>(self, text: &str) -> Result<ApprovalStatus, E> {
                Ok(text.into())
            }
        }
        deserializer.deserialize_str(Text)
    }
}

impl Wire for ApprovalStatus {
    const KIND: Kind = Kind::Text;

    fn name() -> String {
        "string".into()
    }

    fn schema() -> Value {
        // Open: a client must not fail on a value that is added later.
        json!({"type": "string", "title": "ApprovalStatus", "examples": NewApprovalStatus::TEXTS})
    }
}

always_sent!(LeadSort AccountSort SortDir NewApprovalStatus);
