//! The JSON Schema of filters: which operators and values go with which fields.

use serde_json::{Value, json};

use super::{FieldKind, FilterField, LeadField, Operand, Operator, filter};
use crate::custom;
use crate::limits::{SEARCH_CHARACTERS, VALUE_CHARACTERS, VALUES};
use crate::request::SPACES;
use crate::wire::Wire;

/// Fields that take the same values. Each has a schema with a name, so that generated clients have a type for it.
#[derive(Clone, Copy, PartialEq)]
enum Group {
    Text,
    Choice,
    Number,
    Flag,
    Date,
    Size,
    /// Custom fields, whose values may be of any kind.
    Custom,
}

impl Group {
    const ALL: [Self; 7] = [
        Self::Text,
        Self::Choice,
        Self::Number,
        Self::Flag,
        Self::Date,
        Self::Size,
        Self::Custom,
    ];

    fn of<F: FilterField>(field: F) -> Self {
        match field.kind() {
            _ if field.is_size() => Self::Size,
            FieldKind::Text => Self::Text,
            FieldKind::Token => Self::Choice,
            FieldKind::Number => Self::Number,
            FieldKind::Flag => Self::Flag,
            FieldKind::Time => Self::Date,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "Text",
            Self::Choice => "Choice",
            Self::Number => "Number",
            Self::Flag => "Flag",
            Self::Date => "Date",
            Self::Size => "Size",
            Self::Custom => "Custom",
        }
    }

    /// Returns the schema of a value to compare with. A company size is a text, but is ordered by its number of heads.
    fn scalar(self, operand: Operand) -> Value {
        let text = json!({"type": "string", "maxLength": VALUE_CHARACTERS});
        match self {
            Self::Size if operand.is_ordered() => {
                json!({"type": "string", "maxLength": VALUE_CHARACTERS, "pattern": size()})
            }
            Self::Text | Self::Choice | Self::Size => text,
            Self::Number => json!({"type": "number"}),
            Self::Flag => json!({"type": "boolean"}),
            Self::Custom => {
                json!({"anyOf": [text, {"type": "number"}, {"type": "boolean"}]})
            }
            Self::Date => {
                let format = |name: &str| json!({"type": "string", "format": name});
                json!({"anyOf": [format("date"), format("date-time")]})
            }
        }
    }

    fn value(self, operand: Operand) -> Value {
        let scalar = self.scalar(operand);
        match operand {
            Operand::One | Operand::Bound => scalar,
            Operand::Several => json!({"type": "array", "items": scalar, "maxItems": VALUES}),
            Operand::Bounds => {
                json!({"type": "array", "items": scalar, "minItems": 2, "maxItems": 2})
            }
            // Every field has a text to look inside, and may be set or not.
            Operand::Part => json!({"type": "string", "maxLength": SEARCH_CHARACTERS}),
            Operand::Nothing => json!({"type": "null"}),
        }
    }
}

/// Returns the pattern of a company size: a number of heads, or the words for a company of one.
fn size() -> String {
    format!("[0-9]|^[{SPACES}]*([Mm][Yy])?[Ss][Ee][Ll][Ff]")
}

/// Returns the schema of the filters of a query on these fields.
pub(crate) fn filters<F: FilterField>() -> Value {
    let groups = Group::ALL.into_iter();
    let groups = groups.filter(|group| *group != Group::Custom || F::HAS_CUSTOM);
    let groups: Vec<Value> = groups.map(group::<F>).collect();
    // Both leads and accounts have a tier.
    let example = filter("icp_tier").is_in(["A", "B"]);
    json!({
        "type": "array",
        "items": {"title": F::FILTER, "anyOf": groups},
        "examples": [[example]],
    })
}

/// Returns the schema of the name of a facet.
pub(crate) fn facet_name() -> Value {
    let facets = LeadField::ALL.iter().filter(|field| field.has_facet());
    let names: Vec<_> = facets.map(|field| field.as_str()).collect();
    let known = json!({"type": "string", "title": "LeadFacetField", "enum": names});
    json!({"anyOf": [known, custom::name_schema()]})
}

/// Returns the schema of the filters on a group of fields. `properties` has what generated clients need: the types.
/// `allOf` says which value goes with which operator.
fn group<F: FilterField>(group: Group) -> Value {
    let fields = F::ALL.iter().filter(|field| Group::of(**field) == group);
    let fields: Vec<_> = fields.map(|field| field.as_str()).collect();
    let field = match group {
        Group::Custom => custom::name_schema(),
        _ => json!({"type": "string", "enum": fields}),
    };
    let mut values = Vec::new();
    let mut shapes = Vec::new();
    for &operand in Operand::ALL {
        let operators = Operator::ALL.iter().filter(|one| one.operand() == operand);
        let operators: Vec<_> = operators.map(|operator| operator.as_str()).collect();
        let value = group.value(operand);
        let mut shape = json!({"properties": {"operator": {"enum": operators}, "value": value}});
        if operand != Operand::Nothing {
            shape["required"] = json!(["value"]);
        }
        shapes.push(shape);
        if !values.contains(&value) {
            values.push(value);
        }
    }
    json!({
        "type": "object",
        "title": F::FILTER.replace("Filter", &format!("{}Filter", group.name())),
        "required": ["field", "operator"],
        "properties": {
            "field": field,
            "operator": Operator::schema(),
            "value": {"anyOf": values},
        },
        "allOf": [{"anyOf": shapes}],
    })
}
