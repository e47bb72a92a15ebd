//! Filters. The contract does not show the structure of a filter; ours is `{"field", "operator", "value"}`.
//! All filters of a query must match.

use serde::Serialize;
use serde_json::{Value, json};

use crate::choice::choice;
use crate::limits::{SEARCH_CHARACTERS, VALUE_CHARACTERS, VALUES};
use crate::request::{FromWire, Reading};
use crate::wire::Wire;

choice! {
    /// The comparison of a filter.
    Operator {
        /// Equal to the value.
        Eq = "eq",
        /// Not equal to the value.
        Neq = "neq",
        /// Equal to one value of the list.
        In = "in",
        /// Equal to no value of the list.
        NotIn = "not_in",
        /// Greater than the value.
        Gt = "gt",
        /// Greater than or equal to the value.
        Gte = "gte",
        /// Less than the value.
        Lt = "lt",
        /// Less than or equal to the value.
        Lte = "lte",
        /// Between two bounds, both inclusive.
        Between = "between",
        /// Contains the text, ignoring case and accents.
        Contains = "contains",
        /// Does not contain the text, ignoring case and accents.
        NotContains = "not_contains",
        /// Starts with the text, ignoring case and accents.
        StartsWith = "starts_with",
        /// Has a value.
        IsSet = "is_set",
        /// Has no value.
        IsNotSet = "is_not_set",
    }
}

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

macro_rules! fields {
    ($(#[doc = $doc:literal])* $name:ident { $($variant:ident = $text:literal $kind:ident,)* }) => {
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

        impl From<$name> for String {
            fn from(field: $name) -> Self {
                field.as_str().to_owned()
            }
        }
    };
}

fields! {
    /// Fields by which leads can be filtered: every sort column, and the facets.
    LeadField {
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
    AccountField {
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

/// A condition on one field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Filter {
    /// The field name, normally of a [`LeadField`] or an [`AccountField`].
    pub field: String,
    /// The comparison.
    pub operator: Operator,
    /// The value to compare with: a scalar; an array for `in` and `not_in`; `[low, high]` for `between`; null
    /// for `is_set` and `is_not_set`.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub value: Value,
}

/// Starts a filter on a field: `filter(LeadField::IcpTier).is_in(["A", "B"])`.
pub fn filter(field: impl Into<String>) -> FilterOn {
    FilterOn(field.into())
}

/// A filter on a field, still without an operator.
#[derive(Clone, Debug)]
pub struct FilterOn(String);

macro_rules! operators {
    ($($(#[$doc:meta])* $method:ident => $operator:ident;)*) => {$(
        $(#[$doc])*
        pub fn $method(self, value: impl Into<Value>) -> FilterSpec {
            self.with(Operator::$operator, value.into())
        }
    )*};
}

impl FilterOn {
    /// Compares with any operator and any value.
    pub fn with(self, operator: Operator, value: Value) -> FilterSpec {
        FilterSpec::Typed(Filter {
            field: self.0,
            operator,
            value,
        })
    }

    operators! {
        /// Equal to the value.
        eq => Eq;
        /// Not equal to the value.
        neq => Neq;
        /// Greater than the value.
        gt => Gt;
        /// Greater than or equal to the value.
        gte => Gte;
        /// Less than the value.
        lt => Lt;
        /// Less than or equal to the value.
        lte => Lte;
        /// Contains the text, ignoring case and accents.
        contains => Contains;
        /// Does not contain the text, ignoring case and accents.
        not_contains => NotContains;
        /// Starts with the text, ignoring case and accents.
        starts_with => StartsWith;
    }

    /// Equal to one of the values.
    pub fn is_in<V: Into<Value>>(self, values: impl IntoIterator<Item = V>) -> FilterSpec {
        self.with(Operator::In, values.into_iter().map(Into::into).collect())
    }

    /// Equal to none of the values.
    pub fn not_in<V: Into<Value>>(self, values: impl IntoIterator<Item = V>) -> FilterSpec {
        self.with(
            Operator::NotIn,
            values.into_iter().map(Into::into).collect(),
        )
    }

    /// Between the bounds, both inclusive.
    pub fn between(self, low: impl Into<Value>, high: impl Into<Value>) -> FilterSpec {
        self.with(Operator::Between, json!([low.into(), high.into()]))
    }

    /// Has a value.
    pub fn is_set(self) -> FilterSpec {
        self.with(Operator::IsSet, Value::Null)
    }

    /// Has no value.
    pub fn is_not_set(self) -> FilterSpec {
        self.with(Operator::IsNotSet, Value::Null)
    }
}

/// An element of a query's `filters`: our own shape, or any JSON for an upstream that expects another one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FilterSpec {
    /// A filter of our own shape.
    Typed(Filter),
    /// Any JSON, sent unchanged.
    Raw(Value),
}

impl Wire for FilterSpec {
    fn name() -> String {
        "filter spec".into()
    }

    fn schema() -> Value {
        json!({
            "type": "object",
            "title": "FilterSpec",
            "properties": {"field": {"type": "string"}, "operator": Operator::schema(), "value": {}},
            "required": ["field", "operator"],
        })
    }
}

impl FromWire for FilterSpec {
    /// Reads a typed filter.
    ///
    /// In a request to an upstream, an element without `field` or `operator` passes unchanged.
    fn from_wire(value: &Value, reading: &mut Reading<'_>) -> Option<Self> {
        let ours = value.get("field").is_some() && value.get("operator").is_some();
        if reading.foreign && !ours {
            return Some(Self::Raw(value.clone()));
        }
        if !value.is_object() {
            let msg = "a filter must be an object {field, operator, value}";
            reading.problem("model_attributes_type", msg, value, Value::Null);
            return None;
        }
        let field = member::<String>(value, "field", reading);
        let operator = member::<Operator>(value, "operator", reading);
        let operand = value.get("value").unwrap_or(&Value::Null);
        let fits = operator.is_some_and(|operator| {
            reading.within("value", |reading| operand_fits(operator, operand, reading))
        });
        let filter = Filter {
            field: field?,
            operator: operator?,
            value: operand.clone(),
        };
        fits.then_some(Self::Typed(filter))
    }
}

fn member<T: FromWire>(object: &Value, name: &str, reading: &mut Reading<'_>) -> Option<T> {
    match object.get(name) {
        Some(found) => reading.within(name, |reading| T::from_wire(found, reading)),
        None => {
            reading.missing(name, object);
            None
        }
    }
}

fn operand_fits(operator: Operator, operand: &Value, reading: &mut Reading<'_>) -> bool {
    let scalar = |value: &Value| value.is_string() || value.is_number() || value.is_boolean();
    let (fits, kind, msg) = match operator {
        Operator::In | Operator::NotIn => (
            operand
                .as_array()
                .is_some_and(|items| items.iter().all(scalar)),
            "list_type",
            "the value must be an array of strings, numbers or booleans",
        ),
        Operator::Between => (
            operand
                .as_array()
                .is_some_and(|items| items.len() == 2 && items.iter().all(scalar)),
            "list_type",
            "the value must be an array of two bounds",
        ),
        Operator::Contains | Operator::NotContains | Operator::StartsWith => (
            operand.is_string(),
            "string_type",
            "the value must be a string",
        ),
        Operator::IsSet | Operator::IsNotSet => (
            operand.is_null(),
            "none_required",
            "this operator takes no value",
        ),
        _ => (
            scalar(operand),
            "scalar_type",
            "the value must be a string, a number or a boolean",
        ),
    };
    if !fits {
        reading.problem(kind, msg, operand, Value::Null);
        return false;
    }
    let looks_inside = matches!(
        operator,
        Operator::Contains | Operator::NotContains | Operator::StartsWith
    );
    let characters = if looks_inside {
        SEARCH_CHARACTERS
    } else {
        VALUE_CHARACTERS
    };
    match operand.as_array() {
        None => reading.characters(operand, characters),
        Some(values) => {
            reading.items(operand, VALUES)
                && values.iter().enumerate().fold(true, |fit, (index, value)| {
                    reading.within(index, |reading| reading.characters(value, characters)) && fit
                })
        }
    }
}
