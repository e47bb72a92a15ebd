//! A reference implementation of queries: computes the expected result row by row from the original
//! columns, without any index, folded column or SQL condition of the service.

use std::cmp::Ordering;
use std::collections::HashMap;

use lead_workspace_api::{FieldKind, Operator};
use lead_workspace_service::store::{AcrossWorkspaces, Db, Row as Record};
use lead_workspace_service::{fold, size_rank};
use rusqlite::types::Value as Sql;
use serde_json::Value;

use crate::common::Service;

/// A row with all its fields; list fields have several values.
#[derive(Clone, Debug)]
pub struct Row {
    pub number: i64,
    pub id: String,
    fields: HashMap<String, Vec<Sql>>,
    pub searched: Vec<String>,
}

const OF_LEADS: [(&str, &str); 6] = [
    ("list_id", "SELECT lead, list_id FROM list_items"),
    (
        "campaign_id",
        "SELECT lead, campaign_id FROM campaign_leads",
    ),
    (
        "signal_id",
        "SELECT lead, signal_id FROM intents WHERE signal_id IS NOT NULL",
    ),
    (
        "signal_run_id",
        "SELECT lead, signal_run_id FROM intents WHERE signal_run_id IS NOT NULL",
    ),
    (
        "feed_post",
        "SELECT lead, feed_post_id FROM intents WHERE feed_post_id IS NOT NULL",
    ),
    (
        "account_id",
        "SELECT l.id, a.account_id FROM leads l JOIN accounts a ON a.tenant = l.tenant AND a.id = l.account",
    ),
];

const OF_ACCOUNTS: [(&str, &str); 2] = [
    ("list_id", "SELECT account, list_id FROM account_list_items"),
    (
        "lead_count",
        "SELECT a.id, count(l.id) FROM accounts a LEFT JOIN leads l ON l.tenant = a.tenant AND l.account = a.id GROUP BY a.id",
    ),
];

pub async fn leads(service: &Service) -> Vec<Row> {
    let read = |db: Db<'_>| {
        let mut rows = rows(db, "leads", "lead_id", &OF_LEADS);
        for row in &mut rows {
            let parts = ["name", "headline", "title", "company"];
            row.searched = parts.iter().filter_map(|part| row.text(part)).collect();
        }
        Ok(rows)
    };
    service.store.read(read).await.unwrap()
}

pub async fn accounts(service: &Service) -> Vec<Row> {
    let read = |db: Db<'_>| {
        let mut rows = rows(db, "accounts", "account_id", &OF_ACCOUNTS);
        for row in &mut rows {
            let parts = ["name", "network_username", "industry", "location"];
            row.searched = parts.iter().filter_map(|part| row.text(part)).collect();
        }
        Ok(rows)
    };
    service.store.read(read).await.unwrap()
}

fn rows(db: Db<'_>, table: &str, id: &'static str, related: &[(&str, &'static str)]) -> Vec<Row> {
    let sql = format!("SELECT * FROM {table}");
    let read = |row: &Record<'_>| {
        let mut fields = HashMap::new();
        for (index, name) in row.names().into_iter().enumerate() {
            let value: Sql = row.get(index)?;
            let values = if value == Sql::Null {
                vec![]
            } else {
                vec![value]
            };
            fields.insert(name.to_owned(), values);
        }
        Ok(Row {
            number: row.get("id")?,
            id: row.get(id)?,
            fields,
            searched: Vec::new(),
        })
    };
    let mut found: Vec<Row> = db.rows(AcrossWorkspaces(&sql), &[], read).unwrap();
    for (field, sql) in related {
        let pair = |row: &Record<'_>| Ok((row.get(0)?, row.get(1)?));
        let pairs: Vec<(i64, Sql)> = db.rows(AcrossWorkspaces(*sql), &[], pair).unwrap();
        let mut values: HashMap<i64, Vec<Sql>> = HashMap::new();
        for (number, value) in pairs {
            values.entry(number).or_default().push(value);
        }
        for row in &mut found {
            let values = values.remove(&row.number).unwrap_or_default();
            row.fields.insert((*field).to_owned(), values);
        }
    }
    found
}

impl Row {
    pub fn values(&self, field: &str) -> &[Sql] {
        &self.fields[field]
    }

    fn text(&self, field: &str) -> Option<String> {
        match self.values(field).first() {
            Some(Sql::Text(text)) => Some(text.clone()),
            _ => None,
        }
    }

    /// Returns whether every word of the text is a substring of a searched field.
    pub fn is_found_by(&self, search: &str) -> bool {
        search.split_whitespace().all(|word| {
            self.searched
                .iter()
                .any(|field| fold(field).contains(&fold(word)))
        })
    }

    /// Returns whether a filter matches.
    pub fn holds(&self, field: &str, kind: FieldKind, operator: Operator, operand: &Value) -> bool {
        let any = |test: &dyn Fn(&Sql) -> bool| self.values(field).iter().any(test);
        let is_size = matches!(field, "company_size" | "staff_count_range");
        let order = |value: &Sql, operand: &Value| {
            if is_size {
                let rank = |text: Option<&str>| text.and_then(size_rank);
                let (Sql::Text(text), Some(bound)) = (value, rank(operand.as_str())) else {
                    panic!("sizes are text")
                };
                return rank(Some(text)).map(|rank| rank.cmp(&bound));
            }
            Some(compare(kind, value, operand))
        };
        let is = |value: &Sql, operand: &Value| compare(kind, value, operand) == Ordering::Equal;
        let text = fold(operand.as_str().unwrap_or_default());
        match operator {
            Operator::Eq => any(&|value| is(value, operand)),
            Operator::Neq => !any(&|value| is(value, operand)),
            Operator::In => any(&|value| list(operand).iter().any(|one| is(value, one))),
            Operator::NotIn => !any(&|value| list(operand).iter().any(|one| is(value, one))),
            Operator::Gt => any(&|value| order(value, operand).is_some_and(Ordering::is_gt)),
            Operator::Gte => any(&|value| order(value, operand).is_some_and(Ordering::is_ge)),
            Operator::Lt => any(&|value| order(value, operand).is_some_and(Ordering::is_lt)),
            Operator::Lte => any(&|value| order(value, operand).is_some_and(Ordering::is_le)),
            Operator::Between => any(&|value| {
                order(value, &operand[0]).is_some_and(Ordering::is_ge)
                    && order(value, &operand[1]).is_some_and(Ordering::is_le)
            }),
            Operator::Contains => any(&|value| words(kind, value).contains(&text)),
            Operator::NotContains => !any(&|value| words(kind, value).contains(&text)),
            Operator::StartsWith => any(&|value| words(kind, value).starts_with(&text)),
            Operator::IsSet => any(&|_| true),
            Operator::IsNotSet => !any(&|_| true),
        }
    }

    /// Returns the sort key of a row, before ties; `None` for a row without a value.
    fn rank(&self, column: &str) -> Option<Sql> {
        let value = self.values(column).first()?;
        match (column, value) {
            ("company_size", Sql::Text(text)) => size_rank(text).map(Sql::Integer),
            ("approval_status" | "created_at" | "icp_tier" | "campaign_lead_status", value)
            | ("connection" | "reply" | "current_node" | "rate_limited_by", value) => {
                Some(value.clone())
            }
            (_, Sql::Text(text)) => Some(Sql::Text(fold(text))),
            (_, value) => Some(value.clone()),
        }
    }
}

fn list(operand: &Value) -> &[Value] {
    operand.as_array().unwrap()
}

fn words(kind: FieldKind, value: &Sql) -> String {
    match (kind, value) {
        (FieldKind::Flag, Sql::Integer(flag)) => (*flag == 1).to_string(),
        (_, Sql::Text(text)) => fold(text),
        (_, Sql::Integer(number)) => number.to_string(),
        (_, Sql::Real(number)) => format!("{number:?}"),
        other => panic!("{other:?}"),
    }
}

fn compare(kind: FieldKind, value: &Sql, operand: &Value) -> Ordering {
    match (kind, value) {
        (FieldKind::Text, Sql::Text(text)) => fold(text).cmp(&fold(operand.as_str().unwrap())),
        (FieldKind::Token | FieldKind::Time, Sql::Text(text)) => {
            text.as_str().cmp(operand.as_str().unwrap())
        }
        (FieldKind::Flag, Sql::Integer(flag)) => flag.cmp(&i64::from(operand.as_bool().unwrap())),
        (FieldKind::Number, number) => sql_number(number).total_cmp(&operand.as_f64().unwrap()),
        other => panic!("{other:?}"),
    }
}

fn sql_number(value: &Sql) -> f64 {
    match value {
        Sql::Integer(number) => *number as f64,
        Sql::Real(number) => *number,
        other => panic!("{other:?}"),
    }
}

/// Returns the ids in sort order: rows without a value last in both directions, ties by row number
/// in the direction of the sort.
pub fn sorted(rows: &[Row], column: &str, descending: bool) -> Vec<String> {
    let mut keyed: Vec<_> = rows.iter().map(|row| (row.rank(column), row)).collect();
    keyed.sort_by(|(a, a_row), (b, b_row)| {
        let missing = a.is_none().cmp(&b.is_none());
        let by_value = match (a, b) {
            (Some(Sql::Text(a)), Some(Sql::Text(b))) => a.cmp(b),
            (Some(a), Some(b)) => sql_number(a).total_cmp(&sql_number(b)),
            _ => Ordering::Equal,
        };
        let tied = by_value.then(a_row.number.cmp(&b_row.number));
        missing.then(if descending { tied.reverse() } else { tied })
    });
    keyed.into_iter().map(|(_, row)| row.id.clone()).collect()
}

/// Converts a stored value to the form of a request.
pub fn operand(kind: FieldKind, value: &Sql) -> Value {
    match (kind, value) {
        (FieldKind::Flag, Sql::Integer(flag)) => (*flag == 1).into(),
        (_, Sql::Text(text)) => text.clone().into(),
        (_, Sql::Integer(number)) => (*number).into(),
        (_, Sql::Real(number)) => (*number).into(),
        other => panic!("{other:?}"),
    }
}
