//! Shapes that the contract leaves open, as our service gives them.
//!
//! A reader takes what is there: a member that is absent or of another type reads as nothing, and
//! no shape of an upstream makes a row fail.

use serde_json::{Map, Value, json};

use crate::lead::LeadListItem;
use crate::model::FieldSpec;
use crate::raw::Raw;
use crate::wire::Wire;

/// A shape read out of, and written as, a free object.
pub trait Shape: Sized {
    /// The name of the type.
    const NAME: &'static str;
    /// What it is, one line of its documentation after the other.
    const DOC: &'static str;

    /// Every member, in order.
    fn fields() -> Vec<FieldSpec>;

    /// Reads the object, where it is one.
    fn read(raw: &Raw) -> Option<Self> {
        match raw.value() {
            Value::Object(object) => Some(Self::from_object(&object)),
            _ => None,
        }
    }

    /// Reads the members that are there.
    fn from_object(object: &Map<String, Value>) -> Self;

    /// Writes the object.
    fn to_raw(&self) -> Raw;
}

/// A member of a free object.
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
        /// The list the score was given for; none for a score outside any list.
        list_id: String,
        /// Its name.
        list_name: String,
        /// Fit with the ideal customer profile, 0 to 100.
        icp_score: f64,
        /// Tier of the fit, best first `A` to `D`.
        icp_tier: String,
        /// Why it fits.
        icp_reasoning: String,
        /// When the score was given, ISO 8601.
        scored_at: String,
    }

    /// What is commonly found in `profile_data`.
    ProfileData {
        /// The lead's title.
        title: String,
        /// Where the lead is.
        location: String,
        /// How many connections the profile has.
        connections_count: u64,
        /// How many followers the profile has.
        follower_count: u64,
    }

    /// An element of `campaigns` of a lead list item.
    CampaignRef {
        /// The campaign.
        campaign_id: String,
        /// Its name.
        campaign_name: String,
        /// State of the campaign.
        campaign_status: String,
        /// State of the lead in the campaign.
        lead_status: String,
    }

    /// An element of `campaigns` of a pulse.
    PulseCampaign {
        /// The campaign.
        campaign_id: String,
        /// Its name.
        campaign_name: String,
        /// How many of the account's leads it holds.
        lead_count: u64,
    }

    /// An element of `chats` of a pulse.
    PulseChat {
        /// The conversation.
        chat_id: String,
        /// The lead.
        lead_id: String,
        /// The lead's name.
        lead_name: String,
        /// The class of the reply.
        classification: String,
        /// When somebody last wrote, ISO 8601.
        last_message_at: String,
    }

    /// An element of `leads` of an account's detail.
    AccountLead {
        /// The lead.
        lead_id: String,
        /// The lead's name.
        name: String,
        /// The lead's title.
        title: String,
        /// The decision on the lead.
        approval_status: String,
        /// Fit with the ideal customer profile, 0 to 100.
        icp_score: f64,
    }
}

/// An element of a facet: a bare text, or an object with an id or value, a name or label, and
/// perhaps a count.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FacetOption {
    /// The value, as a filter takes it.
    pub value: String,
    /// The value for people.
    pub label: String,
    /// How many leads have it, where that is told.
    pub count: Option<u64>,
}

impl FacetOption {
    /// Reads an element, where it has a value.
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
                let value = value.or_else(|| find(|name| name.ends_with("_id")))?;
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

impl LeadListItem {
    /// The best of the lead's scores.
    pub fn best_score(&self) -> Option<ListScore> {
        let scores = self
            .list_scores
            .iter()
            .flatten()
            .filter_map(ListScore::read);
        scores.max_by(|a, b| {
            a.icp_score
                .unwrap_or(-1.0)
                .total_cmp(&b.icp_score.unwrap_or(-1.0))
        })
    }

    /// What the profile says, where it is an object.
    pub fn profile(&self) -> ProfileData {
        self.profile_data
            .as_ref()
            .and_then(ProfileData::read)
            .unwrap_or_default()
    }

    /// The lead's title: as the profile says, else as the company does.
    pub fn title(&self) -> Option<String> {
        self.profile()
            .title
            .or_else(|| self.current_account.as_ref()?.title.clone())
    }
}
