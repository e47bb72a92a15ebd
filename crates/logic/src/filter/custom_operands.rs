//! What filters compare custom fields with.

use lead_workspace_api::request::Reading;
use lead_workspace_api::{CustomKind, ErrorEntry, Quoted};
use serde_json::{Map, Value as Json, json};

use super::operands::Operands;
use crate::custom::{CustomValue, Member, kind_of, text_of, time};
use crate::value::{Bounds, Value};

/// Characters of an example that a message shows.
const SHOWN: usize = 60;

/// The operands of a custom field.
pub(super) struct Custom;

impl Operands for Custom {
    fn are_intervals(&self) -> bool {
        true
    }

    fn equal(&self, operand: &Json, _: &mut Reading<'_>) -> Option<Bounds> {
        Some(bounds(operand))
    }

    fn bound(&self, operand: &Json, _: &mut Reading<'_>) -> Option<Bounds> {
        Some(bounds(operand))
    }
}

fn bounds(operand: &Json) -> Bounds {
    let value = value_of(operand);
    let day = match &value {
        CustomValue::Time(_) => operand.as_str().and_then(|text| time(text.trim())),
        _ => None,
    };
    let from = value.stored();
    match day {
        Some(Bounds {
            to: Value::Text(to),
            open,
            ..
        }) => Bounds {
            from,
            to: CustomValue::Time(to).stored(),
            open,
        },
        _ => from.into(),
    }
}

/// Reads what a field is compared with, by the same rule as its values. A text without letters is before all others.
fn value_of(operand: &Json) -> CustomValue {
    CustomValue::of(&Member::from(operand)).unwrap_or(CustomValue::Text(String::new()))
}

/// An operator of order on a custom field. Its bounds must be of the kind of the field, which is known when its values are.
#[derive(Clone, Debug)]
pub struct Bounded {
    key: String,
    kinds: Vec<CustomKind>,
    loc: Vec<String>,
    input: Json,
}

/// A value of a field, with its kind.
pub type Example = (CustomKind, Value);

impl Bounded {
    pub(super) fn new(key: &str, operand: &Json, loc: Vec<String>) -> Self {
        let bounds = operand
            .as_array()
            .map_or(std::slice::from_ref(operand), Vec::as_slice);
        Self {
            key: key.to_owned(),
            kinds: bounds.iter().map(|bound| value_of(bound).kind()).collect(),
            loc,
            input: operand.clone(),
        }
    }

    /// Returns the problem of a field with these values, one of each kind that it has: a bound is not of the kind of the
    /// field. The message names a value that cannot be compared with it.
    pub fn problem(&self, examples: &[Example]) -> Option<ErrorEntry> {
        let kind = kind_of(examples.iter().map(|(kind, _)| *kind))?;
        let wrong = self.kinds.iter().find(|bound| **bound != kind)?;
        let example = examples.iter().find(|(kind, _)| kind != wrong);
        let example = example
            .map(|(kind, value)| shown(*kind, value))
            .unwrap_or_default();
        let msg = format!(
            "{} has values that are not {}, such as {example}; compare it with {}",
            Quoted(&self.key),
            plural(*wrong),
            singular(kind),
        );
        Some(ErrorEntry {
            loc: self.loc.clone(),
            msg,
            kind: "custom_kind".into(),
            input: self.input.clone(),
            ctx: Map::from_iter([
                ("expected".into(), json!(kind)),
                ("example".into(), json!(example)),
            ]),
        })
    }
}

fn shown(kind: CustomKind, value: &Value) -> String {
    let text = text_of(value);
    match kind {
        CustomKind::Text if text.chars().nth(SHOWN).is_some() => {
            let start: String = text.chars().take(SHOWN).collect();
            Quoted(&format!("{start}…")).to_string()
        }
        CustomKind::Text => Quoted(&text).to_string(),
        CustomKind::Date => text.to_ascii_uppercase(),
        _ => text,
    }
}

fn plural(kind: CustomKind) -> &'static str {
    match kind {
        CustomKind::Number => "numbers",
        CustomKind::Date => "dates",
        CustomKind::Boolean => "true or false",
        CustomKind::Text | CustomKind::Other => "texts",
    }
}

fn singular(kind: CustomKind) -> &'static str {
    match kind {
        CustomKind::Number => "a number",
        CustomKind::Date => "an ISO 8601 date or date-time",
        CustomKind::Boolean => "true or false",
        CustomKind::Text | CustomKind::Other => "a text",
    }
}
