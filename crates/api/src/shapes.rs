//! Shapes that the contract leaves open, as our service returns them.
//!
//! Reading is lenient: a member that is absent or of another type reads as `None`, so that no upstream's
//! shape makes a row fail.

use serde_json::{Map, Value, json};

use crate::lead::LeadListItem;
use crate::model::FieldSpec;
use crate::raw::Raw;
use crate::wire::Wire;

/// A shape that is read from, and written as, a free-form object.
pub trait Shape: Sized {
    /// The name of the type.
    const NAME: &'static str;
    /// The text of its doc comment, with a newline after each line.
    const DOC: &'static str;

    /// Returns every member, in order.
    fn fields() -> Vec<FieldSpec>;

    /// Reads the value, if it is an object.
    fn read(raw: &Raw) -> Option<Self> {
        match raw.value() {
            Value::Object(object) => Some(Self::from_object(&object)),
            _ => None,
        }
    }

    /// Reads the members that are present.
    fn from_object(object: &Map<String, Value>) -> Self;

    /// Writes the object.
    fn to_raw(&self) -> Raw;
}

/// A type that can be read from a member; `None` if the member has another type.
trait Member: Sized {
    fn member(value: &Value) -> Option<Self>;
}

impl Member for String {
    fn member(value: &Value) -> Option<Self> {
        value.as_str().map(str::to_owned)
    }
}

impl Member for f64 {
    fn member(value: &Value) -> Option<Self> {
        value.as_f64()
    }
}

impl Member for u64 {
    fn member(value: &Value) -> Option<Self> {
        value.as_u64()
    }
}

macro_rules! shapes {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident { $($(#[doc = $fdoc:literal])* $field:ident: $ty:ty,)* }
    )*) => {$(
        $(#[doc = $doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[doc = $fdoc])* pub $field: Option<$ty>,)*
        }

        impl Shape for $name {
            const NAME: &'static str = stringify!($name);
            const DOC: &'static str = concat!($($doc, "\n"),*);

            fn fields() -> Vec<FieldSpec> {
                vec![$(FieldSpec {
                    name: stringify!($field),
                    ty: <$ty as Wire>::name(),
                    schema: <$ty as Wire>::schema(),
                    doc: concat!($($fdoc, "\n"),*),
                },)*]
            }

            fn from_object(object: &Map<String, Value>) -> Self {
                Self { $($field: object.get(stringify!($field)).and_then(Member::member),)* }
            }

            fn to_raw(&self) -> Raw {
                json!({ $(stringify!($field): self.$field,)* }).into()
            }
        }
    )*};
}

shapes! {
    /// An element of `list_scores`.
    ListScore {
        /// Id of the list that the score belongs to; none for a score outside any list.
        list_id: String,
        /// Name of the list.
        list_name: String,
        /// Fit with the ideal customer profile, 0 to 100.
        icp_score: f64,
        /// Tier of the fit, from `A` (best) to `D`.
        icp_tier: String,
        /// Explanation of the score.
        icp_reasoning: String,
        /// When the score was assigned, ISO 8601.
        scored_at: String,
    }

    /// Common members of `profile_data`.
    ProfileData {
        /// The lead's job title.
        title: String,
        /// The lead's location.
        location: String,
        /// Number of connections of the profile.
        connections_count: u64,
        /// Number of followers of the profile.
        follower_count: u64,
    }

    /// An element of `campaigns` of a lead list item.
    CampaignRef {
        /// Id of the campaign.
        campaign_id: String,
        /// Name of the campaign.
        campaign_name: String,
        /// Status of the campaign.
        campaign_status: String,
        /// Status of the lead in the campaign.
        lead_status: String,
    }

    /// An element of `campaigns` of a pulse.
    PulseCampaign {
        /// Id of the campaign.
        campaign_id: String,
        /// Name of the campaign.
        campaign_name: String,
        /// Number of the account's leads in the campaign.
        lead_count: u64,
    }

    /// An element of `chats` of a pulse.
    PulseChat {
        /// Id of the conversation.
        chat_id: String,
        /// Id of the lead.
        lead_id: String,
        /// Name of the lead.
        lead_name: String,
        /// Class of the reply.
        classification: String,
        /// When the last message was sent, ISO 8601.
        last_message_at: String,
    }

    /// An element of `leads` of an account's detail.
    AccountLead {
        /// Id of the lead.
        lead_id: String,
        /// Name of the lead.
        name: String,
        /// The lead's job title.
        title: String,
        /// Approval status of the lead.
        approval_status: String,
        /// Fit with the ideal customer profile, 0 to 100.
        icp_score: f64,
    }
}

/// An element of a facet: a plain text or number, or an object with an id or value, a name or label, and
/// optionally a count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FacetOption {
    /// The value, as used in a filter.
    pub value: String,
    /// The label to display.
    pub label: String,
    /// Number of leads with this value, if given.
    pub count: Option<u64>,
}

impl FacetOption {
    /// Reads the elements of a facet that have a value.
    pub fn read_all(facet: &[Raw]) -> Vec<Self> {
        facet.iter().filter_map(Self::read).collect()
    }

    /// Reads an element, if it has a value. Of several members with an id or a name, the first by
    /// alphabet counts.
    pub fn read(raw: &Raw) -> Option<Self> {
        match raw.value() {
            Value::String(value) => Some(Self {
                label: value.clone(),
                value,
                count: None,
            }),
            Value::Object(object) => {
                let find = |is: fn(&str) -> bool| {
                    object
                        .iter()
                        .filter(|(name, _)| is(name))
                        .find_map(|(_, value)| scalar(value))
                };
                let value = find(|name| name == "value").or_else(|| find(|name| name == "id"));
                // `item_id` is the id of an entry in a list, not of the list.
                let is_id = |name: &str| name.ends_with("_id") && name != "item_id";
                let value = value.or_else(|| find(is_id))?;
                let label = find(|name| name == "label").or_else(|| find(|name| name == "name"));
                let label = label.or_else(|| find(|name| name.ends_with("_name")));
                let count = object.get("count").and_then(Value::as_u64);
                Some(Self {
                    label: label.unwrap_or_else(|| value.clone()),
                    value,
                    count,
                })
            }
            other => scalar(&other).map(|value| Self {
                label: value.clone(),
                value,
                count: None,
            }),
        }
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        number @ Value::Number(_) => Some(crate::json::text(number)),
        _ => None,
    }
}

impl ListScore {
    /// Reads the elements that are scores.
    pub fn read_all(scores: &[Raw]) -> Vec<Self> {
        scores.iter().filter_map(Self::read).collect()
    }

    /// Returns the highest of several scores, the last one of equals. Elements that are no scores
    /// are skipped.
    pub fn best(scores: &[Raw]) -> Option<Self> {
        let points = |score: &Self| score.icp_score.unwrap_or(-1.0);
        Self::read_all(scores)
            .into_iter()
            .max_by(|a, b| points(a).total_cmp(&points(b)))
    }
}

impl LeadListItem {
    /// Returns the highest of the lead's scores.
    pub fn best_score(&self) -> Option<ListScore> {
        ListScore::best(self.list_scores.as_deref().unwrap_or_default())
    }

    /// Returns the profile data; empty if it is not an object.
    pub fn profile(&self) -> ProfileData {
        self.profile_data
            .as_ref()
            .and_then(ProfileData::read)
            .unwrap_or_default()
    }

    /// Returns the lead's job title: from the profile, otherwise from the current account.
    pub fn title(&self) -> Option<String> {
        self.profile()
            .title
            .or_else(|| self.current_account.as_ref()?.title.clone())
    }
}
