//! Filter values: validated against the field and converted to the stored form.

use lead_workspace_api::request::Reading;
use lead_workspace_api::{
    self as api, ErrorEntry, FieldKind, FilterSpec, Operator, custom_field_key,
};
use serde_json::{Value as Json, json};

use super::custom_operands::{Bounded, Custom};
use super::operands::Operands;
use super::{Field, Filter, FilterField, Interval, Predicate, Value};
use crate::fold::fold;
use crate::size::size_rank;
use crate::time;
use crate::value::Bounds;

/// What else a field of leads can be.
pub(crate) const OR_CUSTOM_FIELD: &str = ", or custom_data. with the key of a custom field";

/// Validates the filters of a query.
///
/// # Errors
/// Every unknown field and every value that does not fit its field, with its location.
pub fn read<F: FilterField>(specs: &[FilterSpec]) -> Result<Vec<Filter<F>>, Vec<ErrorEntry>> {
    let mut problems = Vec::new();
    let mut reading = Reading::new("body", &mut problems);
    let filters = reading.within("filters", |reading| {
        let read = specs.iter().enumerate().filter_map(|(index, spec)| {
            reading.within(index, |reading| one::<F>(index, spec, reading))
        });
        read.collect()
    });
    if problems.is_empty() {
        Ok(filters)
    } else {
        Err(problems)
    }
}

fn one<F: FilterField>(
    index: usize,
    spec: &FilterSpec,
    reading: &mut Reading<'_>,
) -> Option<Filter<F>> {
    let filter = match spec {
        FilterSpec::Typed(filter) => filter,
        FilterSpec::Raw(raw) => {
            let msg = "a filter must be an object {field, operator, value}";
            reading.problem("model_attributes_type", msg, raw, Json::Null);
            return None;
        }
    };
    if let (true, Some(key)) = (F::HAS_CUSTOM, custom_field_key(&filter.field)) {
        let (predicate, negated) =
            reading.within("value", |reading| predicate(&Custom, filter, reading))?;
        let loc = ["body", "filters", &index.to_string(), "value"].map(str::to_owned);
        let is_bounded = filter.operator.is_ordered();
        return Some(Filter {
            field: Field::Custom(key.to_owned()),
            predicate,
            negated,
            bounded: is_bounded.then(|| Bounded::new(key, &filter.value, loc.into())),
        });
    }
    let Ok(field) = filter.field.parse::<F>() else {
        let expected = F::TEXTS.join(", ");
        let more = if F::HAS_CUSTOM { OR_CUSTOM_FIELD } else { "" };
        let msg = format!("the field must be one of {expected}{more}");
        let input = json!(filter.field);
        reading.within("field", |reading| {
            reading.problem("enum", &msg, &input, json!({"expected": expected}));
        });
        return None;
    };
    let (predicate, negated) =
        reading.within("value", |reading| predicate(&Known(field), filter, reading))?;
    Some(Filter {
        field: Field::Known(field),
        predicate,
        negated,
        bounded: None,
    })
}

/// The operands of a field of the contract.
struct Known<F>(F);

impl<F: FilterField> Operands for Known<F> {
    fn are_intervals(&self) -> bool {
        self.0.kind() == FieldKind::Time
    }

    fn equal(&self, operand: &Json, reading: &mut Reading<'_>) -> Option<Bounds> {
        stored(self.0.kind(), operand, reading)
    }

    fn bound(&self, operand: &Json, reading: &mut Reading<'_>) -> Option<Bounds> {
        order(self.0, operand, reading)
    }
}

fn predicate(
    of: &impl Operands,
    filter: &api::Filter,
    reading: &mut Reading<'_>,
) -> Option<(Predicate, bool)> {
    let operand = &filter.value;
    let text = || fold(operand.as_str().unwrap_or_default());
    let bounds = |reading: &mut Reading<'_>, value| of.bound(value, reading);
    let interval = |interval| Some((Predicate::Within(vec![interval]), false));
    match filter.operator {
        Operator::Eq => Some((equal(of, &[operand], reading)?, false)),
        Operator::Neq => Some((equal(of, &[operand], reading)?, true)),
        Operator::In => Some((members(of, operand, reading)?, false)),
        Operator::NotIn => Some((members(of, operand, reading)?, true)),
        Operator::Gt => {
            let bounds = bounds(reading, operand)?;
            // After a day means from the next midnight on, and that end is already outside the day.
            interval(Interval {
                after: !bounds.open,
                from: Some(bounds.to),
                ..Interval::default()
            })
        }
        Operator::Gte => interval(Interval {
            from: Some(bounds(reading, operand)?.from),
            ..Interval::default()
        }),
        Operator::Lt => interval(Interval {
            to: Some(bounds(reading, operand)?.from),
            before: true,
            ..Interval::default()
        }),
        Operator::Lte => {
            let bounds = bounds(reading, operand)?;
            interval(Interval {
                before: bounds.open,
                to: Some(bounds.to),
                ..Interval::default()
            })
        }
        Operator::Between => {
            let low = reading.within(0, |reading| bounds(reading, &operand[0]));
            let high = reading.within(1, |reading| bounds(reading, &operand[1]));
            let (low, high) = (low?, high?);
            interval(Interval {
                from: Some(low.from),
                after: false,
                to: Some(high.to),
                before: high.open,
            })
        }
        Operator::Contains => Some((Predicate::Contains(text()), false)),
        Operator::NotContains => Some((Predicate::Contains(text()), true)),
        Operator::StartsWith => Some((Predicate::StartsWith(text()), false)),
        Operator::IsSet => Some((Predicate::Set, false)),
        Operator::IsNotSet => Some((Predicate::Set, true)),
    }
}

fn members(of: &impl Operands, operand: &Json, reading: &mut Reading<'_>) -> Option<Predicate> {
    let items = operand.as_array()?;
    let mut valid = true;
    for (index, item) in items.iter().enumerate() {
        valid &= reading
            .within(index, |reading| of.equal(item, reading))
            .is_some();
    }
    let items: Vec<&Json> = items.iter().collect();
    valid.then(|| equal(of, &items, reading)).flatten()
}

fn equal(of: &impl Operands, operands: &[&Json], reading: &mut Reading<'_>) -> Option<Predicate> {
    let bounds = operands.iter().map(|operand| of.equal(operand, reading));
    let bounds: Vec<Bounds> = bounds.collect::<Option<_>>()?;
    Some(if of.are_intervals() {
        let intervals = bounds.into_iter().map(|bounds| Interval {
            from: Some(bounds.from),
            after: false,
            before: bounds.open,
            to: Some(bounds.to),
        });
        Predicate::Within(intervals.collect())
    } else {
        Predicate::Is(bounds.into_iter().map(|bounds| bounds.from).collect())
    })
}

/// Converts the value to the form of the column.
fn stored(kind: FieldKind, operand: &Json, reading: &mut Reading<'_>) -> Option<Bounds> {
    let (found, problem, msg) = match kind {
        FieldKind::Text => {
            let found = operand.as_str().map(|text| Value::Text(fold(text)).into());
            (found, "string_type", "this field compares with a string")
        }
        FieldKind::Token => {
            let found = operand
                .as_str()
                .map(|text| Value::Text(text.to_owned()).into());
            (found, "string_type", "this field compares with a string")
        }
        FieldKind::Number => {
            let found = match operand.as_i64() {
                Some(number) => Some(Value::Integer(number).into()),
                None => operand.as_f64().map(|number| Value::Real(number).into()),
            };
            (found, "float_type", "this field compares with a number")
        }
        FieldKind::Flag => {
            let found = operand
                .as_bool()
                .map(|flag| Value::Integer(flag.into()).into());
            (found, "bool_type", "this field compares with true or false")
        }
        FieldKind::Time => {
            let found = operand.as_str().and_then(time::bounds);
            (
                found,
                "datetime_parsing",
                "this field compares with an ISO 8601 date or date-time",
            )
        }
    };
    if found.is_none() {
        reading.problem(problem, msg, operand, Json::Null);
    }
    found
}

/// Converts the value to the form of the column that the field is ordered by.
fn order<F: FilterField>(field: F, operand: &Json, reading: &mut Reading<'_>) -> Option<Bounds> {
    let bounds = stored(field.kind(), operand, reading)?;
    if !field.is_size() {
        return Some(bounds);
    }
    let rank = operand.as_str().and_then(size_rank);
    if rank.is_none() {
        let msg = "a size is ordered by its number of heads, e.g. 51-200";
        reading.problem("size_parsing", msg, operand, Json::Null);
    }
    rank.map(|rank| Value::Integer(rank).into())
}
