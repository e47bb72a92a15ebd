//! Filters. The contract does not show the structure of a filter; ours is `{"field", "operator", "value"}`.
//! All filters of a query must match.

mod field;
mod schema;

use serde::Serialize;
use serde_json::{Value, json};

use crate::choice::choice;
use crate::limits::{SEARCH_CHARACTERS, VALUE_CHARACTERS, VALUES};
use crate::request::{FromWire, Reading};
use crate::wire::Wire;

pub use field::{AccountField, FieldKind, FilterField, LeadField};
pub(crate) use schema::{facet_name, filters};

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

/// What an operator compares a field with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A value that is equal or not.
    One,
    /// A value by which the field is ordered.
    Bound,
    /// An array of values.
    Several,
    /// An array of two bounds.
    Bounds,
    /// A part of the text of the field.
    Part,
    /// Nothing.
    Nothing,
}

impl Operand {
    pub(crate) const ALL: &'static [Self] = &[
        Self::One,
        Self::Bound,
        Self::Several,
        Self::Bounds,
        Self::Part,
        Self::Nothing,
    ];

    /// Returns whether values are compared by their order.
    pub(crate) const fn is_ordered(self) -> bool {
        matches!(self, Self::Bound | Self::Bounds)
    }
}

impl Operator {
    /// Returns what the operator compares with.
    pub const fn operand(self) -> Operand {
        match self {
            Self::Eq | Self::Neq => Operand::One,
            Self::Gt | Self::Gte | Self::Lt | Self::Lte => Operand::Bound,
            Self::In | Self::NotIn => Operand::Several,
            Self::Between => Operand::Bounds,
            Self::Contains | Self::NotContains | Self::StartsWith => Operand::Part,
            Self::IsSet | Self::IsNotSet => Operand::Nothing,
        }
    }

    /// Returns whether values are compared by their order.
    pub const fn is_ordered(self) -> bool {
        self.operand().is_ordered()
    }
}

/// A condition on one field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Filter {
    /// The field name: of a [`LeadField`] or an [`AccountField`], a [custom field](crate::custom_field), or another of
    /// another server.
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
        json!({"type": "object"})
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
    let takes = operator.operand();
    let (fits, kind, msg) = match takes {
        Operand::Several => (
            operand
                .as_array()
                .is_some_and(|items| items.iter().all(scalar)),
            "list_type",
            "the value must be an array of strings, numbers or booleans",
        ),
        Operand::Bounds => (
            operand
                .as_array()
                .is_some_and(|items| items.len() == 2 && items.iter().all(scalar)),
            "list_type",
            "the value must be an array of two bounds",
        ),
        Operand::Part => (
            operand.is_string(),
            "string_type",
            "the value must be a string",
        ),
        Operand::Nothing => (
            operand.is_null(),
            "none_required",
            "this operator takes no value",
        ),
        Operand::One | Operand::Bound => (
            scalar(operand),
            "scalar_type",
            "the value must be a string, a number or a boolean",
        ),
    };
    if !fits {
        reading.problem(kind, msg, operand, Value::Null);
        return false;
    }
    let characters = match takes {
        Operand::Part => SEARCH_CHARACTERS,
        _ => VALUE_CHARACTERS,
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
