//! Filters: validated, and what they match, row by row. `lead-workspace-index` finds the same rows by columns.
//!
//! spec: not shown; filters are interpreted as follows:
//! - text fields compare folded text: case and accents do not matter, for `eq` as well as for
//!   order;
//! - tokens and ids compare exactly, but `contains` and `starts_with` fold;
//! - company sizes are ordered by their lower bound, everything else by its natural order;
//! - `contains` and `starts_with` on numbers, flags and times match their JSON text;
//! - a date without a time means the whole day, UTC;
//! - `neq`, `not_in`, `not_contains` and `is_not_set` match exactly where `eq`, `in`, `contains`
//!   and `is_set` do not, including rows without a value;
//! - a lead has many lists, campaigns and intent signals: a filter on these matches if any of them
//!   does;
//! - custom fields compare as [`custom`] says.

mod custom_operands;
mod operands;
mod read;

use lead_workspace_api::FieldKind;

use crate::custom;
use crate::fold::fold;
use crate::size::size_rank;

pub use crate::value::{Interval, Value};
pub use custom_operands::{Bounded, Example};
pub use lead_workspace_api::FilterField;
pub(crate) use read::OR_CUSTOM_FIELD;
pub use read::read;

/// How the values of a field are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Field(FieldKind),
    /// Company sizes, which are ordered by their number of heads.
    Size,
    Custom,
}

/// A field of leads or accounts, or the key of a custom field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field<F> {
    Known(F),
    Custom(String),
}

/// A validated filter.
#[derive(Clone, Debug)]
pub struct Filter<F> {
    pub field: Field<F>,
    pub predicate: Predicate,
    /// Whether rows match that the predicate does not match.
    pub negated: bool,
    /// What has to be checked when the values of a custom field are known.
    pub bounded: Option<Bounded>,
}

/// A condition on the values of a field.
#[derive(Clone, Debug)]
pub enum Predicate {
    /// Equal to one of these.
    Is(Vec<Value>),
    /// Within one of these intervals. Sizes compare by their lower bound.
    Within(Vec<Interval>),
    /// Contains this folded text.
    Contains(String),
    /// Starts with this folded text.
    StartsWith(String),
    /// Has a value.
    Set,
}

impl<F: FilterField> Field<F> {
    pub fn form(&self) -> Form {
        match self {
            Self::Known(field) if field.is_size() => Form::Size,
            Self::Known(field) => Form::Field(field.kind()),
            Self::Custom(_) => Form::Custom,
        }
    }
}

impl<F: FilterField> Filter<F> {
    /// Returns whether a row with these values of the field matches; a row without a value has none.
    pub fn holds(&self, values: &[Value]) -> bool {
        let form = self.field.form();
        let holds = |value| self.predicate.holds(form, value);
        values.iter().any(holds) != self.negated
    }
}

impl Predicate {
    /// Returns whether a value of this form matches.
    pub fn holds(&self, form: Form, value: &Value) -> bool {
        match self {
            Self::Is(values) => values.iter().any(|one| one.order(value).is_eq()),
            Self::Within(intervals) => {
                let is_within = |rank| intervals.iter().any(|one| one.contains(&rank));
                value.rank(form).is_some_and(is_within)
            }
            Self::Contains(text) => value.text(form).contains(text),
            Self::StartsWith(text) => value.text(form).starts_with(text),
            Self::Set => true,
        }
    }
}

impl Value {
    /// Returns what a value is ordered by.
    fn rank(&self, form: Form) -> Option<Self> {
        match self {
            Self::Text(size) if form == Form::Size => size_rank(size).map(Self::Integer),
            value => Some(value.clone()),
        }
    }

    /// Returns the text that `contains` looks into; folded, like its operand.
    fn text(&self, form: Form) -> String {
        use FieldKind::{Flag, Time, Token};
        match (form, self) {
            (Form::Custom, value) => custom::text_of(value),
            (Form::Field(Token | Time) | Form::Size, Self::Text(text)) => fold(text),
            (Form::Field(Flag), Self::Integer(flag)) => (*flag == 1).to_string(),
            (_, Self::Text(text)) => text.clone(),
            (_, Self::Integer(number)) => number.to_string(),
            // With a point, as SQLite writes it.
            (_, Self::Real(number)) => format!("{number:?}"),
        }
    }
}
