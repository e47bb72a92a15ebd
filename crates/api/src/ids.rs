//! Identifiers, one type per resource, so that an account id cannot be passed where a lead id is expected.
//!
//! On the wire each is a string. The text is never interpreted; [`path`](crate::path) decides whether it can
//! be used in a URL.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::json::object;
use crate::kind::Kind;
use crate::request::{FromWire, Reading};
use crate::wire::Wire;

/// Reads the text of an id, which must not be empty.
fn read_id(value: &Value, reading: &mut Reading<'_>) -> Option<String> {
    let text = String::from_wire(value, reading)?;
    if text.is_empty() {
        let msg = "an id must have at least 1 character";
        let ctx = object([("min_length", 1.into())]);
        reading.problem("string_too_short", msg, value, ctx);
        return None;
    }
    Some(text)
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);

        impl $name {
            /// Wraps the text unchanged.
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            /// Returns the text.
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
                json!({"type": "string", "minLength": 1})
            }
        }

        impl FromWire for $name {
            const IS_ID: bool = true;

            fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
                read_id(value, reading).map(Self)
            }
        }
    )*};
}

ids! {
    /// Id of a lead.
    LeadId
    /// Id of an account: the company that leads work for.
    AccountId
    /// Id of a list of leads or accounts.
    LeadListId
    /// Id of an outreach campaign.
    CampaignId
    /// Id of a signal: a standing search for intent.
    SignalId
    /// Id of one run of a signal.
    SignalRunId
    /// Id of the import that added a lead.
    ImportJobId
    /// Id of a conversation in the inbox.
    ChatId
    /// Id of a job, for polling.
    JobId
    /// Id of a durable workflow.
    WorkflowId
    /// Id of a workspace, sent in the `x-tenant-id` header.
    TenantId
}
