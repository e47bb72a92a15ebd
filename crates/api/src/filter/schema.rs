//! The JSON Schema of filters: which operators and values go with which field.

use serde_json::{Value, json};

use super::{FieldKind, FilterField, LeadField, Operand, Operator};
use crate::limits::{SEARCH_CHARACTERS, VALUE_CHARACTERS, VALUES};
use crate::request::SPACES;

/// What a field compares with. A company size is a text, but is ordered by its number of heads.
#[derive(Clone, Copy, PartialEq)]
enum Scalar {
    Text,
    Number,
    Flag,
    Time,
    Size,
}

impl Scalar {
    const ALL: [Self; 5] = [Self::Text, Self::Number, Self::Flag, Self::Time, Self::Size];

    fn of<F: FilterField>(field: F, operand: Operand) -> Self {
        match field.kind() {
            _ if field.is_size() && operand.is_ordered() => Self::Size,
            FieldKind::Text | FieldKind::Token => Self::Text,
            FieldKind::Number => Self::Number,
            FieldKind::Flag => Self::Flag,
            FieldKind::Time => Self::Time,
        }
    }

    fn schema(self) -> Value {
        let text = |pattern: &str| json!({"type": "string", "maxLength": VALUE_CHARACTERS, "pattern": pattern});
        match self {
            Self::Text => json!({"type": "string", "maxLength": VALUE_CHARACTERS}),
            Self::Number => json!({"type": "number"}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Time => {
                json!({"type": "string", "anyOf": [{"format": "date"}, {"format": "date-time"}]})
            }
            Self::Size => text(&size()),
        }
    }
}

/// Returns the pattern of a company size: a number of heads, or the words for a company of one.
fn size() -> String {
    format!("[0-9]|^[{SPACES}]*([Mm][Yy])?[Ss][Ee][Ll][Ff]")
}

/// Returns the schema of the filters of a query on these fields.
pub(crate) fn filters<F: FilterField>() -> Value {
    json!({"type": "array", "items": {
        "type": "object",
        "title": F::FILTER,
        "required": ["field", "operator"],
        "anyOf": shapes::<F>(),
    }})
}

/// Returns the schema of the name of a facet.
pub(crate) fn facet_name() -> Value {
    let facets = LeadField::ALL.iter().filter(|field| field.has_facet());
    let names: Vec<_> = facets.map(|field| field.as_str()).collect();
    json!({"type": "string", "enum": names})
}

/// Returns a shape for each group of fields and operators that take the same value.
fn shapes<F: FilterField>() -> Vec<Value> {
    let mut shapes = Vec::new();
    for &operand in Operand::ALL {
        for scalar in Scalar::ALL {
            let fields = F::ALL.iter().copied();
            let of_scalar = |field: &F| Scalar::of(*field, operand) == scalar;
            let fields: Vec<_> = match operand {
                // Every field has a text to look inside, and may be set or not.
                Operand::Part | Operand::Nothing if scalar == Scalar::Text => fields.collect(),
                Operand::Part | Operand::Nothing => Vec::new(),
                _ => fields.filter(of_scalar).collect(),
            };
            if !fields.is_empty() {
                shapes.push(shape(&fields, operand, &scalar.schema()));
            }
        }
    }
    shapes
}

fn shape<F: FilterField>(fields: &[F], operand: Operand, scalar: &Value) -> Value {
    let fields: Vec<_> = fields.iter().map(|field| field.as_str()).collect();
    let operators = Operator::ALL.iter().filter(|one| one.operand() == operand);
    let operators: Vec<_> = operators.map(|operator| operator.as_str()).collect();
    let value = match operand {
        Operand::One | Operand::Bound => scalar.clone(),
        Operand::Several => json!({"type": "array", "items": scalar, "maxItems": VALUES}),
        Operand::Bounds => json!({"type": "array", "items": scalar, "minItems": 2, "maxItems": 2}),
        Operand::Part => json!({"type": "string", "maxLength": SEARCH_CHARACTERS}),
        Operand::Nothing => json!({"type": "null"}),
    };
    let mut shape = json!({
        "type": "object",
        "properties": {"field": {"enum": fields}, "operator": {"enum": operators}, "value": value},
    });
    shape["required"] = match operand {
        Operand::Nothing => json!(["field", "operator"]),
        _ => json!(["field", "operator", "value"]),
    };
    shape
}
