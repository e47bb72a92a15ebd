//! Custom filters: any field, any operator.

use lead_workspace_api::{FieldKind, FilterSpec, LeadQuery, Operator, Request, filter};
use serde_json::Value;

use super::filter_field::Field;
use super::filter_labels::operator;
use super::lead_filter_field::LeadFilterField;
use crate::app::model::escapes::{escaped, unescaped};

/// Number of values that an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    None,
    One,
    /// A lower and an upper bound.
    Two,
    /// One or more.
    Many,
}

pub fn arity(operator: Operator) -> Arity {
    match operator {
        Operator::IsSet | Operator::IsNotSet => Arity::None,
        Operator::Between => Arity::Two,
        Operator::In | Operator::NotIn => Arity::Many,
        _ => Arity::One,
    }
}

/// Returns the type of a filter's values, from that of its field. Operators on a part of a text take text for every field.
pub fn value_kind(of_field: FieldKind, operator: Operator) -> FieldKind {
    match operator {
        Operator::Contains | Operator::NotContains | Operator::StartsWith => FieldKind::Text,
        _ => of_field,
    }
}

/// In the address, a space follows the name of the field. Those of custom fields may have spaces of their own.
const SEPARATOR: &str = " ";

/// A custom filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomFilter<F = LeadFilterField> {
    field: F,
    operator: Operator,
    values: Vec<String>,
}

impl<F: Field> CustomFilter<F> {
    /// Creates a filter; `None` if the operator takes another number of values. Values are split
    /// into lines, and empty lines are dropped.
    pub fn new<'a>(
        field: F,
        operator: Operator,
        values: impl IntoIterator<Item = &'a str>,
    ) -> Option<Self> {
        let lines = values.into_iter().flat_map(|value| value.split('\n'));
        let values: Vec<String> = lines
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect();
        let fits = match arity(operator) {
            Arity::None => values.is_empty(),
            Arity::One => values.len() == 1,
            Arity::Two => values.len() == 2,
            Arity::Many => !values.is_empty(),
        };
        fits.then_some(Self {
            field,
            operator,
            values,
        })
    }

    pub fn field(&self) -> F {
        self.field
    }

    pub fn operator(&self) -> Operator {
        self.operator
    }

    /// Returns the type of its values.
    pub fn kind(&self) -> FieldKind {
        value_kind(self.field.kind(&self.values), self.operator)
    }

    /// Returns the values as typed.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Reads the output of [`write`](Self::write).
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, ' ');
        let field = F::parse(&unescaped(parts.next()?))?;
        let operator = parts.next()?.parse().ok()?;
        Self::new(field, operator, parts.next())
    }

    /// Returns the filter as text for the address: field, operator and the values, one on a line.
    pub fn write(&self) -> String {
        let name = escaped(self.field.as_str(), SEPARATOR);
        let mut text = [&*name, self.operator.as_str()].join(" ");
        for (index, value) in self.values.iter().enumerate() {
            text.push(if index == 0 { ' ' } else { '\n' });
            text.push_str(value);
        }
        text
    }

    /// Returns the filter for the API.
    pub fn spec(&self) -> FilterSpec {
        let kind = self.kind();
        let mut values = self.values.iter().map(|text| typed_value(kind, text));
        let value = match arity(self.operator) {
            Arity::None => Value::Null,
            Arity::One => values.next().unwrap_or_default(),
            Arity::Two | Arity::Many => values.collect(),
        };
        filter(self.field).with(self.operator, value)
    }

    /// Returns the text of the filter after its field: `is at least 80`.
    pub fn rest(&self) -> String {
        let kind = self.kind();
        let word = operator(self.operator, self.field.kind(&self.values));
        let is_text = kind == FieldKind::Text;
        let values: Vec<String> = self
            .values
            .iter()
            .map(|value| match (kind, value.as_str()) {
                (FieldKind::Flag, "true") => "yes".to_owned(),
                (FieldKind::Flag, "false") => "no".to_owned(),
                (_, value) if is_text => ["“", value, "”"].concat(),
                (_, value) => value.to_owned(),
            })
            .collect();
        let between = if self.operator == Operator::Between {
            " and "
        } else {
            ", "
        };
        match values.is_empty() {
            true => word.to_owned(),
            false => [word, " ", &values.join(between)].concat(),
        }
    }

    /// Checks that the filter can be sent and that its values fit the type of the field.
    ///
    /// # Errors
    /// What is wrong, as a message for the user.
    pub fn check(&self) -> Result<(), String> {
        let query = LeadQuery {
            filters: vec![self.spec()],
            ..LeadQuery::default()
        };
        if let Err(problems) = query.check() {
            let message: Vec<String> = problems.into_iter().map(|problem| problem.msg).collect();
            return Err(message.join("; "));
        }
        let kind = self.kind();
        let odd = self.values.iter().find(|text| match kind {
            FieldKind::Number => !typed_value(kind, text).is_number(),
            FieldKind::Flag => !typed_value(kind, text).is_boolean(),
            FieldKind::Time => !text.starts_with(|first: char| first.is_ascii_digit()),
            FieldKind::Text | FieldKind::Token => false,
        });
        let wanted = match kind {
            FieldKind::Number => "a number",
            FieldKind::Flag => "true or false",
            _ => "a date",
        };
        odd.map_or(Ok(()), |odd| Err(["“", odd, "” is not ", wanted].concat()))
    }
}

/// Converts a value to the type of the field. Invalid values remain text, so that the server
/// rejects them.
fn typed_value(kind: FieldKind, text: &str) -> Value {
    let read = match kind {
        FieldKind::Number => serde_json::from_str(text).ok().filter(Value::is_number),
        FieldKind::Flag => match text {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        FieldKind::Text | FieldKind::Token | FieldKind::Time => None,
    };
    read.unwrap_or_else(|| Value::String(text.to_owned()))
}
