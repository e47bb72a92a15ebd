//! Filters as SQL conditions. [`lead_workspace_logic::filter`] says how a filter is interpreted.

mod account_fields;
mod lead_fields;

use lead_workspace_api::{AccountField, ErrorEntry, FieldKind, FilterSpec, LeadField};
use lead_workspace_logic::filter::{self, FilterField, Interval, Predicate, Value};
use rusqlite::types::Value as Sql;

use super::columns::ColumnId;
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

    /// Returns whether a filter restricts the column to a single value.
    pub(super) fn pins(&self, column: &str) -> bool {
        self.0.iter().any(|filter| {
            let single = matches!(&filter.predicate, Predicate::Is(values) if values.len() == 1);
            filter.storage.column == column && single && !filter.negated
        })
    }

    /// Returns the filters with those on this column first.
    pub(super) fn first_on(&self, column: &str) -> Self {
        let mut filters = self.clone();
        filters
            .0
            .sort_by_key(|filter| filter.storage.column != column);
        filters
    }

    /// Returns only the filters on this column.
    pub(super) fn on(&self, column: &str) -> Self {
        let mut filters = self.clone();
        filters.0.retain(|filter| filter.storage.column == column);
        filters
    }

    pub(super) fn add_to(&self, conditions: &mut Conditions) {
        let mut has_driver = false;
        for filter in &self.0 {
            let condition = filter.sql(conditions);
            let of_lead = filter.storage.column.starts_with("l.");
            if of_lead && has_driver {
                // The first filter scans the index of its column. The others get row numbers from
                // their own indexes, so that no table row is read. The plus keeps SQLite from using
                // these numbers as the outer loop.
                let index = filter.index();
                let numbers = format!(
                    "+l.id IN (SELECT l.id FROM leads l INDEXED BY {index}
                       WHERE l.tenant = ?1 AND {condition})"
                );
                conditions.and_either(&condition, &numbers);
            } else {
                conditions.and(&condition);
            }
            has_driver |= of_lead;
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

pub(super) fn json_of(value: &Sql) -> serde_json::Value {
    match value {
        Sql::Integer(number) => (*number).into(),
        Sql::Real(number) => (*number).into(),
        Sql::Text(text) => text.as_str().into(),
        Sql::Null | Sql::Blob(_) => serde_json::Value::Null,
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

    /// Returns the index of the filter's lead column: every such column has one, named after it.
    fn index(&self) -> String {
        let column = match self.predicate {
            Predicate::Within(_) => self.storage.rank.unwrap_or(self.storage.column),
            _ => self.storage.column,
        };
        let name = column.trim_start_matches("l.").trim_end_matches("_key");
        format!("leads_by_{name}")
    }

    /// Builds a range on a folded column, so that an index can be used: U+10FFFF sorts after all
    /// other characters.
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
            TextForm::Number => format!("CAST({column} AS TEXT)"),
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
        [] => "0".into(),
        [one] => format!("{column} = {}", conditions.value(sql(one))),
        few if few.len() <= FEW => {
            let marks: Vec<String> = few.iter().map(|one| conditions.value(sql(one))).collect();
            format!("{column} IN ({})", marks.join(", "))
        }
        many => {
            let many: serde_json::Value = many.iter().map(|one| json_of(&sql(one))).collect();
            let mark = conditions.value(many.to_string());
            format!("{column} IN (SELECT value FROM json_each({mark}))")
        }
    }
}

fn within(column: &str, intervals: &[Interval], conditions: &mut Conditions) -> String {
    match intervals {
        [] => "0".into(),
        [one] => interval_sql(one, column, conditions),
        few if few.len() <= FEW => {
            let each = few.iter().map(|one| interval_sql(one, column, conditions));
            format!("({})", each.collect::<Vec<_>>().join(" OR "))
        }
        many => {
            // The intervals are the outer loop: each one looks up its rows in the index of the
            // column.
            let (alias, name) = column.split_once('.').unwrap_or(("l", column));
            let table = if alias == "a" { "accounts" } else { "leads" };
            let many: serde_json::Value = many.iter().map(interval_json).collect();
            let mark = conditions.value(many.to_string());
            format!(
                "{alias}.id IN (SELECT w.id FROM json_each({mark}) one CROSS JOIN {table} w
                   WHERE w.tenant = ?1
                   AND w.{name} >= one.value ->> 0 AND w.{name} <= one.value ->> 1
                   AND (w.{name} > one.value ->> 0 OR NOT one.value ->> 2)
                   AND (w.{name} < one.value ->> 1 OR NOT one.value ->> 3))"
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

/// Serializes both ends and whether each is excluded.
///
/// Only used for one of many intervals: a day or an instant, which has both ends.
fn interval_json(interval: &Interval) -> serde_json::Value {
    let end = |end: &Option<Value>| end.as_ref().map(|end| json_of(&sql(end)));
    serde_json::json!([
        end(&interval.from),
        end(&interval.to),
        interval.after,
        interval.before
    ])
}

#[cfg(test)]
mod tests {
    use lead_workspace_api::{LeadField, filter};
    use rusqlite::{Connection, params_from_iter};

    use super::{Conditions, Filters};
    use crate::store::{Tenant, functions, schema};

    #[test]
    fn counting_two_filters_reads_no_rows() {
        let mut connection = Connection::open_in_memory().unwrap();
        functions::add(&connection).unwrap();
        schema::migrate(&mut connection, "memory".as_ref()).unwrap();
        let status = filter(LeadField::ApprovalStatus).eq("approved");
        for &field in LeadField::ALL {
            let specs = [status.clone(), filter(field).is_set()];
            let mut conditions = Conditions::of(Tenant(1), "l");
            Filters::of_leads(&specs).unwrap().add_to(&mut conditions);
            let sql = format!(
                "EXPLAIN QUERY PLAN SELECT count(*) FROM leads l WHERE {}",
                conditions.covered()
            );
            let mut statement = connection.prepare(&sql).unwrap();
            let values = params_from_iter(conditions.values());
            let plan = statement.query_map(values, |row| row.get::<_, String>("detail"));
            for step in plan.unwrap().map(Result::unwrap) {
                let of_leads = step.contains(" l USING") && field != LeadField::AccountId;
                assert!(!of_leads || step.contains("COVERING"), "{field}: {step}");
            }
        }
    }
}
