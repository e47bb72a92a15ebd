//! Identifiers, one type per noun, so that an account id cannot be passed where a lead id is meant.
//!
//! On the wire each is a string. The text is never interpreted; [`path`](crate::path) decides
//! whether it may stand in a URL.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::mend::Kind;
use crate::request::{FromWire, Reading};
use crate::wire::Wire;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps the text as it stands.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl Wire for $name {
            const KIND: Kind = Kind::Text;

            fn name() -> String {
                "string".into()
            }

            fn schema() -> Value {
                json!({"type": "string"})
            }
        }

        impl FromWire for $name {
            const IS_ID: bool = true;

            fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
                let text = String::from_wire(value, reading)?;
                if text.is_empty() {
                    reading.problem(
                        "string_too_short",
                        "an id needs at least 1 character",
                        value,
                        json!({"min_length": 1}),
                    );
                    return None;
                }
                Some(Self(text))
            }
        }
    )*};
}

ids! {
    /// A lead.
    LeadId
    /// An account: the company that leads work for.
    AccountId
    /// A list of leads (or of accounts).
    LeadListId
    /// An outreach campaign.
    CampaignId
    /// A signal: a standing search for intent.
    SignalId
    /// One run of a signal.
    SignalRunId
    /// The import that brought a lead in.
    ImportJobId
    /// A conversation in the inbox.
    ChatId
    /// A job to be polled.
    JobId
    /// A durable workflow.
    WorkflowId
    /// A workspace, as named by the `x-tenant-id` header.
    TenantId
}
