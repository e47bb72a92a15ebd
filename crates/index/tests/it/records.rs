//! Generated leads and accounts, and changes of them.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

use lead_workspace_api::{AccountField, FieldKind, FilterField, LeadField};
use lead_workspace_index::{Column, ColumnBuilder, ColumnId, Columns, CustomKeys, Table};
use lead_workspace_logic::custom::{CustomValue, Member};
use lead_workspace_logic::filter::Value;
use lead_workspace_logic::{fold, size_rank};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::subsequence;
use serde_json::{Value as Json, json};

/// The generated values of a lead or an account.
pub type Row = HashMap<ColumnId, Vec<Value>>;

/// Leads or accounts by their number.
pub type Rows = BTreeMap<u32, Row>;

#[derive(Clone, Debug, Default)]
pub struct Records {
    pub leads: Rows,
    pub accounts: Rows,
}

/// New rows by their number; `None` is a deleted one.
#[derive(Clone, Debug)]
pub struct Change {
    leads: BTreeMap<u32, Option<Row>>,
    accounts: BTreeMap<u32, Option<Row>>,
    /// Whether the changed columns are saved and read again.
    saved: bool,
}

/// The custom fields: numbers, dates, true and false, texts, and values of several kinds.
pub const CUSTOM: [&str; 5] = ["Deal size", "Since", "Hot", "Segment", "Note"];

pub fn keys() -> CustomKeys {
    let numbered = CUSTOM.iter().zip(1..);
    numbered
        .map(|(key, number)| ((*key).to_owned(), number))
        .collect()
}

/// Returns the column of a key.
pub fn column(key: &str) -> ColumnId {
    keys().column(key, &[]).unwrap()
}

/// Returns every column of these records.
pub fn all_columns() -> impl Iterator<Item = ColumnId> {
    let custom = (1..).take(CUSTOM.len()).map(ColumnId::Custom);
    ColumnId::ALL.into_iter().chain(custom)
}

/// Returns values of custom fields, as they are in `custom_data`.
pub fn custom_values(id: ColumnId) -> Vec<Json> {
    let ColumnId::Custom(number) = id else {
        return Vec::new();
    };
    let all = match number {
        1 => json!([-3, "0", 7.5, "70"]),
        2 => json!([
            "2026-01-31",
            "2026-01-31T12:30:00Z",
            "2026-02-01",
            "2026-02-02T08:00:00+01:00"
        ]),
        3 => json!([true, "FALSE"]),
        4 => json!(["Ana Díaz", "ana", "Zoe A_B", "小龍"]),
        _ => json!([7, "ana", "n/a", "true", "2026-01-31", "007"]),
    };
    all.as_array().cloned().unwrap_or_default()
}

/// Returns a value of a custom field as the index has it.
pub fn stored(value: &Json) -> Value {
    CustomValue::of(&Member::from(value)).unwrap().stored()
}

impl Records {
    pub fn rows(&self, table: Table) -> &Rows {
        match table {
            Table::Leads => &self.leads,
            Table::Accounts => &self.accounts,
        }
    }

    /// Returns the values of a row in a column.
    pub fn values(&self, id: ColumnId, number: u32) -> Vec<Value> {
        let row = &self.rows(id.table())[&number];
        let ranks = |sizes: &[Value]| {
            let ranks = sizes.iter().filter_map(|size| match size {
                Value::Text(size) => size_rank(size).map(Value::Integer),
                _ => None,
            });
            ranks.collect()
        };
        match id {
            ColumnId::CompanySizeRank => ranks(&row[&ColumnId::Lead(LeadField::CompanySize)]),
            ColumnId::StaffRank => ranks(&row[&ColumnId::Account(AccountField::StaffCountRange)]),
            ColumnId::AccountId => vec![account_id(number).into()],
            id => row[&id].clone(),
        }
    }

    /// Returns columns that were built before the changes, and then changed.
    pub fn changed_columns(&mut self, changes: Vec<Change>) -> Columns {
        let mut columns: Vec<(ColumnId, Column)> = Vec::new();
        for id in all_columns() {
            let mut builder = ColumnBuilder::new(id.has_many());
            // In any order.
            for number in self.rows(id.table()).keys().rev() {
                for value in self.values(id, *number) {
                    builder.push(*number, (&value).into());
                }
            }
            columns.push((id, builder.build()));
        }
        for change in changes {
            let changed = |rows: &BTreeMap<u32, Option<Row>>| rows.keys().copied().collect();
            let changed: [HashSet<u32>; 2] = [changed(&change.leads), changed(&change.accounts)];
            replace(&mut self.leads, change.leads);
            replace(&mut self.accounts, change.accounts);
            for (id, column) in &mut columns {
                let changed = &changed[usize::from(id.table() == Table::Accounts)];
                let left = changed
                    .iter()
                    .filter(|number| self.rows(id.table()).contains_key(number));
                let values = left.flat_map(|number| {
                    let values = self.values(*id, *number).into_iter();
                    values.map(|value| (*number, value))
                });
                let values: Vec<(u32, Value)> = values.collect();
                column.change(changed, &values);
                if change.saved {
                    let saved = column.without_unused().to_bytes();
                    *column = Column::of_bytes(&saved).unwrap();
                }
            }
        }
        let columns = columns.into_iter();
        columns.map(|(id, column)| (id, Arc::new(column))).collect()
    }
}

fn replace(rows: &mut Rows, new: BTreeMap<u32, Option<Row>>) {
    for (number, row) in new {
        match row {
            Some(row) => _ = rows.insert(number, row),
            None => _ = rows.remove(&number),
        }
    }
}

pub fn account_id(number: u32) -> String {
    format!("acc_{number}")
}

/// Returns the kind of a field's values, and whether they are sizes.
pub fn kind(id: ColumnId) -> (FieldKind, bool) {
    match id {
        ColumnId::Lead(field) => (field.kind(), field.is_size()),
        ColumnId::Account(field) => (field.kind(), field.is_size()),
        _ => (FieldKind::Text, false),
    }
}

/// Returns values that rows can have in a column.
pub fn possible_values(id: ColumnId) -> Vec<Value> {
    let texts = |texts: &[&str]| texts.iter().map(|text| Value::from(*text)).collect();
    let numbers = |numbers: &[i64]| numbers.iter().map(|number| (*number).into()).collect();
    match (id, kind(id)) {
        (ColumnId::Custom(_), _) => custom_values(id).iter().map(stored).collect(),
        (ColumnId::Lead(LeadField::AccountId), _) => numbers(&[1, 2, 3, 64]),
        (ColumnId::Lead(LeadField::IcpScore) | ColumnId::Account(AccountField::IcpScore), _) => {
            [0.0, 12.5, 80.0, 100.0].map(Value::Real).to_vec()
        }
        (_, (_, true)) => texts(&["1-10", "51-200", "201-500", "10,001+", "some", "Self"]),
        (_, (FieldKind::Text, _)) => {
            let written = ["", "Ana Díaz", "ana", "Zoe A_B", "B ana", "小龍"];
            written.map(|text| fold(text).into()).to_vec()
        }
        (_, (FieldKind::Token, _)) => texts(&["Äb", "a", "a_b", "ab", "b"]),
        (_, (FieldKind::Number, _)) => numbers(&[-3, 0, 7, 70]),
        (_, (FieldKind::Flag, _)) => numbers(&[0, 1]),
        (_, (FieldKind::Time, _)) => texts(&[
            "2026-01-31T00:00:00.000Z",
            "2026-01-31T12:30:00.000Z",
            "2026-02-01T00:00:00.000Z",
            "2026-02-02T07:00:00.000Z",
        ]),
    }
}

/// Returns how many values a row has in a column.
fn size(id: ColumnId) -> RangeInclusive<usize> {
    match id {
        ColumnId::Lead(LeadField::ApprovalStatus) | ColumnId::Account(AccountField::IsPromoted) => {
            1..=1
        }
        id if id.has_many() => 0..=3,
        _ => 0..=1,
    }
}

fn row(table: Table) -> impl Strategy<Value = Row> {
    let is_generated = |id: &ColumnId| {
        let is_derived = matches!(
            id,
            ColumnId::CompanySizeRank | ColumnId::StaffRank | ColumnId::AccountId
        );
        id.table() == table && !is_derived
    };
    let ids: Vec<ColumnId> = all_columns().filter(is_generated).collect();
    let cells = ids
        .iter()
        .map(|id| subsequence(possible_values(*id), size(*id)));
    let cells: Vec<_> = cells.collect();
    cells.prop_map(move |cells| ids.iter().copied().zip(cells).collect())
}

/// Numbers next to each other, and far away.
fn number() -> impl Strategy<Value = u32> {
    prop_oneof![4 => 1..70_u32, 1 => 1020..1030_u32, 1 => 9000..9070_u32]
}

pub fn records(leads: RangeInclusive<usize>) -> impl Strategy<Value = Records> {
    let leads = btree_map(number(), row(Table::Leads), leads);
    let accounts = btree_map(number(), row(Table::Accounts), 5..=20);
    (leads, accounts).prop_map(|(leads, accounts)| Records { leads, accounts })
}

pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = |table| btree_map(number(), proptest::option::of(row(table)), 0..10);
    let change = (change(Table::Leads), change(Table::Accounts), any::<bool>());
    let change = change.prop_map(|(leads, accounts, saved)| Change {
        leads,
        accounts,
        saved,
    });
    vec(change, 0..3)
}
