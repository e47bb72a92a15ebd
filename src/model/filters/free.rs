//! A filter made by hand: any field, any operator.

use lead_workspace_api::{
    AccountField, FieldKind, FilterSpec, LeadField, LeadQuery, Operator, Request, filter,
};
use serde_json::Value;

use super::words;

/// A field that filters can be made on.
pub trait Field: Copy + PartialEq + Into<String> + 'static {
    /// Every field.
    const ALL: &'static [Self];

    /// The one that is offered first.
    const FIRST: Self;

    /// The field on the wire and in the address.
    fn as_str(self) -> &'static str;

    /// The field of a word in the address.
    fn of(text: &str) -> Option<Self>;

    /// What its values are.
    fn kind(self) -> FieldKind;

    /// Its name for people.
    fn label(self) -> &'static str;
}

macro_rules! field {
    ($type:ident, $first:ident, $label:path) => {
        impl Field for $type {
            const ALL: &'static [Self] = $type::ALL;
            const FIRST: Self = Self::$first;

            fn as_str(self) -> &'static str {
                $type::as_str(self)
            }

            fn of(text: &str) -> Option<Self> {
                text.parse().ok()
            }

            fn kind(self) -> FieldKind {
                $type::kind(self)
            }

            fn label(self) -> &'static str {
                $label(self)
            }
        }
    };
}

field!(LeadField, Title, words::field);
field!(AccountField, Industry, words::account_field);

/// How many values an operator takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// None at all.
    None,
    /// One.
    One,
    /// A lower and an upper bound.
    Two,
    /// One or more.
    Many,
}

/// How many values an operator takes.
pub fn arity(operator: Operator) -> Arity {
    match operator {
        Operator::IsSet | Operator::IsNotSet => Arity::None,
        Operator::Between => Arity::Two,
        Operator::In | Operator::NotIn => Arity::Many,
        _ => Arity::One,
    }
}

/// What the values of a filter are: parts of texts are texts on every field.
pub fn kind(field: impl Field, operator: Operator) -> FieldKind {
    match operator {
        Operator::Contains | Operator::NotContains | Operator::StartsWith => FieldKind::Text,
        _ => field.kind(),
    }
}

/// A filter made by hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Free<F = LeadField> {
    field: F,
    operator: Operator,
    values: Vec<String>,
}

impl<F: Field> Free<F> {
    /// A filter on a field. Values are lines: none is empty, and none is more than one. None where
    /// the operator takes another number of values.
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

    /// The field.
    pub fn field(&self) -> F {
        self.field
    }

    /// The operator.
    pub fn operator(&self) -> Operator {
        self.operator
    }

    /// The values, as typed.
    pub fn values(&self) -> &[String] {
        &self.values
    }

    /// Reads what [`write`](Self::write) wrote.
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, ' ');
        let field = F::of(parts.next()?)?;
        let operator = parts.next()?.parse().ok()?;
        Self::new(field, operator, parts.next())
    }

    /// The filter as a text for the address: field, operator, and the values, one on a line.
    pub fn write(&self) -> String {
        let mut text = [self.field.as_str(), self.operator.as_str()].join(" ");
        for (index, value) in self.values.iter().enumerate() {
            text.push(if index == 0 { ' ' } else { '\n' });
            text.push_str(value);
        }
        text
    }

    /// The filter on the wire.
    pub fn spec(&self) -> FilterSpec {
        let kind = kind(self.field, self.operator);
        let mut values = self.values.iter().map(|text| value(kind, text));
        let value = match arity(self.operator) {
            Arity::None => Value::Null,
            Arity::One => values.next().unwrap_or_default(),
            Arity::Two | Arity::Many => values.collect(),
        };
        filter(self.field).with(self.operator, value)
    }

    /// Whether the filter can be sent, and each of its values is one of the field's.
    ///
    /// # Errors
    /// What is wrong, for whoever made it.
    pub fn check(&self) -> Result<(), String> {
        let query = LeadQuery {
            filters: vec![self.spec()],
            ..LeadQuery::default()
        };
        if let Err(problems) = query.check() {
            let said: Vec<String> = problems.into_iter().map(|problem| problem.msg).collect();
            return Err(said.join("; "));
        }
        let kind = kind(self.field, self.operator);
        let odd = self.values.iter().find(|text| match kind {
            FieldKind::Number => !value(kind, text).is_number(),
            FieldKind::Flag => !value(kind, text).is_boolean(),
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

/// A value as the field has it. What does not fit stays a text, for the server to refuse.
fn value(kind: FieldKind, text: &str) -> Value {
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
