//! Filters as SQL conditions. [`lead_workspace_logic::filter`] says how a filter is interpreted.

mod account_fields;
mod lead_fields;

use lead_workspace_api::{AccountField, ErrorEntry, FieldKind, FilterSpec, LeadField};
use lead_workspace_logic::filter::{self, FilterField, Interval, Predicate, Value};

use super::columns::ColumnId;
use super::db::{List, Value as Sql};
use super::sql::Conditions;

/// The filters of a query, validated and ready to become SQL.
#[derive(Clone, Debug, Default)]
pub struct Filters(Vec<Filter>);

impl Filters {
    /// Validates the filters of a leads query.
    ///
    /// # Errors
    /// Every unknown field and every value that does not fit its field, with its location.
    pub fn of_leads(specs: &[FilterSpec]) -> Result<Self, Vec<ErrorEntry>> {
        read::<LeadField>(specs)
    }

    /// Validates the filters of an accounts query.
    ///
    /// # Errors
    /// Same as [`of_leads`](Self::of_leads).
    pub fn of_accounts(specs: &[FilterSpec]) -> Result<Self, Vec<ErrorEntry>> {
        read::<AccountField>(specs)
    }

    /// Returns the filters with more conditions, which the caller knows to be valid.
    pub(super) fn and(mut self, more: Self) -> Self {
        self.0.extend(more.0);
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Filter> {
        self.0.iter()
    }

    /// Returns whether no filter uses any other column.
    pub(super) fn only_on(&self, column: &str) -> bool {
        self.0.iter().all(|filter| filter.storage.column == column)
    }

    pub(super) fn add_to(&self, conditions: &mut Conditions) {
        for filter in &self.0 {
            let condition = filter.sql(conditions);
            conditions.and(&condition);
        }
    }
}

impl From<Filter> for Filters {
    fn from(filter: Filter) -> Self {
        Self(vec![filter])
    }
}

/// Where the values of a field are stored.
#[derive(Clone, Copy, Debug)]
struct FieldStorage {
    /// The column, e.g. `l.name_key`.
    column: &'static str,
    /// The column to order by, if it is a different one.
    rank: Option<&'static str>,
    /// How `contains` gets the text of the column; folded, like its operand.
    text: TextForm,
    /// The subquery around a condition on a column of another table, without its closing
    /// parenthesis.
    through: Option<&'static str>,
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

/// A field with a column.
trait StoredField: FilterField {
    fn storage(self) -> FieldStorage;
    /// The column in memory; `None` for a field that is only filtered in SQL.
    fn id(self) -> Option<ColumnId>;
}

fn read<F: StoredField>(specs: &[FilterSpec]) -> Result<Filters, Vec<ErrorEntry>> {
    let filters = filter::read::<F>(specs)?.into_iter().map(|filter| Filter {
        storage: filter.field.storage(),
        id: filter.field.id(),
        kind: filter.field.kind(),
        is_size: filter.field.is_size(),
        predicate: filter.predicate,
        negated: filter.negated,
    });
    Ok(Filters(filters.collect()))
}

fn sql(value: &Value) -> Sql {
    match value {
        Value::Integer(number) => Sql::Integer(*number),
        Value::Real(number) => Sql::Real(*number),
        Value::Text(text) => Sql::Text(text.clone()),
    }
}

#[derive(Clone, Debug)]
pub(super) struct Filter {
    storage: FieldStorage,
    pub(super) id: Option<ColumnId>,
    pub(super) kind: FieldKind,
    /// Whether the values are sizes, which are ordered by their lower bound.
    pub(super) is_size: bool,
    pub(super) predicate: Predicate,
    pub(super) negated: bool,
}

impl Filter {
    fn sql(&self, conditions: &mut Conditions) -> String {
        let condition = match &self.predicate {
            Predicate::Is(values) => is(self.storage.column, values, conditions),
            Predicate::Within(intervals) => {
                let column = self.storage.rank.unwrap_or(self.storage.column);
                within(column, intervals, conditions)
            }
            Predicate::Contains(text) => {
                let value = conditions.value(text.clone());
                format!("instr({}, {value}) > 0", self.storage.text())
            }
            Predicate::StartsWith(text) => self.starts_with(text, conditions),
            Predicate::Set => format!("{} IS NOT NULL", self.storage.column),
        };
        let condition = match self.storage.through {
            Some(through) => format!("{through} AND {condition})"),
            None => condition,
        };
        if self.negated {
            // Unlike NOT, this is also true for NULL.
            format!("({condition}) IS NOT TRUE")
        } else {
            condition
        }
    }

    /// Builds a range on a folded column, which takes less time than to cut each text: U+10FFFF sorts
    /// after all other characters.
    fn starts_with(&self, text: &str, conditions: &mut Conditions) -> String {
        let column = self.storage.text();
        if matches!(self.storage.text, TextForm::Folded) {
            let from = conditions.value(text.to_owned());
            let to = conditions.value(format!("{text}\u{10FFFF}"));
            format!("({column} >= {from} AND {column} < {to})")
        } else {
            let value = conditions.value(text.to_owned());
            format!("substr({column}, 1, length({value})) = {value}")
        }
    }
}

impl FieldStorage {
    fn text(&self) -> String {
        let column = self.column;
        match self.text {
            TextForm::Folded => column.into(),
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
