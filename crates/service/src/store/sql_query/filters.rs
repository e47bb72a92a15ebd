//! Filters as SQL conditions. [`lead_workspace_logic::filter`] says what they match.

use lead_workspace_api::{FieldKind, LeadField};
use lead_workspace_index::{ColumnId, Filter, Filters};
use lead_workspace_logic::filter::{Interval, Predicate, Value};

use super::alias;
use crate::store::columns::Source;
use crate::store::db::{List, Value as Sql};
use crate::store::sql::Conditions;

/// Adds the filters to the conditions of a statement.
pub(super) fn add(filters: &Filters, conditions: &mut Conditions) {
    for filter in filters.iter() {
        let condition = of_filter(filter, conditions);
        conditions.and(&condition);
    }
}

/// Where the values of a field are stored.
#[derive(Debug)]
struct FieldStorage {
    /// The column, e.g. `l.name_key`.
    column: String,
    /// The column to order by, if it is a different one.
    rank: Option<&'static str>,
    /// How `contains` gets the text of the column; folded, like its operand.
    text: TextForm,
    /// The subquery around a condition on a column of another table, without its closing
    /// parenthesis.
    through: Option<String>,
}

#[derive(Clone, Copy, Debug)]
enum TextForm {
    Folded,
    Fold,
    Number,
    Flag,
    Time,
}

impl TextForm {
    const fn of(kind: FieldKind) -> Self {
        match kind {
            FieldKind::Text => Self::Folded,
            FieldKind::Token => Self::Fold,
            FieldKind::Number => Self::Number,
            FieldKind::Flag => Self::Flag,
            FieldKind::Time => Self::Time,
        }
    }
}

impl FieldStorage {
    fn of(filter: &Filter) -> Self {
        let id = filter.column;
        let source = Source::of(id);
        let (column, through) = match id {
            ColumnId::Lead(LeadField::AccountId) => (
                "account_id".to_owned(),
                Some("l.account IN (SELECT id FROM accounts WHERE tenant = ?1".to_owned()),
            ),
            _ if id.has_many() => {
                let alias = alias(id.table());
                let Source { table, key, column } = source;
                let through = format!("{alias}.id IN (SELECT {key} FROM {table} WHERE tenant = ?1");
                (column.to_owned(), Some(through))
            }
            _ => (format!("{}.{}", alias(id.table()), source.column), None),
        };
        let rank = match id {
            ColumnId::Lead(LeadField::CompanySize) => Some("l.company_size_rank"),
            ColumnId::Account(_) if filter.is_size => Some("a.staff_rank"),
            _ => None,
        };
        Self {
            column,
            rank,
            through,
            text: TextForm::of(filter.kind),
        }
    }
}

fn sql(value: &Value) -> Sql {
    match value {
        Value::Integer(number) => Sql::Integer(*number),
        Value::Real(number) => Sql::Real(*number),
        Value::Text(text) => Sql::Text(text.clone()),
    }
}

fn of_filter(filter: &Filter, conditions: &mut Conditions) -> String {
    let storage = FieldStorage::of(filter);
    let condition = match &filter.predicate {
        Predicate::Is(values) => is(&storage.column, values, conditions),
        Predicate::Within(intervals) => {
            let column = storage.rank.unwrap_or(&storage.column);
            within(column, intervals, conditions)
        }
        Predicate::Contains(text) => {
            let value = conditions.value(text.clone());
            format!("instr({}, {value}) > 0", storage.text())
        }
        Predicate::StartsWith(text) => storage.starts_with(text, conditions),
        Predicate::Set => format!("{} IS NOT NULL", storage.column),
    };
    let condition = match storage.through {
        Some(through) => format!("{through} AND {condition})"),
        None => condition,
    };
    if filter.negated {
        // Unlike NOT, this is also true for NULL.
        format!("({condition}) IS NOT TRUE")
    } else {
        condition
    }
}

impl FieldStorage {
    /// Builds a range on a folded column, which takes less time than to cut each text: U+10FFFF sorts
    /// after all other characters.
    fn starts_with(&self, text: &str, conditions: &mut Conditions) -> String {
        let column = self.text();
        if matches!(self.text, TextForm::Folded) {
            let from = conditions.value(text.to_owned());
            let to = conditions.value(format!("{text}\u{10FFFF}"));
            format!("({column} >= {from} AND {column} < {to})")
        } else {
            let value = conditions.value(text.to_owned());
            format!("substr({column}, 1, length({value})) = {value}")
        }
    }

    fn text(&self) -> String {
        let column = &self.column;
        match self.text {
            TextForm::Folded => column.clone(),
            TextForm::Fold => format!("fold({column})"),
            TextForm::Number => {
                format!("CAST({column} AS TEXT)/*postgres  || decimal_of({column})*/")
            }
            TextForm::Flag => format!("CASE {column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"),
            TextForm::Time => format!("lower({column})"),
        }
    }
}

/// Larger value lists become one JSON array: SQLite limits the number of placeholders and the depth
/// of OR chains.
const FEW: usize = 50;

fn is(column: &str, values: &[Value], conditions: &mut Conditions) -> String {
    match values {
        [] => "FALSE".into(),
        [one] => format!("{column} = {}", conditions.value(sql(one))),
        few if few.len() <= FEW => {
            let marks: Vec<String> = few.iter().map(|one| conditions.value(sql(one))).collect();
            format!("{column} IN ({})", marks.join(", "))
        }
        many => {
            let mark = conditions.value(list(many));
            format!("{column} IN (SELECT value FROM json_each({mark}))")
        }
    }
}

/// The operands of a field, which are all texts or all numbers.
fn list(values: &[Value]) -> List {
    let integers = values.iter().map(|value| match value {
        Value::Integer(number) => Some(*number),
        _ => None,
    });
    if let Some(integers) = integers.collect::<Option<Vec<_>>>() {
        return List::integers(integers);
    }
    let texts = values.iter().map(|value| match value {
        Value::Text(text) => Some(text.clone()),
        _ => None,
    });
    if let Some(texts) = texts.collect::<Option<Vec<_>>>() {
        return List::texts(texts);
    }
    List::reals(values.iter().filter_map(|value| match value {
        Value::Integer(number) => Some(*number as f64),
        Value::Real(number) => Some(*number),
        Value::Text(_) => None,
    }))
}

/// Characters of a day in a time.
const DAY: usize = 10;

/// Many intervals are days, without their end, or moments: only times have a list of intervals.
fn within(column: &str, intervals: &[Interval], conditions: &mut Conditions) -> String {
    match intervals {
        [] => "FALSE".into(),
        [one] => interval_sql(one, column, conditions),
        few if few.len() <= FEW => {
            let each = few.iter().map(|one| interval_sql(one, column, conditions));
            format!("({})", each.collect::<Vec<_>>().join(" OR "))
        }
        many => {
            let (days, moments): (Vec<_>, Vec<_>) = many.iter().partition(|one| one.before);
            let texts = |all: Vec<&Interval>, length: usize| -> List {
                let from = all.into_iter().filter_map(|one| one.from.as_ref());
                let texts = from.filter_map(|from| match from {
                    Value::Text(text) => text.get(..length.min(text.len())).map(str::to_owned),
                    _ => None,
                });
                List::texts(texts)
            };
            let days = conditions.value(texts(days, DAY));
            let moments = conditions.value(texts(moments, usize::MAX));
            format!(
                "({column} IN (SELECT value FROM json_each({moments}))
                  OR substr({column}, 1, {DAY}) IN (SELECT value FROM json_each({days})))"
            )
        }
    }
}

fn interval_sql(interval: &Interval, column: &str, conditions: &mut Conditions) -> String {
    let mut parts = Vec::new();
    if let Some(from) = &interval.from {
        let sign = if interval.after { ">" } else { ">=" };
        parts.push(format!("{column} {sign} {}", conditions.value(sql(from))));
    }
    if let Some(to) = &interval.to {
        let sign = if interval.before { "<" } else { "<=" };
        parts.push(format!("{column} {sign} {}", conditions.value(sql(to))));
    }
    format!("({})", parts.join(" AND "))
}
